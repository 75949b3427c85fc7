/** The body of a page: the envelope of the sample, with the items, what leads on, and what the list states of itself. */
import { FLAG } from '../lists/infer/numbers.ts';
import { SIZES } from '../lists/infer/sizes.ts';
import { pathOf, pathText, valueAt, valuesIn } from '../lists/json.ts';
import type { Path } from '../lists/json.ts';
import { PAGE_COUNTS, TOTALS } from '../lists/list.ts';
import { paramsOfWay } from '../lists/profile.ts';
import type { Profile, Way } from '../lists/profile.ts';
import { aboutNext, copyOf, removeAt, removeOnly, setAt } from './json.ts';
import type { Json } from './json.ts';
import { isOwn, linkTo, targetWith } from './links.ts';
import type { Asked } from './links.ts';
import type { Page, Params } from './pages.ts';
import { totalsIn } from './sample.ts';
import type { Sample } from './sample.ts';
import type { Effect, EndForm } from './scenario.ts';
import { pathIn } from './served.ts';

export interface Rendering {
  readonly profile: Profile;
  readonly sample: Sample;
  readonly effect: Effect;
}

const MAX_DEPTH = 4;
const PAGE_NAMES = ['page', 'current_page', 'currentPage', 'page_number', 'pageNumber', 'number'];
const OFFSET_NAMES = ['offset', 'skip', 'start', 'startAt', 'startIndex', 'start_index', 'from'];

/** @returns the target of the page that parameters lead to. */
export const targetOf = (params: Params, asked: Asked, profile: Profile): string =>
  targetWith(
    asked,
    params,
    [profile.next, ...(profile.previous === undefined ? [] : [profile.previous])].flatMap(paramsOfWay),
  );

/** @returns the body of a page; `undefined` if it has none. */
export function bodyOf({ profile, sample, effect }: Rendering, page: Page, asked: Asked): Json | undefined {
  const items = pathOf(profile.items);
  const all = page.items.map((item) => item.body());
  if (page.last === 'no-content') return undefined;
  if (items.length === 0) return all;
  if (page.last === 'empty') return {};
  const body = copyOf(sample.envelope);
  if (!sample.isGiven && profile.total !== undefined) setAt(body, ['total'], page.total);
  state(body, { profile, sample, effect }, page, asked);
  if (page.last === 'null') setAt(body, items, null);
  else if (page.last === 'absent') removeOnly(body, items);
  else setAt(body, items, all);
  lead(body, profile.next, page.next, { profile, sample, effect }, page, asked);
  if (profile.previous !== undefined)
    lead(body, profile.previous, page.previous, { profile, sample, effect }, page, asked);
  const { more } = profile.next;
  if (more !== undefined) {
    if (effect.end === 'absent' && !page.more) removeOnly(body, pathOf(more));
    else setAt(body, pathOf(more), page.more);
  }
  for (const [path, value] of Object.entries(profile.error ?? {})) {
    // What marks an error is otherwise here, unless the sample says it.
    if (valueAt(body, pathOf(path)) === undefined && typeof value === 'boolean') setAt(body, pathOf(path), !value);
  }
  return body;
}

/** Sets what leads to another page. */
function lead(body: Json, way: Way, params: Params | undefined, list: Rendering, page: Page, asked: Asked): void {
  const { profile, sample, effect } = list;
  if ('tokens' in way) {
    for (const [param, from] of Object.entries(way.tokens)) {
      const value = params?.[param];
      if (params === undefined) setEnd(body, from, way, list);
      else if (value === undefined) removeOnly(body, pathOf(from));
      else setAt(body, pathOf(from), value);
    }
    return;
  }
  const at = 'token' in way ? way.from : 'url' in way ? way.url : undefined;
  if (at === undefined) return;
  const base = 'url' in way ? baseOf(way, sample) : undefined;
  if (base !== undefined) setAt(body, pathOf(base.at), asked.origin + base.path);
  const value = 'token' in way ? params?.[way.token] : undefined;
  if (params === undefined || ('token' in way && value === undefined)) setEnd(body, at, way, list);
  else if (value !== undefined) setAt(body, pathOf(at), value);
  else {
    const like = valueAt(sample.envelope, pathOf(at));
    const link = linkTo(
      targetOf(params, asked, profile),
      asked,
      typeof like === 'string' ? like : undefined,
      effect,
      page.number,
    );
    setAt(body, pathOf(at), base === undefined ? link : behind(link, asked.origin, base.path));
  }
}

/** @returns where the base of links stands, and the path that it has in the sample. */
function baseOf({ base }: { readonly base?: string }, { envelope }: Sample): { at: string; path: string } | undefined {
  if (base === undefined) return undefined;
  const known = valueAt(envelope, pathOf(base));
  return { at: base, path: typeof known === 'string' ? pathIn(known).replace(/\/$/, '') : '' };
}

/** @returns a link as it stands beside a base with a path. */
function behind(link: string, origin: string, before: string): string {
  const path = link.startsWith(origin) ? link.slice(origin.length) : link;
  return path.startsWith(`${before}/`) ? path.slice(before.length) : path;
}

function setEnd(body: Json, at: string, way: Way, list: Rendering): void {
  const path = pathOf(at);
  const form = list.effect.end === 'cycle' ? undefined : list.effect.end;
  const declared = 'token' in way && way.end !== 'same' ? way.end : undefined;
  if (form === undefined && declared !== undefined) setAt(body, path, declared);
  else if (form === 'empty') setAt(body, path, '');
  else if (form === 'false') setAt(body, path, false);
  else if ((form ?? usualEnd(list)) === 'null') {
    removeAt(body, path);
    // An object that a path chooses in an array is one of several.
    setAt(body, path.some((name) => name.includes('[')) ? path : aboutNext(path), null);
  } else removeAt(body, path);
}

/** @returns how the API states that there is no page: null, if the sample has it, or there is no sample. */
function usualEnd({ profile: { next, previous }, sample }: Rendering): EndForm {
  if (!sample.isGiven) return 'null';
  const paths = [next, previous].flatMap((way) =>
    way === undefined ? [] : 'token' in way ? [way.from] : 'url' in way ? [way.url] : [],
  );
  return paths.some((at) => [pathOf(at), aboutNext(pathOf(at))].some((path) => valueAt(sample.envelope, path) === null))
    ? 'null'
    : 'absent';
}

/** Sets what the envelope states: numbers, flags and links, by their names. */
function state(body: Json, { profile, sample, effect }: Rendering, page: Page, asked: Asked): void {
  const { items, start, size, total, pages, number, more } = page;
  const totals = totalsIn(sample.envelope).map(pathText);
  const own = pathIn(profile.url);
  const first =
    'page' in profile.next || 'offset' in profile.next ? (profile.next.first ?? ('page' in profile.next ? 1 : 0)) : 0;
  const numberOf = (path: Path, name: string): number | undefined => {
    if (totals.includes(pathText(path))) return total;
    if (PAGE_COUNTS.includes(name)) return pages;
    if (TOTALS.includes(name)) return items.length;
    if (PAGE_NAMES.includes(name)) return 'page' in profile.next ? number - 1 + first : number;
    if (OFFSET_NAMES.includes(name)) return start + ('offset' in profile.next ? first : 0);
    return name === profile.size?.param || SIZES.includes(name) ? (Number.isFinite(size) ? size : total) : undefined;
  };
  for (const { path, value } of [...valuesIn(sample.envelope, MAX_DEPTH)]) {
    const name = path.at(-1) ?? '';
    if (typeof value === 'number') setIf(body, path, numberOf(path, name));
    else if (typeof value === 'boolean' && FLAG.test(name)) setAt(body, path, more);
    else if (/^(first|last)_?id$/i.test(name) && value !== undefined)
      setAt(body, path, (/^f/i.test(name) ? items[0] : items.at(-1))?.id ?? null);
    else if (typeof value === 'string' && isOwn(value, own)) {
      const params = path.some((it) => /next/i.test(it)) ? page.next : {};
      const target = /self|href|current/i.test(name) ? asked.target : targetOf(params ?? {}, asked, profile);
      setAt(
        body,
        path,
        /[?]/.test(value) || /^https?:/.test(value)
          ? linkTo(target, asked, value, { ...effect, links: [] }, number)
          : value,
      );
    }
  }
}

function setIf(body: Json, path: Path, value: number | undefined): void {
  if (value !== undefined) setAt(body, path, value);
}

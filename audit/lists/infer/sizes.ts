/** The parameter of the page size: links and numbers of the response name it, and the names of other APIs are tried after them. */
import { code, say } from '../../rules/text.ts';
import type { Text } from '../../rules/text.ts';
import { pathOf, valuesIn } from '../json.ts';
import type { Path } from '../json.ts';
import { itemsOf } from '../list.ts';
import type { Size } from '../profile.ts';
import type { Answer, Session } from '../session.ts';
import { paramsOf, withParam } from '../target.ts';
import { MAX_DEPTH, areLinks, linkedParams, scalarsIn } from './evidence.ts';
import { echoesOf } from './numbers.ts';
import { tokenNames } from './tokens.ts';

export const SIZES = [
  ...'limit per_page page_size size pageSize perPage rows count _limit per-page page[size] page[limit] $top'.split(' '),
  ...'max_results maxResults max _count first take Limit PageSize _per_page n top itemsPerPage results'.split(' '),
  ...'_size pagination[pageSize] items_per_page pagination[limit] num $limit'.split(' '),
];
/** Names for a list whose response has names such as `NextToken`. */
const PASCAL = 'MaxResults MaxItems Limit PageSize MaxKeys Count'.split(' ');
/** Names after the prefix that the parameters of a list have: `_size` beside `_next`, and `aplimit` beside `apcontinue`. */
const PREFIXED = 'limit size count'.split(' ');
const MAX_SIZES = 24;
// Small enough for a short list to have a second page, and more than one, so that a repeated last item shows.
const PROBE = 2;
/** Sizes for a list that rejects smaller ones, or all but some. */
const LARGER = [5, 10, 20, 25, 50, 100];
const MAX_REJECTED = 3;

/** @returns a small size that a list accepts. */
export const probeOf = ({ min = 1 }: Size): number => Math.max(PROBE, min);

export interface Items {
  readonly path: Path;
  readonly length: number;
}

/** @returns the arrays of a body that may be its items: those that are not inside of another array. */
export function arraysIn(body: unknown): readonly Items[] {
  const found: Items[] = [];
  for (const { path, value } of valuesIn(body, MAX_DEPTH))
    if (Array.isArray(value) && !areLinks(value)) found.push({ path, length: value.length });
  return found;
}

/** What was found of the size. */
export interface FoundSize {
  /** The parameter: one that changes the length of an array, with its minimum if small sizes are rejected. */
  readonly size: Size | undefined;
  /** The response whose array has another length, and the size that was asked for. */
  readonly changed?: { readonly answer: Answer; readonly asked: number };
  /** Parameters that are an error, where unknown ones are none: they may need another one beside them. */
  readonly failing: readonly string[];
}

/** @param known names of parameters that are tried first. */
export async function findSize(
  sample: Answer,
  candidates: readonly Items[],
  known: readonly string[],
  session: Session,
  drop: (what: Text, why: Text) => void,
): Promise<FoundSize> {
  const longest = candidates.reduce((most, it) => Math.max(most, it.length), 0);
  if (longest === 0) return { size: undefined, failing: [] };
  const wanted = longest > PROBE ? PROBE : 1;
  const failing: string[] = [];
  const rejected: string[] = [];
  let accepted = 0;
  const names = namesFor(sample, longest, known, session);
  for (const name of [...names.shown, ...names.usual]) {
    const answer = await session.get(withParam(sample.target, name, wanted));
    const isRejected = answer.status >= 400 && answer.status < 500;
    if (answer.status < 300) accepted += 1;
    const length = isRejected ? undefined : lengthWith(answer, candidates);
    const found = { changed: { answer, asked: wanted }, failing };
    if (length !== undefined && length <= wanted + 1) return { size: { param: name }, ...found };
    // Smaller sizes are raised. A place near the end has fewer items, too.
    if (length !== undefined && length > 0 && (isSize(name) || !names.shown.includes(name)))
      return { size: { param: name, min: length }, ...found };
    if (answer.status >= 400) failing.push(name);
    if (isRejected) rejected.push(name);
    // The server knows a name that a response or the URL shows.
    const larger = isRejected && names.shown.includes(name) && (await findLarger(sample, name, candidates, session));
    if (larger) return { ...larger, failing };
    drop(say`size ${code(name)}`, answer.status >= 400 ? say`${answer.status}` : say`it does not change the length`);
  }
  // A strict server rejects each unknown name. Of a lenient one, a name that is rejected is known: the size is too small.
  if (accepted <= failing.length) return { size: undefined, failing: [] };
  for (const name of rejected.filter((it) => !names.shown.includes(it)).slice(0, MAX_REJECTED)) {
    const larger = await findLarger(sample, name, candidates, session);
    if (larger) return { ...larger, failing };
  }
  return { size: undefined, failing };
}

/** @returns a parameter that rejects small sizes, with the smallest that it accepts: one that may be the usual length of a page. */
async function findLarger(
  sample: Answer,
  param: string,
  candidates: readonly Items[],
  session: Session,
): Promise<Pick<FoundSize, 'size' | 'changed'> | undefined> {
  let min: number | undefined;
  for (const asked of LARGER) {
    const answer = await session.get(withParam(sample.target, param, asked));
    if (answer.status >= 300) continue;
    const length = lengthWith(answer, candidates);
    // A size may have fewer items where a filter follows it; a position has them near the end.
    if (length === asked || (length !== undefined && length < asked && isSize(param)))
      return { size: { param, min: min ?? asked }, changed: { answer, asked } };
    if (length === undefined && candidates.some((it) => it.length === asked)) min ??= asked;
  }
  return undefined;
}

/** @returns the length of the first array whose length has changed; `undefined` if none has. */
function lengthWith({ status, body }: Answer, candidates: readonly Items[]): number | undefined {
  if (status < 200 || status >= 300) return undefined;
  const changed = candidates.flatMap((it) => {
    const length = itemsOf(body, it.path)?.length ?? 0;
    return length > 0 && length !== it.length && it.length > 0 ? [length] : [];
  });
  return changed.length === 0 ? undefined : Math.min(...changed);
}

/** The names to try: those that the request or the response shows, and the usual ones, those that agree with it first. */
interface Names {
  readonly shown: readonly string[];
  readonly usual: readonly string[];
}

/** @param length that of the longest array. */
function namesFor(sample: Answer, length: number, known: readonly string[], session: Session): Names {
  const links = linkedParams(sample, session);
  const linked = links.flatMap(([name, value]) => (value === String(length) ? [name] : []));
  const asked = [...paramsOf(sample.target)].flatMap(([name, value]) =>
    isSize(name) || value === String(length) ? [name] : [],
  );
  const echoed = echoesOf(scalarsIn(sample, session), /size|limit|per|count|max|rows|take|top|results|items|^n$/i, [
    length,
  ]);
  const inLinks = links.map(([name]) => name).filter((it) => isSize(it));
  const shown = [...new Set([...known, ...linked, ...asked, ...inLinks])].slice(0, MAX_SIZES);
  const prefixes = prefixesOf([...links.map(([name]) => name), ...tokenNames(sample, session)]);
  const prefixed = prefixes.flatMap((prefix) => [
    ...SIZES.filter((it) => /^\W|^_/.test(prefix) && it.startsWith(prefix)),
    ...PREFIXED.map((it) => `${prefix}${it}`),
  ]);
  const others = new Set([...echoed, ...prefixed, ...(isPascal(sample) ? PASCAL : []), ...SIZES]);
  const usual = [...others].filter((it) => !shown.includes(it)).slice(0, MAX_SIZES - shown.length);
  return { shown, usual };
}

const SIZE_NAMES = new Set([...SIZES, ...PASCAL].map((it) => it.toLowerCase()));
const isSize = (name: string): boolean => SIZE_NAMES.has((pathOf(name).at(-1) ?? '').toLowerCase());

/** @returns what parameters of the pagination begin with, before a usual name: `_` of `_next`, and `ap` of `apcontinue`. */
const prefixesOf = (names: readonly string[]): readonly string[] => [
  ...new Set(
    names.flatMap((name) => {
      const prefix = /^(?:[$_]|(?!end|new|old|pre)[a-z]{1,3}(?=(?:continue|offset|cursor|token|marker|start)$))/.exec(
        name,
      );
      return prefix === null ? [] : [prefix[0]];
    }),
  ),
];

/** Whether most names of a body outside of its arrays are like `NextToken`. */
function isPascal({ body }: Answer): boolean {
  const names = [...new Set([...valuesIn(body, MAX_DEPTH)].flatMap(({ path }) => path))];
  return names.filter((it) => /^[A-Z][a-z]/.test(it)).length > names.length / 2;
}

/** @returns the array whose length follows the size, or those that may be it. @param size the one that was asked for. */
export function followers(candidates: readonly Items[], probed: Answer, size: number | undefined): readonly Items[] {
  const all = candidates.filter((it) => it.length > 0 || candidates.length === 1);
  if (size === undefined) return all;
  const followed = candidates.filter((it) => {
    const length = itemsOf(probed.body, it.path)?.length ?? it.length;
    return length <= size + 1 && length !== it.length;
  });
  return followed.length === 0 ? all : followed;
}

/** Finds the way to the next page and the previous one: what a response suggests is tried, in the order of how sure it is. */
import { say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { pathOf, pathText, valueAt, valuesIn } from './json.ts';
import type { Found, Path } from './json.ts';
import { List, isPage, plainId } from './list.ts';
import type { NoPage, Page } from './list.ts';
import { describeWay } from './profile.ts';
import type { Profile, Way } from './profile.ts';
import { firstTarget } from './session.ts';
import type { Answer, Session } from './session.ts';
import { linksOf, paramsOf, withParam } from './target.ts';

/** The maximum number of requests of an inference. */
export const MAX_REQUESTS = 40;

const ID_CURSORS = 'starting_after after after_id last last_id cursor since_id max_id before from_id marker'.split(' ');
const ID_BACK: Readonly<Record<string, string>> = {
  starting_after: 'ending_before',
  after: 'before',
  after_id: 'before_id',
  before: 'after',
};
const PAGES = 'page _page page[number] pageNumber page_number p currentPage pageIndex pagination[page]'.split(' ');
const OFFSETS = 'offset skip _start start startAt page[offset] $skip from pagination[start] first startIndex'.split(
  ' ',
);
const FLAGS = /^(has_?more|has_?next(_?page)?|more|more_?items)$/i;
const NEXT_NAME = /next|cursor|token|marker|continu|after/i;
/** The numbers that usually stand beside a size. */
const PARTNERS: Readonly<Record<string, readonly string[]>> = {
  size: ['page', 'from'],
  count: ['startIndex', 'start'],
  rows: ['start'],
  maxResults: ['startAt'],
  $limit: ['$skip'],
  $top: ['$skip'],
  _limit: ['_start'],
  take: ['skip'],
  'page[limit]': ['page[offset]'],
};
export const MAX_DEPTH = 4;
// How often a list may change while the number of its first item is looked for.
const MAX_TRIES = 3;
// Small enough for a short list to have a second page, and more than one, so that a repeated last item shows.
export const PROBE = 2;

/** Whether a profile may have a path that the server chose: it holds no key, and nothing that a saved profile would read from the environment. */
export const isUsable = ({ hides }: Session, path: Path): boolean =>
  !hides(pathText(path)) && !path.some((it) => it.includes('${'));

/** @returns names of parameters: first those that the URL has, then those that the body repeats, as `"perPage": 30`. */
export function likelyFirst(names: readonly string[], target: string, body: unknown): readonly string[] {
  const asked = [...paramsOf(target).keys()].filter((it) => names.includes(it));
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');
  const repeated = new Set(
    scalarsIn(body).flatMap(({ path, value }) => (typeof value === 'number' ? [plain(path.at(-1) ?? '')] : [])),
  );
  return [...new Set([...asked, ...names.filter((it) => repeated.has(plain(it.replace(/^.*\[/, '')))), ...names])];
}

type Base = Omit<Profile, 'next'>;

/** @returns the way to the next page: the first one whose second and third page have new items; `undefined` if there is none. */
export async function findNext(
  base: Base,
  plain: Answer,
  probed: Answer,
  session: Session,
  tried: (way: Way) => void,
  drop: (what: Text, why: Text) => void,
): Promise<{ readonly way: Way | undefined; readonly stated: readonly Way[] }> {
  const broken: Broken[] = [];
  // A position that is rounded to the usual size leads on only with that size.
  for (const size of base.size === undefined ? [undefined] : [PROBE, undefined]) {
    const first = size === undefined ? plain : probed;
    for (const way of waysIn(base, first, session)) {
      // Some requests are left for the usual size.
      if (session.sent >= MAX_REQUESTS - (size === undefined ? 4 : 12)) break;
      const list = new List({ ...base, next: way }, session);
      const dead = await whyNot(list, first);
      const why = dead?.why ?? (await whyIgnored(list, plain));
      if (why === undefined)
        return {
          way: await withFirst(list, way, first),
          stated: broken.filter((it) => isSure(it) && !isSame(it.way, way)).map((it) => it.way),
        };
      if (first === probed) tried(way);
      if (dead?.error !== undefined && isStated(way) && !broken.some((it) => isSame(it.way, way)))
        broken.push({ way, status: dead.error.status });
      drop(say`next page by ${describeWay(way)}`, why);
    }
  }
  // What the server states is the way, though it fails: a finding of the audit.
  const [only] = (await isLenient(broken, probed, session)) ? broken : broken.filter(({ way }) => !('token' in way));
  return { way: only?.way, stated: [] };
}

/** A way that a response states, and the status of the error to which it leads. */
interface Broken {
  readonly way: Way;
  readonly status: number;
}

/** Names that say that a link or a token is the next page. `token_url` and `nextSyncToken` lead elsewhere. */
const STATES_NEXT =
  /^(?!.*(sync|delta|refresh|access)).*(next|end_?cursor)(_?(page|cursor|token|url|uri|link|href|marker))*\]?$/i;

function isStated(way: Way): boolean {
  if ('link' in way) return true;
  const name = 'url' in way ? way.url : 'token' in way ? way.from : 'header' in way ? way.header : undefined;
  return (
    name !== undefined &&
    pathOf(name)
      .slice(-2)
      .some((segment) => STATES_NEXT.test(segment))
  );
}

/** Whether an error is that of the stated page: the parameter of a token is guessed, and another one may be rejected. */
const isSure = ({ way, status }: Broken): boolean => !('token' in way) || status >= 500;

/** Whether two ways are stated at the same place: of a token, the parameter of its own name is tried first. */
const isSame = (one: Way, other: Way): boolean =>
  JSON.stringify(one) === JSON.stringify(other) || ('token' in one && 'token' in other && one.from === other.from);

/** Whether a server takes parameters that it does not know: a strict one rejects each that is guessed for a token. */
async function isLenient(broken: readonly Broken[], first: Answer, session: Session): Promise<boolean> {
  if (!broken.some(({ way }) => 'token' in way)) return true;
  const { status } = await session.get(withParam(first.target, UNKNOWN, '1'));
  return status >= 200 && status < 300;
}
const UNKNOWN = 'rollcall_unknown';

/** Why a way does not lead on, and the error that is its second page. */
interface Dead {
  readonly why: Text;
  readonly error?: NoPage;
}

/** @returns why a way does not lead on; `undefined` if its second and third page have new items, or the list ends with its second one. */
async function whyNot(list: List, first: Answer): Promise<Dead | undefined> {
  const seen = new Set<string>();
  let target: string | undefined = first.target;
  for (let count = 1; count <= 3; count += 1) {
    if (target === undefined) return count === 2 ? { why: say`the first page has no next one` } : undefined;
    const page: Page | NoPage = count === 1 ? list.read(first) : await list.page(target);
    if (!isPage(page)) {
      const isNumber = 'page' in list.profile.next || 'offset' in list.profile.next;
      // A server that fails on a page that it leads to itself is a finding of the audit.
      const why = say`page ${count} is ${page.reason}`;
      return count === 3 && !isNumber ? undefined : { why, ...(count === 2 && { error: page }) };
    }
    if (page.ids.length === 0) return count === 3 ? undefined : { why: say`the next page is empty` };
    if (page.ids.every((it) => seen.has(it)))
      return count === 2 ? { why: say`the next page has no new item` } : undefined;
    for (const id of page.ids) seen.add(id);
    target = page.next;
  }
  return undefined;
}

/**
 * @returns why a number of pages or items counts as ignored: the second page of the usual size has most of the first one. Where items change
 *   places at every request, small pages have new ones. A first page that is the whole list has most of no second one.
 */
async function whyIgnored(list: List, plain: Answer): Promise<Text | undefined> {
  const { next } = list.profile;
  const first = list.read(plain);
  if (!('page' in next || 'offset' in next) || !isPage(first) || first.next === undefined) return undefined;
  const second = await list.page(first.next);
  if (!isPage(second)) return undefined;
  const ids = new Set(first.ids); // There may be many.
  const again = second.ids.filter((it) => ids.has(it)).length;
  if (again <= first.ids.length / 2) return undefined;
  // Items that stay in their places were new on small pages: this is what follows the last page.
  const now = await list.page(plain.target);
  const isStill = isPage(now) && now.ids.join() === second.ids.join();
  return isStill ? undefined : say`the second page is mostly the first one`;
}

/** @returns a way with the number of the first page, or of the first item, unless that is 0. */
async function withFirst(list: List, way: Way, plain: Answer): Promise<Way> {
  const param = 'page' in way ? way.page : 'offset' in way ? way.offset : undefined;
  if (param === undefined) return way;
  const asked = paramsOf(plain.target).get(param);
  if (asked !== undefined) return { ...way, first: Number(asked) };
  const idsAt = async (number?: number): Promise<string> => {
    const page = await list.page(number === undefined ? plain.target : withParam(plain.target, param, number));
    return isPage(page) ? page.ids.join() : page.reason.raw;
  };
  if ('page' in way) {
    const [zero, one, first] = [await idsAt(0), await idsAt(1), await idsAt()];
    return { ...way, first: zero === first && one !== first ? 0 : 1 };
  }
  // Where items are counted from 1, 0 is often taken for it. An item that is added meanwhile moves the first page to 1, too.
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const [before, one, after] = [await idsAt(), await idsAt(1), await idsAt()];
    if (before === after) return one === before ? { ...way, first: 1 } : way;
  }
  return way;
}

const isUrl = (value: unknown): value is string =>
  typeof value === 'string' && /^(https?:\/\/|\/|[\w.-]*\?)/i.test(value);
const isToken = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '' && value.length < 4096) || typeof value === 'number';

/** @returns the ways that a response suggests, in the order in which they are tried. */
function* waysIn(base: Base, { headers, body }: Answer, session: Session): Generator<Way> {
  const found = scalarsIn(body).filter(({ path }) => isUsable(session, path));
  const flag = found.find(({ path, value }) => typeof value === 'boolean' && FLAGS.test(path.at(-1) ?? ''));
  const more = flag?.value === true ? { more: pathText(flag.path) } : {};
  const link = linksOf(headers.get('link')).get('next');
  if (link !== undefined)
    yield { link: 'next', ...(/results="true"/i.test(link.attributes) && { until: 'results="false"' }), ...more };
  for (const [name, value] of headers)
    if (name !== 'link' && /next/i.test(name) && isUrl(value) && isUsable(session, [name]))
      yield { header: name, ...more };
  const named = found.filter(
    ({ path }) =>
      path.some((it) => NEXT_NAME.test(it)) && !path.some((it) => /prev|before|self|first|last|^start/i.test(it)),
  );
  const ranked = [...named].sort(
    (a, b) => Number(/next/i.test(b.path.join('.'))) - Number(/next/i.test(a.path.join('.'))),
  );
  yield* linkObjectsIn(body, session).map((url) => ({ url, ...more }));
  for (const { path, value } of ranked) if (isUrl(value)) yield { url: pathText(path), ...more };
  for (const { path, value } of ranked) {
    if (!isToken(value) || isUrl(value)) continue;
    for (const token of parametersOf(path, typeof value === 'number')) yield { token, from: pathText(path), ...more };
  }
  const partners = PARTNERS[base.size?.param ?? ''] ?? [];
  const first = (names: readonly string[]): readonly string[] => [
    ...new Set([...names.filter((it) => partners.includes(it)), ...likelyFirst(names, firstTarget(base.url), body)]),
  ];
  const idWays = first(ID_CURSORS).map((id): Way => ({ id, ...more }));
  const pageWays = first(PAGES).flatMap((page): readonly Way[] => [{ page, first: 1 }]);
  const offsetWays = first(OFFSETS).map((offset): Way => ({ offset }));
  // A list that states the number of its items or pages usually counts them.
  const counts = found.some(
    ({ path, value }) => typeof value === 'number' && /total|count|pages|page$/i.test(path.at(-1) ?? ''),
  );
  yield* flag !== undefined && !counts
    ? [...idWays, ...pageWays, ...offsetWays]
    : [...pageWays.slice(0, 3), ...offsetWays.slice(0, 3), ...idWays, ...pageWays.slice(3), ...offsetWays.slice(3)];
}

const LINK_URLS = ['href', 'url', 'uri'];

/** @returns the paths of URLs in arrays of link objects, `links[rel=next].href`. */
function linkObjectsIn(body: unknown, session: Session): readonly string[] {
  const found: string[] = [];
  for (const { path, value } of valuesIn(body, MAX_DEPTH)) {
    const [name] = path.slice(-1);
    if (!Array.isArray(value) || name === undefined || !/links?$/i.test(name)) continue;
    for (const rel of ['rel', 'relation']) {
      const at = [...path.slice(0, -1), `${name}[${rel}=next]`];
      for (const key of LINK_URLS)
        if (typeof valueAt(body, [...at, key]) === 'string' && isUsable(session, path))
          found.push(pathText([...at, key]));
    }
  }
  return found;
}

/** @returns the parameters that may take a token, by the name that it has in the body. */
function parametersOf(path: Path, isNumber: boolean): readonly string[] {
  const name = path.at(-1) ?? '';
  const parent = path.at(-2) ?? '';
  const bare = name.replace(/^(_?next_?|end_?)/i, '');
  const lower = bare === '' ? '' : bare.charAt(0).toLowerCase() + bare.slice(1);
  const known =
    isNumber || /page/i.test(`${parent}${name}`) ? ['page', '_page', 'cursor', 'page_token', 'pageToken'] : [];
  const all = [
    lower,
    name,
    ...known,
    'cursor',
    'after',
    'next',
    `_${name}`,
    'page_token',
    'token',
    'from',
    'offset',
    'start',
  ];
  return [...new Set(all)].filter((it) => it !== '' && !/^(has|is)_/.test(it));
}

/** @returns the plain values of a body outside of its arrays. */
const scalarsIn = (body: unknown): readonly Found[] =>
  [...valuesIn(body, MAX_DEPTH)].filter(({ path, value }) => !Array.isArray(value) && path.length > 0);

/** @returns the way back, if the second page has one that leads to the first. */
export async function findPrevious(list: List, pages: readonly Page[]): Promise<Way | undefined> {
  const { next, size } = list.profile;
  // With three pages, a parameter that is ignored shows: it leads to the first page, not to the second.
  const [first, second] = pages.slice(-2);
  if (first === undefined || second === undefined) return undefined;
  const ids = new Set(first.ids);
  const answer = await list.session.get(second.target);
  for (const way of waysBack(next, answer, list.session)) {
    // A link that the server gives as the way back is one, wherever it leads, and so is a token for the parameter of the next page. An
    // error of the server is a finding of the audit, too.
    const isGiven = !('id' in way || ('token' in way && 'token' in next && way.token !== next.token));
    const back = new List({ ...list.profile, previous: way }, list.session).backward((all) => all[0] ?? '');
    const start =
      'id' in way
        ? withParam(list.first(size && PROBE), way.id, plainId(second.ids[0] ?? ''))
        : back.nextOf(way, answer, list.itemsIn(answer));
    if (start === undefined) continue;
    const page = await list.page(start);
    const leadsBack = isPage(page) ? page.ids.some((it) => ids.has(it)) && pages.length > 2 : page.status >= 500;
    if (isGiven || leadsBack) return way;
  }
  return undefined;
}

/** @returns the ways back that a response suggests. */
function waysBack(next: Way, { body }: Answer, session: Session): readonly Way[] {
  if ('id' in next) return [ID_BACK[next.id]].flatMap((id) => (id === undefined ? [] : [{ id }]));
  if ('link' in next) {
    const until = next.until === undefined ? {} : { until: next.until };
    return [
      { link: 'prev', ...until },
      { link: 'previous', ...until },
    ];
  }
  return scalarsIn(body)
    .filter(({ path }) => path.some((it) => /prev|before|^start_?cursor/i.test(it)) && isUsable(session, path))
    .flatMap(({ path, value }): readonly Way[] => {
      if (isUrl(value)) return [{ url: pathText(path) }];
      if (!isToken(value) || !('token' in next)) return [];
      return backParams(next.token, path).map((token) => ({ token, from: pathText(path) }));
    });
}

const OPPOSITES: Readonly<Record<string, string>> = { after: 'before', next: 'previous', afterCursor: 'beforeCursor' };

/** @returns the parameters that may take a token of the previous page: by its own name, the opposite of the next page's, and the same. */
function backParams(next: string, path: Path): readonly string[] {
  const name = path.at(-1) ?? '';
  const opposite = Object.entries(OPPOSITES).find(([one]) => next.toLowerCase() === one.toLowerCase())?.[1];
  const own = /^(before|prev|previous)/i.test(name) ? [name] : [];
  // A parameter that names its direction takes no token of the other one.
  return [...new Set([...(opposite === undefined ? [next] : [opposite]), ...own])].toReversed();
}

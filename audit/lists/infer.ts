/** Finds the profile of a list in its live responses. What a user says of it is taken as it is. */
import { Untestable } from '../conform/session.ts';
import { pathOf, pathText, valueAt } from './json.ts';
import type { Path } from './json.ts';
import { List, errorOf, isPage, itemsOf, plainId } from './list.ts';
import type { NoPage, Page } from './list.ts';
import { describeWay } from './profile.ts';
import type { Given, Profile, Size, Way } from './profile.ts';
import { firstTarget } from './session.ts';
import type { Answer, Session } from './session.ts';
import { linksOf, paramsOf, resolve, withParam } from './target.ts';

/** The maximum number of requests of an inference. */
export const MAX_REQUESTS = 40;

const SIZES = [
  ...[
    'limit',
    'per_page',
    'page_size',
    'size',
    'pageSize',
    'perPage',
    '_limit',
    '_per_page',
    'PageSize',
    'count',
    'first',
  ],
  ...[
    '_size',
    'n',
    'max_results',
    'maxResults',
    'page[size]',
    'page[limit]',
    '$top',
    'max',
    'pagination[pageSize]',
    '_count',
  ],
  ...['itemsPerPage', 'take', 'rows', 'results', 'top', 'items_per_page', 'pagination[limit]', 'num'],
];
const IDS = ['id', '_id', 'uuid', 'sid', 'gid', 'key', 'name'];
const ID_CURSORS = [
  'starting_after',
  'after',
  'after_id',
  'last',
  'last_id',
  'cursor',
  'since_id',
  'max_id',
  'before',
  'from_id',
  'marker',
];
const ID_BACK: Readonly<Record<string, string>> = {
  starting_after: 'ending_before',
  after: 'before',
  after_id: 'before_id',
  before: 'after',
};
const PAGES = [
  'page',
  '_page',
  'page[number]',
  'pageNumber',
  'page_number',
  'p',
  'currentPage',
  'pageIndex',
  'pagination[page]',
];
const OFFSETS = [
  'offset',
  'skip',
  '_start',
  'start',
  'startAt',
  'page[offset]',
  '$skip',
  'from',
  'pagination[start]',
  'first',
];
const FLAGS = /^(has_?more|has_?next(_?page)?|more|more_?items)$/i;
const NEXT_NAME = /next|cursor|token|marker|continu|after/i;
const MAX_DEPTH = 4;
// Small enough for a short list to have a second page, and more than one, so that a repeated last item shows.
const PROBE = 2;
const MIN_ITEMS = 3;

/** What an inference found, and what it tried. */
export interface Inferred {
  readonly profile: Profile;
  /** Each candidate that was tried and dropped, with the reason. */
  readonly dropped: readonly string[];
}

/**
 * @throws Untestable that names what was tried, and the option that helps.
 */
export async function infer(given: Given, session: Session): Promise<Inferred> {
  const dropped: string[] = [];
  const drop = (what: string, why: string): void => {
    dropped.push(`${what}: ${why}`);
  };
  const withGiven = Object.entries(given.params ?? {}).reduce(
    (it, [name, value]) => withParam(it, name, value),
    firstTarget(given.url),
  );
  const { answer: plain, url } = await firstAnswer({ ...given }, withGiven, session);
  const start = plain.target;
  session.own(given.size?.param ?? '');
  const arrays = arraysIn(plain.body);
  const named = given.items === undefined ? undefined : pathText(pathOf(given.items));
  const candidates = arrays.filter(({ path }) => named === undefined || pathText(path) === named);
  if (named !== undefined && candidates.length === 0)
    throw new Untestable(
      `${plain.request} returned ${arraysText(arrays)}, and none at \`${named}\`. Choose one with --items.`,
    );
  const size = given.size ?? (await findSize(start, plain, candidates, session, drop));
  if (size !== undefined) session.own(size.param);
  const probeTarget = size === undefined ? start : withParam(start, size.param, PROBE);
  const probed = size === undefined ? plain : await session.get(probeTarget);
  const items = given.items ?? pathText(itemsPath(candidates, probed, size));
  const path = pathOf(items);
  const first = itemsOf(probed.body, path) ?? [];
  const whole = itemsOf(plain.body, path) ?? [];
  if (whole.length + first.length === 0) throw tooShort(0);
  const id = given.id ?? idOf(whole, first, items);

  const base = { ...given, url, items, id, ...(size !== undefined && { size }) };
  const tried: Way[] = [];
  const next = given.next ?? (await findNext(base, plain, probed, session, (way) => tried.push(way), drop));
  const idsIn = (list: List): readonly string[] => [...list.idsIn(plain, whole), ...list.idsIn(probed, first)];
  const known = new Set(idsIn(new List({ ...base, next: { url: '' } }, session))).size;
  if (next === undefined) throw known < MIN_ITEMS ? tooShort(known) : noSecondPage(size, tried);
  if ('id' in next) session.own(next.id);
  if ('token' in next) session.own(next.token);
  const found = { ...base, next };
  const list = new List(found, session);
  const pages = await firstPages(list, size === undefined ? undefined : PROBE, 3);
  const read = new Set([...pages.flatMap((it) => it.ids), ...idsIn(list)]).size;
  if (read < MIN_ITEMS) throw tooShort(read);
  if (isOnePage(pages) && isOnePage(await firstPages(list, undefined, 2))) throw noSecondPage(size, [next]);
  const previous = given.previous ?? (pages.length < 2 ? undefined : await findPrevious(list, pages));
  const sized =
    size === undefined || given.size?.max !== undefined ? size : await withMaximum(list, size, whole.length);
  return {
    profile: { ...found, ...(sized !== undefined && { size: sized }), ...(previous !== undefined && { previous }) },
    dropped,
  };
}

const tooShort = (read: number): Untestable =>
  new Untestable(
    `The list has fewer than ${String(MIN_ITEMS)} items (${String(read)} ${read === 1 ? 'was' : 'were'} read): no second page to audit. Give a longer list.`,
  );

const noSecondPage = (size: Size | undefined, tried: readonly Way[]): Untestable =>
  new Untestable(
    `No second page was found${size === undefined ? ', and no parameter that sets the size of a page' : ''}. Tried: ${triedText(tried)}. Give a longer list, or say how with --next or --size.`,
  );

/** @returns ways in a few words: those of one kind together. */
function triedText(ways: readonly Way[]): string {
  if (ways.length === 0) return 'nothing in the response leads to one';
  const kinds = new Map<string, string[]>();
  for (const way of ways) {
    const [, kind = '', name = ''] = /^(.*?)(`.*)$/.exec(describeWay(way)) ?? [];
    const isParameter = 'id' in way || 'page' in way || 'offset' in way;
    kinds.set(kind, [...(kinds.get(kind) ?? []), isParameter ? (/`.*?`/.exec(name)?.[0] ?? name) : name]);
  }
  return [...kinds].map(([kind, names]) => `${kind}${[...new Set(names)].join(', ')}`).join('; ');
}

/** @returns the first response, and the URL of the list: where redirects lead. */
async function firstAnswer(
  given: Given,
  target: string,
  session: Session,
): Promise<{ readonly answer: Answer; readonly url: string }> {
  const answer = await session.get(target);
  const { request, status, failure, body, text, headers } = answer;
  const url = answer.target === target ? given.url : new URL(answer.target, session.origin).href;
  const location = status >= 300 && status < 400 ? headers.get('location') : undefined;
  if (location !== undefined && resolve(location, answer.target, session.origin)?.origin !== undefined)
    throw new Untestable(`${request} redirects to ${session.redact(location)}, at another origin. Audit that URL.`);
  if (failure !== undefined) throw new Untestable(`The server did not respond to ${request}: ${failure}.`);
  if (status === 401 || status === 403)
    throw new Untestable(
      `${request} returned ${String(status)}: give a key with --header 'Authorization: Bearer ...' or --auth user:password.`,
    );
  if (
    /graphql/i.test(new URL(url).pathname) &&
    status !== 404 &&
    (status >= 400 || valueAt(body, ['errors']) !== undefined)
  )
    throw new Untestable(`${request} is GraphQL, which cannot be audited: its pages are not URLs.`);
  if (status === 405)
    throw new Untestable(`${request} returned 405: a list that is read by another method than GET cannot be audited.`);
  const reason = errorOf(given, answer);
  if (reason !== undefined) throw new Untestable(`${request} returned ${reason}. Check the URL.`);
  if (body === undefined)
    throw new Untestable(
      `${request} returned no JSON: ${JSON.stringify(session.redact(text).slice(0, 40))}. Check the URL.`,
    );
  return { answer, url };
}

interface Found {
  readonly path: Path;
  readonly length: number;
}

/** @returns the arrays of a body that may be its items: those that are not inside of another array. */
function arraysIn(body: unknown, path: Path = []): readonly Found[] {
  if (Array.isArray(body)) return [{ path, length: body.length }];
  if (typeof body !== 'object' || body === null || path.length >= MAX_DEPTH) return [];
  return Object.entries(body).flatMap(([name, value]) => arraysIn(value, [...path, name]));
}

/** @returns names of parameters: first those that the URL has, then those that the body repeats, as `"perPage": 30`. */
function likelyFirst(names: readonly string[], target: string, body: unknown): readonly string[] {
  const asked = [...paramsOf(target).keys()].filter((it) => names.includes(it));
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');
  const repeated = new Set(
    scalarsIn(body).flatMap(({ path, value }) => (typeof value === 'number' ? [plain(path.at(-1) ?? '')] : [])),
  );
  return [...new Set([...asked, ...names.filter((it) => repeated.has(plain(it.replace(/^.*\[/, '')))), ...names])];
}

const MAX_SIZES = 24;

/** @returns the size parameter: a name that changes the length of an array. */
async function findSize(
  start: string,
  plain: Answer,
  candidates: readonly Found[],
  session: Session,
  drop: (what: string, why: string) => void,
): Promise<Size | undefined> {
  const longest = Math.max(0, ...candidates.map((it) => it.length));
  if (longest === 0) return undefined;
  const asked = [...paramsOf(start).keys()].filter((it) => SIZES.includes(it));
  const wanted = longest > PROBE ? PROBE : 1;
  for (const name of likelyFirst(SIZES, start, plain.body).slice(0, MAX_SIZES)) {
    const answer = await session.get(withParam(start, name, wanted));
    const lengths = arraysIn(answer.body);
    const fits = candidates.filter((it) =>
      lengths.some(
        ({ path, length }) =>
          pathText(path) === pathText(it.path) && length > 0 && length <= wanted + 1 && length < it.length,
      ),
    );
    if (answer.status >= 200 && answer.status < 300 && fits.length > 0) {
      const usual = asked.includes(name) ? undefined : longest;
      return { param: name, ...(usual !== undefined && usual > wanted && { default: usual }) };
    }
    drop(`size \`${name}\``, answer.status >= 400 ? String(answer.status) : 'it does not change the length');
  }
  return undefined;
}

/** @returns the array whose length follows the size, or the only one. */
function itemsPath(candidates: readonly Found[], probed: Answer, size: Size | undefined): Path {
  const now = arraysIn(probed.body);
  const followed = candidates.filter((it) =>
    now.some(({ path, length }) => pathText(path) === pathText(it.path) && length <= PROBE + 1 && length !== it.length),
  );
  const [only, another] =
    size === undefined || followed.length === 0
      ? candidates.filter((it) => it.length > 0 || candidates.length === 1)
      : followed;
  if (only === undefined)
    throw new Untestable(
      `${probed.request} returned no array with items. Name it with --items, or give a longer list.`,
    );
  if (another !== undefined)
    throw new Untestable(`${probed.request} returned ${arraysText(candidates)}. Choose one with --items.`);
  return only.path;
}

const arraysText = (arrays: readonly Found[]): string =>
  arrays.length === 0
    ? 'no array'
    : `${arrays.length === 1 ? 'an array' : 'several arrays'}: ${arrays.map((it) => `\`${pathText(it.path)}\``).join(', ')}`;

/** @returns the path of the id: the first name that every item has, as a text or a number, and few items share. */
function idOf(whole: readonly unknown[], probed: readonly unknown[], where: string): string {
  const items = [...whole, ...probed];
  const isId = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';
  // A faulty list may hold items twice.
  const areTold = (path: Path): boolean => {
    const values = (whole.length === 0 ? probed : whole).map((it) => valueAt(it, path));
    // Two numbers beyond 2^53 may look the same.
    const { size } = new Set(
      values.map((it, at) => (Number.isInteger(it) && !Number.isSafeInteger(it) ? `${String(it)} ${String(at)}` : it)),
    );
    return size * MAX_COPIES >= values.length && (size > 1 || values.length === 1);
  };
  const found = [[], ...IDS.map((it) => [it])].find(
    (path) => items.every((item) => isId(valueAt(item, path))) && areTold(path),
  );
  if (found !== undefined) return pathText(found);
  throw new Untestable(
    `The items of ${where === '' ? 'the body' : `\`${where}\``} have no id: none of ${IDS.join(', ')} is a text or a number of its own in every item. Name it with --id.`,
  );
}
const MAX_COPIES = 3;

async function firstPages(list: List, size: number | undefined, count: number): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for (let target: string | undefined = list.first(size); target !== undefined && pages.length < count;) {
    const page = await list.page(target);
    if (!isPage(page)) break;
    pages.push(page);
    target = page.next;
  }
  return pages;
}

/** Whether a list has one page. That its second one is an error, is a finding. */
const isOnePage = (pages: readonly Page[]): boolean =>
  pages.slice(1).every(({ ids }) => ids.length === 0) && (pages.length > 1 || pages[0]?.next === undefined);

type Base = Omit<Profile, 'next'>;

/** @returns the way to the next page: the first one whose second and third page have new items; `undefined` if there is none. */
async function findNext(
  base: Base,
  plain: Answer,
  probed: Answer,
  session: Session,
  tried: (way: Way) => void,
  drop: (what: string, why: string) => void,
): Promise<Way | undefined> {
  // A position that is rounded to the usual size leads on only with that size.
  for (const size of base.size === undefined ? [undefined] : [PROBE, undefined]) {
    const first = size === undefined ? plain : probed;
    for (const way of waysIn(base, first)) {
      // Some requests are left for the usual size.
      if (session.sent >= MAX_REQUESTS - (size === undefined ? 4 : 12)) break;
      if ('token' in way) session.own(way.token);
      if ('id' in way) session.own(way.id);
      const list = new List({ ...base, next: way }, session);
      const why = await whyNot(list, first);
      if (why === undefined) return 'page' in way ? { ...way, first: await firstNumber(list, way.page, first) } : way;
      if (first === probed) tried(way);
      drop(`next page by ${describeWay(way)}`, why);
    }
  }
  return undefined;
}

/** @returns why a way does not lead on; `undefined` if its second and third page have new items, or the list ends with its second one. */
async function whyNot(list: List, first: Answer): Promise<string | undefined> {
  const seen = new Set<string>();
  let target: string | undefined = first.target;
  for (let count = 1; count <= 3; count += 1) {
    if (target === undefined) return count === 2 ? 'the first page has no next one' : undefined;
    const page: Page | NoPage = count === 1 ? list.read(first) : await list.page(target);
    if (!isPage(page)) {
      const isNumber = 'page' in list.profile.next || 'offset' in list.profile.next;
      // A server that fails on a page that it leads to itself is a finding of the audit.
      return count === 3 && !isNumber ? undefined : `page ${String(count)} is ${page.reason}`;
    }
    if (page.ids.length === 0) return count === 3 ? undefined : 'the next page is empty';
    if (page.ids.every((it) => seen.has(it))) return count === 2 ? 'the next page has no new item' : undefined;
    for (const id of page.ids) seen.add(id);
    target = page.next;
  }
  return undefined;
}

/** @returns the number of the first page. */
async function firstNumber(list: List, param: string, first: Answer): Promise<number> {
  const asked = paramsOf(first.target).get(param);
  if (asked !== undefined) return Number(asked);
  const ids = (page: Page | NoPage): string => (isPage(page) ? page.ids.join() : '');
  const zero = await list.page(withParam(first.target, param, 0));
  const one = await list.page(withParam(first.target, param, 1));
  return ids(one) !== ids(list.read(first)) && ids(zero) === ids(list.read(first)) ? 0 : 1;
}

const isUrl = (value: unknown): value is string => typeof value === 'string' && /^(https?:\/\/|\/|\?)/i.test(value);
const isToken = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '' && value.length < 4096) || typeof value === 'number';

/** @returns the ways that a response suggests, in the order in which they are tried. */
function* waysIn(base: Base, { headers, body }: Answer): Generator<Way> {
  const link = linksOf(headers.get('link')).get('next');
  if (link !== undefined)
    yield { link: 'next', ...(/results="true"/i.test(link.attributes) && { until: 'results="false"' }) };
  for (const [name, value] of headers)
    if (name !== 'link' && /next/i.test(name) && isUrl(value)) yield { header: name };
  const values = scalarsIn(body);
  const named = values.filter(
    ({ path }) => path.some((it) => NEXT_NAME.test(it)) && !path.some((it) => /prev|before|self|first|last/i.test(it)),
  );
  const ranked = [...named].sort(
    (a, b) => Number(/next/i.test(b.path.join('.'))) - Number(/next/i.test(a.path.join('.'))),
  );
  for (const { path, value } of ranked) if (isUrl(value)) yield { url: pathText(path) };
  for (const { path, value } of ranked) {
    if (!isToken(value) || isUrl(value)) continue;
    for (const token of parametersOf(path, typeof value === 'number')) yield { token, from: pathText(path) };
  }
  const flag = values.find(({ path, value }) => typeof value === 'boolean' && FLAGS.test(path.at(-1) ?? ''));
  const first = (names: readonly string[]): readonly string[] => likelyFirst(names, firstTarget(base.url), body);
  const more = flag?.value === true ? { more: pathText(flag.path) } : {};
  const idWays = first(ID_CURSORS).map((id): Way => ({ id, ...more }));
  const pageWays = first(PAGES).flatMap((page): readonly Way[] => [{ page, first: 1 }]);
  const offsetWays = first(OFFSETS).map((offset): Way => ({ offset }));
  // A list that states the number of its items or pages usually counts them.
  const counts = values.some(
    ({ path, value }) => typeof value === 'number' && /total|count|pages|page$/i.test(path.at(-1) ?? ''),
  );
  yield* flag !== undefined && !counts
    ? [...idWays, ...pageWays, ...offsetWays]
    : [...pageWays.slice(0, 3), ...offsetWays.slice(0, 3), ...idWays, ...pageWays.slice(3), ...offsetWays.slice(3)];
}

/** @returns the parameters that may take a token, by the name that it has in the body. */
function parametersOf(path: Path, isNumber: boolean): readonly string[] {
  const name = path.at(-1) ?? '';
  const parent = path.at(-2) ?? '';
  const bare = name.replace(/^(_?next_?|end_?)/i, '');
  const lower = bare === '' ? '' : bare.charAt(0).toLowerCase() + bare.slice(1);
  const known =
    isNumber || /page/i.test(`${parent}${name}`) ? ['page', '_page', 'cursor', 'page_token', 'pageToken'] : [];
  const all = [lower, name, ...known, 'cursor', 'after', 'next', `_${name}`, 'page_token', 'token', 'offset', 'start'];
  return [...new Set(all)].filter((it) => it !== '' && !/^(has|is)_/.test(it));
}

interface Scalar {
  readonly path: Path;
  readonly value: unknown;
}

/** @returns the plain values of a body outside of its arrays. */
function scalarsIn(value: unknown, path: Path = []): readonly Scalar[] {
  if (Array.isArray(value)) return [];
  if (typeof value !== 'object' || value === null) return path.length === 0 ? [] : [{ path, value }];
  if (path.length >= MAX_DEPTH) return [];
  return Object.entries(value).flatMap(([name, it]) => scalarsIn(it, [...path, name]));
}

/** @returns the way back, if the second page has one that leads to the first. */
async function findPrevious(list: List, pages: readonly Page[]): Promise<Way | undefined> {
  const { next, size } = list.profile;
  // With three pages, a parameter that is ignored shows: it leads to the first page, not to the second.
  const [first, second] = pages.slice(-2);
  if (first === undefined || second === undefined) return undefined;
  const answer = await list.session.get(second.target);
  const ways: Way[] = [];
  if ('id' in next) {
    const name = ID_BACK[next.id];
    if (name !== undefined) ways.push({ id: name });
  } else if ('link' in next) ways.push({ link: 'prev' }, { link: 'previous' });
  else {
    const back = scalarsIn(answer.body).filter(({ path }) => path.some((it) => /prev|before/i.test(it)));
    for (const { path, value } of back) {
      if (isUrl(value)) ways.push({ url: pathText(path) });
      else if (isToken(value) && 'token' in next) ways.push({ token: next.token, from: pathText(path) });
    }
  }
  for (const way of ways) {
    const start =
      'id' in way
        ? withParam(list.first(size === undefined ? undefined : PROBE), way.id, plainId(second.ids[0] ?? ''))
        : list.nextOf(way, answer, list.itemsIn(answer));
    if (start === undefined) continue;
    const page = await list.page(start);
    // What the server itself gives as the way back is one, wherever it leads. An error of the server is a finding of the audit, too.
    const isGiven = !('id' in way);
    if (
      isPage(page)
        ? isGiven || (page.ids.some((it) => first.ids.includes(it)) && pages.length > 2)
        : isGiven || page.answer.status >= 500
    )
      return way;
  }
  return undefined;
}

const MANY = 1000;

async function pageOrNone(list: List, target: string): Promise<Page | undefined> {
  const page = await list.page(target);
  return isPage(page) ? page : undefined;
}

/** @returns the size with its maximum, if a much larger one is cut to it. */
async function withMaximum(list: List, size: Size, usual: number): Promise<Size> {
  const page = await list.page(list.first(MANY));
  if (isPage(page)) {
    const { length } = page.ids;
    if (length >= MANY || length < usual) return size;
    // More than fits is cut, and perhaps lost: a page of just this size shows whether more follow.
    const leadsOn = async (next: string | undefined): Promise<boolean> =>
      next !== undefined && ((await pageOrNone(list, next))?.ids.some((it) => !page.ids.includes(it)) ?? false);
    const isCut = (await leadsOn(page.next)) || (await leadsOn((await pageOrNone(list, list.first(length)))?.next));
    return isCut ? { ...size, max: length } : size;
  }
  for (const max of [100, 50]) {
    if (max > usual && isPage(await list.page(list.first(max)))) return { ...size, max };
  }
  return { ...size, max: Math.max(usual, PROBE) };
}

/** Finds the profile of a list in its live responses. What a user says of it is taken as it is. */
import { groupBy } from '../rules/group.ts';
import { Untestable } from '../session/session.ts';
import { pathOf, pathText, valueAt, valuesIn } from './json.ts';
import type { Path } from './json.ts';
import { List, errorOf, isPage, itemsOf } from './list.ts';
import type { Page, Sighting } from './list.ts';
import { namesIn, withoutKeys, wordsOf } from './profile.ts';
import type { Given, Profile, Size, Way } from './profile.ts';
import { firstTarget } from './session.ts';
import type { Answer, Session } from './session.ts';
import { isSecretName, paramsOf, resolve, withParam, withParams } from './target.ts';
import { walk } from './walk.ts';
import { MAX_DEPTH, PROBE, findNext, findPrevious, isUsable, likelyFirst } from './ways.ts';
import { LONG, code, inOneLine, joined, own, quote, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';

export const SIZES = [
  ...'limit per_page page_size size pageSize perPage _limit _per_page PageSize count first _size n'.split(' '),
  ...'max_results maxResults page[size] page[limit] $top max pagination[pageSize] _count itemsPerPage'.split(' '),
  ...'take rows results top items_per_page pagination[limit] num $limit'.split(' '),
];
/** Properties that are ids in some lists, and not in others. */
export const GUESSES = ['key', 'name'];
const IDS = ['id', '_id', 'uuid', 'uid', 'sid', 'gid', ...GUESSES];
const MIN_ITEMS = 3;

/** What an inference found, and what it tried. */
export interface Inferred {
  readonly profile: Profile;
  /** The profile that may be saved: at the URL that the user gave, or where that redirects to, unless the server names a key there, quotes one, or names a variable. */
  readonly saved: Profile;
  /** Each candidate that was tried and dropped, with the reason. */
  readonly dropped: readonly Text[];
  /** The items that first requests have shown. */
  readonly sightings: readonly Sighting[];
  /** The ways that responses state, and that lead to an error. */
  readonly stated: readonly Way[];
}

/**
 * @throws Untestable that names what was tried, and the option that helps.
 */
export async function infer(given: Given, session: Session): Promise<Inferred> {
  const dropped: Text[] = [];
  const drop = (what: Text, why: Text): void => {
    dropped.push(say`${what}: ${why}`);
  };
  const {
    answer: plain,
    url,
    saved,
  } = await firstAnswer(given, withParams(firstTarget(given.url), given.params), session);
  const start = plain.target;
  session.own(given.size?.param ?? '');
  const arrays = arraysIn(plain.body);
  const named = given.items === undefined ? undefined : pathText(pathOf(given.items));
  const candidates = arrays.filter(({ path }) =>
    named === undefined ? isUsable(session, path) : pathText(path) === named,
  );
  if (named !== undefined && candidates.length === 0)
    throw new Untestable(
      say`${plain.request} returned ${arraysText(arrays)}, and none at ${code(named)}. Choose one with --items.`,
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
  const { way: next, stated } =
    given.next === undefined
      ? await findNext(base, plain, probed, session, (way) => tried.push(way), drop)
      : { way: given.next, stated: [] };
  const idsIn = (list: List): readonly string[] => [...list.idsIn(plain, whole), ...list.idsIn(probed, first)];
  const known = new Set(idsIn(new List({ ...base, next: { url: '' } }, session))).size;
  if (next === undefined) throw known < MIN_ITEMS ? tooShort(known) : noSecondPage(size, tried);
  const found = { ...base, next };
  const list = new List(found, session);
  const firstPages = async (asked: number | undefined, count: number): Promise<readonly Page[]> =>
    (await walk(list, asked, list.first(asked), Infinity, count)).pages;
  const pages = await firstPages(size && PROBE, 3);
  const read = new Set([...pages.flatMap((it) => it.ids), ...idsIn(list)]).size;
  if (read < MIN_ITEMS) throw tooShort(read);
  if (isOnePage(pages) && isOnePage(await firstPages(undefined, 2))) throw noSecondPage(size, [next]);
  const previous = given.previous ?? (pages.length < 2 ? undefined : await findPrevious(list, pages));
  const sightings: Sighting[] = [
    { target: plain.target, ids: list.idsIn(plain, whole) },
    { target: probed.target, ids: list.idsIn(probed, first) },
  ];
  const sized =
    size === undefined || given.size?.max !== undefined
      ? size
      : await withMaximum(list, size, whole.length, (sighting) => sightings.push(sighting));
  const { size: _, ...unsized } = found;
  const profile = {
    ...unsized,
    ...(sized !== undefined && { size: sized }),
    ...(previous !== undefined && { previous }),
  };
  return { profile, saved: { ...profile, url: saved }, dropped, sightings, stated };
}

/** The list shows one page, or has too few items for a second. */
export class OnePage extends Untestable {}

const tooShort = (read: number): OnePage =>
  new OnePage(
    say`The list has fewer than ${MIN_ITEMS} items (${read} ${read === 1 ? 'was' : 'were'} read): no second page to audit. Give a longer list.`,
  );

const noSecondPage = (size: Size | undefined, tried: readonly Way[]): OnePage =>
  new OnePage(
    say`No second page was found${size === undefined ? ', and no parameter that sets the size of a page' : ''}. Tried: ${triedText(tried)}. Give a longer list, or say how with --next or --size.`,
  );

/** @returns ways in a few words: those of one kind together. */
function triedText(ways: readonly Way[]): Text {
  if (ways.length === 0) return say`nothing in the response leads to one`;
  const words = ways.map((way) => {
    const [kind, name, rest] = wordsOf(way);
    return { kind, name: 'id' in way || 'page' in way || 'offset' in way ? name : say`${name}${rest}` };
  });
  const kinds = [...groupBy(words, ({ kind }) => kind.raw).values()].map((all) => {
    const names = new Map(all.map(({ name }) => [name.raw, name]));
    return say`${all[0].kind}${joined([...names.values()])}`;
  });
  return joined(kinds, '; ');
}

/** @returns the first response, and the URL of the list: where redirects lead. */
async function firstAnswer(
  given: Given,
  target: string,
  session: Session,
): Promise<{ readonly answer: Answer; readonly url: string; readonly saved: string }> {
  const answer = await session.get(target);
  const { request, status, failure, body, text, headers } = answer;
  const url = answer.target === target ? given.url : atTarget(given.url, answer.target);
  const location = status >= 300 && status < 400 ? headers.get('location') : undefined;
  if (location !== undefined && resolve(location, answer.target, session.origin)?.origin !== undefined)
    throw new Untestable(say`${request} redirects to ${quote(location, LONG)}, at another origin. Audit that URL.`);
  if (failure !== undefined) throw new Untestable(say`No usable response to ${request}: ${failure}.`);
  if (status === 401 || status === 403)
    throw new Untestable(
      session.hasKey
        ? say`${request} returned ${status}: the key was rejected.`
        : say`${request} returned ${status}: give a key with --header 'Authorization: Bearer ...' or --auth user:password.`,
    );
  if (
    /graphql/i.test(new URL(url).pathname) &&
    status !== 404 &&
    (status >= 400 || valueAt(body, ['errors']) !== undefined)
  )
    throw new Untestable(say`${request} is GraphQL, which cannot be audited: its pages are not URLs.`);
  if (status === 405)
    throw new Untestable(
      say`${request} returned 405: a list that is read by another method than GET cannot be audited.`,
    );
  const reason = errorOf(given, answer);
  const said = body === undefined || status < 300 ? '' : say`: ${quote(text, undefined, inOneLine)}`;
  if (reason !== undefined) throw new Untestable(say`${request} returned ${reason}${said}. Check the URL.`);
  if (body === undefined)
    throw new Untestable(
      say`${request} returned no JSON: ${quote(text, undefined, (it) => JSON.stringify(it.slice(0, 40)))}. Check the URL.`,
    );
  const own = new Map([...paramsOf(given.url), ...Object.entries(given.params ?? {})]);
  const namesKey = [...paramsOf(url)].some(([name, value]) => isSecretName(name) && own.get(name) !== value);
  const quotesKey = session.hides(withoutKeys(url));
  // Whoever reads the profile would send the variable.
  const namesVariable = namesIn(url).some((it) => !namesIn(given.url).includes(it));
  return { answer, url, saved: namesKey || quotesKey || namesVariable ? given.url : url };
}

/** @returns a URL with another path and query, which are never read as a URL of their own: `//evil.example/list` is a path. */
function atTarget(url: string, target: string): string {
  const { protocol, username, password, host } = new URL(url);
  const user = username + password === '' ? '' : `${username}:${password}@`;
  return `${protocol}//${user}${host}${target}`;
}

interface Items {
  readonly path: Path;
  readonly length: number;
}

/** @returns the arrays of a body that may be its items: those that are not inside of another array. */
function arraysIn(body: unknown): readonly Items[] {
  const found: Items[] = [];
  for (const { path, value } of valuesIn(body, MAX_DEPTH))
    if (Array.isArray(value)) found.push({ path, length: value.length });
  return found;
}

/** @returns how long the arrays of a body are, by the text of their paths: a body may have many. */
const lengthsIn = (body: unknown): ReadonlyMap<string, number> =>
  new Map(arraysIn(body).map(({ path, length }) => [pathText(path), length]));

const MAX_SIZES = 24;

/** @returns the size parameter: a name that changes the length of an array. */
async function findSize(
  start: string,
  plain: Answer,
  candidates: readonly Items[],
  session: Session,
  drop: (what: Text, why: Text) => void,
): Promise<Size | undefined> {
  const longest = candidates.reduce((most, it) => Math.max(most, it.length), 0);
  if (longest === 0) return undefined;
  const wanted = longest > PROBE ? PROBE : 1;
  for (const name of likelyFirst(SIZES, start, plain.body).slice(0, MAX_SIZES)) {
    const answer = await session.get(withParam(start, name, wanted));
    const lengths = lengthsIn(answer.body);
    const fits = candidates.filter((it) => {
      const length = lengths.get(pathText(it.path)) ?? 0;
      return length > 0 && length <= wanted + 1 && length < it.length;
    });
    if (answer.status >= 200 && answer.status < 300 && fits.length > 0) return { param: name };
    drop(say`size ${code(name)}`, answer.status >= 400 ? say`${answer.status}` : say`it does not change the length`);
  }
  return undefined;
}

/** @returns the array whose length follows the size, or the only one. */
function itemsPath(candidates: readonly Items[], probed: Answer, size: Size | undefined): Path {
  const now = lengthsIn(probed.body);
  const followed = candidates.filter((it) => {
    const length = now.get(pathText(it.path)) ?? it.length;
    return length <= PROBE + 1 && length !== it.length;
  });
  const [only, another] =
    size === undefined || followed.length === 0
      ? candidates.filter((it) => it.length > 0 || candidates.length === 1)
      : followed;
  if (only === undefined)
    throw new Untestable(
      say`${probed.request} returned no array with items. Name it with --items, or give a longer list.`,
    );
  if (another !== undefined)
    throw new Untestable(say`${probed.request} returned ${arraysText(candidates)}. Choose one with --items.`);
  return only.path;
}

const MAX_NAMED = 20;

function arraysText(arrays: readonly Items[]): Text {
  if (arrays.length === 0) return say`no array`;
  const named = joined(arrays.slice(0, MAX_NAMED).map((it) => code(pathText(it.path))));
  const more = arrays.length - MAX_NAMED;
  return say`${arrays.length === 1 ? 'an array' : 'several arrays'}: ${named}${more > 0 ? say` and ${more} more` : ''}`;
}

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
  const candidates = [[], ...IDS.map((it) => [it]), ['node', 'id']].filter(
    (path) => items.every((item) => isId(valueAt(item, path))) && areTold(path),
  );
  // Items of a join may share the first one.
  const isUnique = (path: Path): boolean => new Set(whole.map((item) => valueAt(item, path))).size === whole.length;
  const found = candidates.find((path) => isUnique(path) && !GUESSES.includes(path.at(-1) ?? '')) ?? candidates[0];
  if (found !== undefined) return pathText(found);
  throw new Untestable(
    say`The items of ${where === '' ? 'the body' : code(where)} have no id: none of ${own(IDS.join(', '))} is a text or a number of its own in every item. Name it with --id.`,
  );
}
const MAX_COPIES = 3;

/** Whether a list has one page. That its second one is an error, is a finding. */
const isOnePage = (pages: readonly Page[]): boolean =>
  pages.slice(1).every(({ ids }) => ids.length === 0) && (pages.length > 1 || pages[0]?.next === undefined);

const MANY = 1000;

/** @returns the size with its maximum, if a much larger one is cut to it; `undefined` if it is none, but bounds the whole result, as `$top` does. */
async function withMaximum(
  list: List,
  size: Size,
  usual: number,
  seen: (sighting: Sighting) => void,
): Promise<Size | undefined> {
  const page = await list.page(list.first(MANY));
  if (isPage(page)) {
    const { length } = page.ids;
    // Then the next link says how many items of the result are left. It may also say the maximum.
    const stated = Number(paramsOf(page.next ?? '').get(size.param) ?? NaN);
    if (stated === MANY - length && stated !== length) return undefined;
    seen(page);
    if (length >= MANY || length < usual) return size;
    // More than fits is cut, and perhaps lost: a page of just this size shows whether more follow.
    const ids = new Set(page.ids);
    const leadsOn = async (target: string, pages: number): Promise<boolean> =>
      (await walk(list, undefined, target, Infinity, pages)).ids.some((it) => !ids.has(it));
    const isCut = (page.next !== undefined && (await leadsOn(page.next, 1))) || (await leadsOn(list.first(length), 2));
    return isCut ? { ...size, max: length } : size;
  }
  for (const max of [100, 50]) {
    if (max > usual && isPage(await list.page(list.first(max)))) return { ...size, max };
  }
  return { ...size, max: Math.max(usual, PROBE) };
}

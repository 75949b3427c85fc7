/** Finds the profile of a list in its live responses. What a user says of it is taken as it is. */
import { Untestable } from '../session/session.ts';
import { cut } from './finding.ts';
import { pathOf, pathText, valueAt } from './json.ts';
import type { Path } from './json.ts';
import { List, errorOf, isPage, itemsOf } from './list.ts';
import type { Page } from './list.ts';
import { describeWay } from './profile.ts';
import type { Given, Profile, Size, Way } from './profile.ts';
import { firstTarget } from './session.ts';
import type { Answer, Session } from './session.ts';
import { resolve, withParam, withParams } from './target.ts';
import { walk } from './walk.ts';
import { MAX_DEPTH, PROBE, findNext, findPrevious, likelyFirst } from './ways.ts';

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
  const { answer: plain, url } = await firstAnswer(given, withParams(firstTarget(given.url), given.params), session);
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
  const found = { ...base, next };
  const list = new List(found, session);
  const firstPages = async (asked: number | undefined, count: number): Promise<readonly Page[]> =>
    (await walk(list, asked, list.first(asked), Infinity, count)).pages;
  const pages = await firstPages(size && PROBE, 3);
  const read = new Set([...pages.flatMap((it) => it.ids), ...idsIn(list)]).size;
  if (read < MIN_ITEMS) throw tooShort(read);
  if (isOnePage(pages) && isOnePage(await firstPages(undefined, 2))) throw noSecondPage(size, [next]);
  const previous = given.previous ?? (pages.length < 2 ? undefined : await findPrevious(list, pages));
  const sized =
    size === undefined || given.size?.max !== undefined ? size : await withMaximum(list, size, whole.length);
  return {
    profile: { ...found, ...(sized !== undefined && { size: sized }), ...(previous !== undefined && { previous }) },
    dropped,
  };
}

/** The list shows one page, or has too few items for a second. */
export class OnePage extends Untestable {}

const tooShort = (read: number): OnePage =>
  new OnePage(
    `The list has fewer than ${String(MIN_ITEMS)} items (${String(read)} ${read === 1 ? 'was' : 'were'} read): no second page to audit. Give a longer list.`,
  );

const noSecondPage = (size: Size | undefined, tried: readonly Way[]): OnePage =>
  new OnePage(
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
      session.hasKey
        ? `${request} returned ${String(status)}: the key was rejected.`
        : `${request} returned ${String(status)}: give a key with --header 'Authorization: Bearer ...' or --auth user:password.`,
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
  const said =
    body === undefined || status < 300 ? '' : `: ${cut(session.redact(text.replaceAll(/\s+/g, ' ').trim()))}`;
  if (reason !== undefined) throw new Untestable(`${request} returned ${reason}${said}. Check the URL.`);
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
    if (answer.status >= 200 && answer.status < 300 && fits.length > 0) return { param: name };
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

/** Whether a list has one page. That its second one is an error, is a finding. */
const isOnePage = (pages: readonly Page[]): boolean =>
  pages.slice(1).every(({ ids }) => ids.length === 0) && (pages.length > 1 || pages[0]?.next === undefined);

const MANY = 1000;

/** @returns the size with its maximum, if a much larger one is cut to it. */
async function withMaximum(list: List, size: Size, usual: number): Promise<Size> {
  const page = await list.page(list.first(MANY));
  if (isPage(page)) {
    const { length } = page.ids;
    if (length >= MANY || length < usual) return size;
    // More than fits is cut, and perhaps lost: a page of just this size shows whether more follow.
    const leadsOn = async (target: string, pages: number): Promise<boolean> =>
      (await walk(list, undefined, target, Infinity, pages)).ids.some((it) => !page.ids.includes(it));
    const isCut = (page.next !== undefined && (await leadsOn(page.next, 1))) || (await leadsOn(list.first(length), 2));
    return isCut ? { ...size, max: length } : size;
  }
  for (const max of [100, 50]) {
    if (max > usual && isPage(await list.page(list.first(max)))) return { ...size, max };
  }
  return { ...size, max: Math.max(usual, PROBE) };
}

/** Finds the profile of a list in its live responses. What a user says of it is taken as it is. */
import { counted } from '../../../contract/wording.ts';
import { groupBy } from '../../rules/group.ts';
import { LONG, code, joined, own, quote, say } from '../../rules/text.ts';
import type { Text } from '../../rules/text.ts';
import { Untestable } from '../../session/session.ts';
import { withMembers } from '../body.ts';
import { pathOf, pathText, valueAt } from '../json.ts';
import { List, isPage, itemsOf } from '../list.ts';
import type { Page, Sighting } from '../list.ts';
import { describeWay, wordsOf } from '../profile.ts';
import { withoutKeys } from '../saved-profile.ts';
import type { Given, Profile, Size, Way } from '../profile.ts';
import { startOf } from '../parameters.ts';
import type { Answer, Session } from '../session.ts';
import { paramsOf, queryOf, resolve, withParam } from '../target.ts';
import { isUsable } from './evidence.ts';
import { laterWays, numberedFirst } from './later.ts';
import { boundsAll, withMaximum, withoutSize } from './bounds.ts';
import { firstAnswer } from './first.ts';
import { idsOf } from './ids.ts';
import { MAX_EMPTY, MAX_REQUESTS, Search, statedWays, withBase } from './next.ts';
import { findPrevious } from './previous.ts';
import { arraysIn, findSize, followers, probeOf } from './sizes.ts';
import type { FoundSize, Items } from './sizes.ts';
import { findTogether } from './together.ts';

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
  /** The next page that the second page of a list of numbers states. */
  readonly later: Way | undefined;
  /** The properties that may be the id, the surest first; that of the profile is one of them. */
  readonly ids: readonly string[];
}

/**
 * @param page2 the URLs of the second and further pages, if the user has given some: they name the parameters.
 * @throws Untestable that names what was tried, and the option that helps.
 */
export async function infer(given: Given, session: Session, page2: readonly string[] = []): Promise<Inferred> {
  const dropped: Text[] = [];
  const drop = (what: Text, why: Text): void => {
    dropped.push(say`${what}: ${why}`);
  };
  const { answer: plain, url, saved } = await firstAnswer(given, startOf(given), session);
  session.own(given.size?.param ?? '');
  const known = namesOf(plain.target, page2, session);
  const sample = await firstWithItems(given, plain, known, session);
  const start = sample.target;
  const candidates = arraysFor(given, sample, session);
  const sized: FoundSize =
    given.size === undefined
      ? await findSize(sample, candidates, known, session, drop)
      : { size: given.size, failing: [] };
  const { size, failing } = sized;
  if (size !== undefined) session.own(size.param);
  const probed = size === undefined ? sample : await session.get(withParam(start, size.param, probeOf(size)));
  const changed = sized.changed ?? (size && { answer: probed, asked: probeOf(size) });
  const items = given.items ?? pathText(itemsPath(candidates, probed, changed));
  const path = pathOf(items);
  const first = itemsOf(probed.body, path) ?? [];
  const whole = itemsOf(sample.body, path) ?? [];
  if (whole.length + first.length === 0) throw tooShort(0);
  const ids =
    given.id === undefined ? idsOf(whole, first, items).filter((it) => isUsable(session, pathOf(it))) : [given.id];
  const [id] = ids;
  if (id === undefined) throw noId(items, whole);

  const base = { ...given, url, items, id, ...(size !== undefined && { size }) };
  const tried: Way[] = [];
  const search = new Search({ base, plain: sample, probed, known, session, tried: (it) => tried.push(it), drop });
  const isGiven = given.next !== undefined;
  const stated = isGiven ? { way: withBase(given.next, sample), isUnsized: false, stated: [] } : await search.stated();
  const pair =
    stated === undefined && size === undefined
      ? await findTogether(start, candidates, failing, session, MAX_REQUESTS)
      : undefined;
  const way = stated ?? (pair === undefined ? await search.numbers() : undefined);
  const next = way?.way ?? pair?.way ?? (isGiven ? undefined : (await search.broken())?.way);
  const idsIn = (list: List): readonly string[] => [...list.idsIn(sample, whole), ...list.idsIn(probed, first)];
  const shown = new Set(idsIn(new List({ ...base, next: { url: '' } }, session))).size;
  // A page may be as short as the request says.
  const isAsked = [...paramsOf(start).values()].includes(String(shown));
  if (next === undefined)
    throw shown < MIN_ITEMS && !isAsked ? tooShort(shown) : noSecondPage(given, size, tried, items, shown);
  const isBound =
    way?.isUnsized === true &&
    given.size === undefined &&
    (await boundsAll(new List({ ...base, next: way.way }, session)));
  const begun = isGiven ? await firstFor({ ...base, next }, probed, known, search, session) : undefined;
  const found: Profile = {
    ...(isBound ? withoutSize(base, drop) : base),
    ...(begun !== undefined && withFirstParams(given, begun)),
    ...(pair !== undefined && { size: { param: pair.size }, ...withFirstParams(given, pair.params) }),
    next,
  };
  const list = new List(found, session);
  const probe = found.size === undefined ? undefined : probeOf(found.size);
  const filled = await filledPages(list, probe, 3);
  const { pages } = filled;
  const read = new Set([...pages.flatMap((it) => it.ids), ...idsIn(list)]).size;
  if (read < MIN_ITEMS) throw tooShort(read);
  if (isOnePage(filled) && isOnePage(await filledPages(list, undefined, 2)))
    throw (await isOnPage2(list, page2)) ? startsNowhere(next) : noSecondPage(given, size, [next], items, read);
  const later = await laterWays(list, pages);
  const previous =
    given.previous ?? (pages.length < 2 ? undefined : ((await findPrevious(list, pages)) ?? later.previous));
  const sightings: Sighting[] = [
    { target: sample.target, ids: list.idsIn(sample, whole) },
    { target: probed.target, ids: list.idsIn(probed, first) },
  ];
  const withMost =
    found.size === undefined || given.size?.max !== undefined
      ? found.size
      : await withMaximum(list, found.size, whole.length, (sighting) => sightings.push(sighting));
  const profile = {
    ...found,
    ...(withMost !== undefined && { size: withMost }),
    ...(previous !== undefined && { previous }),
  };
  return {
    profile,
    saved: { ...profile, url: saved },
    dropped,
    sightings,
    stated: way?.stated ?? [],
    later: later.next,
    ids,
  };
}

/** @returns what the first request must have, too, if a user's way does not lead on from the first page; `undefined` if nothing is known that helps. */
async function firstFor(
  profile: Profile,
  probed: Answer,
  known: readonly string[],
  search: Search,
  session: Session,
): Promise<Readonly<Record<string, string>> | undefined> {
  const page = new List(profile, session).read(probed);
  if (!isPage(page) || page.next !== undefined || 'id' in profile.next) return undefined;
  const way = known.length > 0 ? undefined : (await search.numbers())?.way;
  const param = way === undefined ? undefined : 'page' in way ? way.page : 'offset' in way ? way.offset : undefined;
  return numberedFirst(profile, probed, param === undefined ? known : [param], session);
}

/** Whether the way leads on from the second page that the user gave. */
async function isOnPage2(list: List, page2: readonly string[]): Promise<boolean> {
  const [url] = page2;
  const target = url === undefined ? undefined : resolve(url, list.first(), list.session.origin)?.target;
  const page = target === undefined ? undefined : await list.probe(target);
  return page !== undefined && isPage(page) && page.next !== undefined;
}

const startsNowhere = (next: Way): OnePage =>
  new OnePage(
    say`Page 2 has a next page by ${describeWay(next)}, and page 1 has none: give the URL of a first page that states it, such as one with its number.`,
  );

/** @returns what the first request must have, too: in its body, if it is a POST. */
const withFirstParams = (
  { method, params, body = {} }: Given,
  first: Readonly<Record<string, string>>,
): Pick<Given, 'params' | 'body'> =>
  method === 'POST'
    ? {
        body: withMembers(
          body,
          Object.entries(first).map(([name, value]) => [name, typeof body === 'string' ? value : Number(value)]),
        ),
      }
    : { params: { ...params, ...first } };

/** @returns the parameters that differ between the first page and others whose URLs a user gave. @throws Untestable if one is of another list. */
function namesOf(first: string, page2: readonly string[], { origin }: Session): readonly string[] {
  const asked = paramsOf(first);
  return page2.flatMap((url) => {
    const target = resolve(url, first, origin);
    if (target === undefined || target.origin !== undefined)
      throw new Untestable(say`--page2 must be a URL of the same list, at ${own(origin)}.`);
    return [...paramsOf(target.target)].flatMap(([name, value]) => (asked.get(name) === value ? [] : [name]));
  });
}

const MAX_EMPTY_WAYS = 3;

/** @returns the first page that has items: a filter behind the limit may leave the first ones empty. */
async function firstWithItems(
  given: Given,
  plain: Answer,
  known: readonly string[],
  session: Session,
): Promise<Answer> {
  const arrays = arraysIn(plain.body);
  if (arrays.length === 0 || arrays.some(({ length }) => length > 0)) return plain;
  const ways = given.next === undefined ? statedWays(plain, known, session) : [given.next];
  for (const next of ways.slice(0, MAX_EMPTY_WAYS)) {
    const list = new List({ ...given, items: '', id: '', next }, session);
    const asked = new Set([plain.target]);
    let answer = plain;
    for (let count = 0; count < MAX_EMPTY; count += 1) {
      const target = list.nextOf(next, answer, []);
      if (target === undefined || asked.has(target)) break;
      asked.add(target);
      answer = await session.get(target);
      if (answer.status !== 200) break;
      if (arraysIn(answer.body).some(({ length }) => length > 0)) return answer;
    }
  }
  return plain;
}

/** @returns pages that have items, from the first one on. */
async function filledPages(list: List, size: number | undefined, count: number): Promise<Filled> {
  const pages: Page[] = [];
  const asked = new Set<string>();
  let target: string | undefined = list.first(size);
  let empty = 0;
  while (target !== undefined && pages.length < count && empty < MAX_EMPTY && !asked.has(target)) {
    asked.add(target);
    const page: Awaited<ReturnType<List['page']>> = await list.probe(target);
    if (!isPage(page)) return { pages, isBroken: true };
    if (page.ids.length === 0) empty += 1;
    else pages.push(page);
    target = page.next;
  }
  return { pages, isBroken: false };
}

/** The pages that have items, and whether an error stands behind them. */
interface Filled {
  readonly pages: readonly Page[];
  readonly isBroken: boolean;
}

/** @returns the arrays that may be the items. @throws Untestable if the one that the user names is not there. */
function arraysFor(given: Given, { body, request }: Answer, session: Session): readonly Items[] {
  const arrays = arraysIn(body);
  if (given.items === undefined) return arrays.filter(({ path }) => isUsable(session, path));
  const path = pathOf(given.items);
  const items = itemsOf(body, path);
  if (items !== undefined) return [{ path, length: items.length }];
  throw new Untestable(
    say`${request} returned ${arraysText(arrays)}, and none at ${code(pathText(path))}. Choose one with --items.`,
  );
}

/** @returns the array whose length follows the size, or the only one. */
function itemsPath(candidates: readonly Items[], probed: Answer, changed: FoundSize['changed']): Items['path'] {
  const all = followers(candidates, changed?.answer ?? probed, changed?.asked);
  const objects = all.filter(({ path }) => holdsObjects(valueAt(probed.body, path)));
  const [only, another] = objects.length === 1 ? objects : all;
  if (only === undefined && candidates.length === 0)
    throw new Untestable(say`${probed.request} returned no array: check the URL of the list.`);
  if (only === undefined)
    throw new Untestable(
      say`${probed.request} returned ${arraysText(candidates)}, without items. Audit a list that has some.`,
    );
  if (another !== undefined)
    throw new Untestable(say`${probed.request} returned ${arraysText(all)}. Choose one with --items.`);
  return only.path;
}

const holdsObjects = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((it) => typeof it === 'object' && it !== null);

const MAX_NAMED = 8;

function arraysText(arrays: readonly Items[]): Text {
  if (arrays.length === 0) return say`no array`;
  const named = joined(arrays.slice(0, MAX_NAMED).map((it) => code(pathText(it.path))));
  const more = arrays.length - MAX_NAMED;
  return say`${arrays.length === 1 ? 'an array' : 'several arrays'}: ${named}${more > 0 ? say` and ${more} more` : ''}`;
}

const noId = (items: string, all: readonly unknown[]): Untestable =>
  new Untestable(
    Array.isArray(all[0])
      ? say`The ${counted(all.length, 'items')} of ${items === '' ? 'the body' : code(items)} are arrays, and their first elements are no ids: give the index of the id, such as --id 1.`
      : say`The ${counted(all.length, 'items')} of ${items === '' ? 'the body' : code(items)} ${all.length === 1 ? 'has' : 'have'} no id: no string or number is different in every item. Name it with --id, or audit a list whose items differ.`,
  );

/** The list shows one page, or has too few items for a second. */
export class OnePage extends Untestable {}

const tooShort = (read: number): OnePage =>
  new OnePage(
    say`The list has fewer than ${MIN_ITEMS} items (${read} ${read === 1 ? 'was' : 'were'} read): no second page to audit. Give a longer list.`,
  );

function noSecondPage(
  { url, method }: Given,
  size: Size | undefined,
  tried: readonly Way[],
  items: string,
  read: number,
): OnePage {
  const found = say`No second page was found${size === undefined ? ', and no parameter that sets the size of a page' : ''}: ${counted(read, 'items')} at ${items === '' ? 'the body' : code(items)}. Tried: ${triedText(tried)}.`;
  if (method === 'POST')
    return new OnePage(say`${found} If the list has a second page, name the way to it: --next 'offset: NAME'.`);
  const second = `${withoutKeys(url)}${queryOf(url) === '' ? '?' : '&'}NAME=VALUE`;
  return new OnePage(say`${found} If the list has a second page, give its URL: --page2 '${quote(second, LONG)}'.`);
}

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

/** Whether a list has one page. That its second one is an error, is a finding. */
const isOnePage = ({ pages, isBroken }: Filled): boolean => pages.length < 2 && !isBroken;

/** Finds the way to the next page: what a response suggests is tried, in the order of how sure it is. */
import { say } from '../../rules/text.ts';
import type { Text } from '../../rules/text.ts';
import { pathOf, pathText, valueAt } from '../json.ts';
import type { Path } from '../json.ts';
import { List, isPage, plainId } from '../list.ts';
import type { NoPage, Page } from '../list.ts';
import { describeWay } from '../profile.ts';
import type { Profile, Way } from '../profile.ts';
import type { Answer, Session } from '../session.ts';
import { paramsOf, withParam } from '../target.ts';
import { plainName } from './evidence.ts';
import { linkWays } from './links.ts';
import { flagIn, numberWays } from './numbers.ts';
import { tokenWays } from './tokens.ts';

/** The usual number of requests of an inference, and the maximum where nothing else leads on. */
const USUAL_REQUESTS = 40;
export const MAX_REQUESTS = 60;
// How often a list may change while the number of its first item is looked for.
const MAX_TRIES = 3;
/** Empty pages in a row that may stand before a second page: a filter behind the limit leaves some. */
export const MAX_EMPTY = 80;

type Base = Omit<Profile, 'next'>;

/** What an inference of the way starts from. */
export interface Start {
  readonly base: Base;
  /** A page of the usual size, and one of a small size, if the list has sizes. */
  readonly plain: Answer;
  readonly probed: Answer;
  /** Names of parameters that are tried first. */
  readonly known: readonly string[];
  readonly session: Session;
  readonly tried: (way: Way) => void;
  readonly drop: (what: Text, why: Text) => void;
}

/** The way to the next page, and what else was seen. */
export interface Next {
  readonly way: Way;
  /** Whether a page of the small size states no next page at all: the size may bound the whole list, not a page. */
  readonly isUnsized: boolean;
  /** The ways that responses state, and that lead to an error. */
  readonly stated: readonly Way[];
}

/** Tries ways, and keeps those that responses state and that are errors. */
export class Search {
  readonly #start: Start;
  readonly #broken: Broken[] = [];
  /** Tokens with a parameter of their own name, which lead to an error. */
  readonly #rejected: Broken[] = [];

  constructor(start: Start) {
    this.#start = start;
  }

  /** @returns the first link or token whose second and third page have new items. */
  stated(): Promise<Next | undefined> {
    const { known, session } = this.#start;
    return this.#first((answer) => statedWays(answer, known, session));
  }

  /** @returns the first number or last id whose second and third page have new items. */
  numbers(): Promise<Next | undefined> {
    const { known, base, session } = this.#start;
    return this.#first((answer) =>
      numberWays(answer, base.size?.param, known, session).map((way) => ({ ...way, ...moreIn(answer, session) })),
    );
  }

  async #first(waysOf: (answer: Answer) => readonly Way[]): Promise<Next | undefined> {
    const { base, plain, probed, session, tried, drop } = this.#start;
    // A position that is rounded to the usual size leads on only with that size.
    for (const first of base.size === undefined ? [plain] : [probed, plain]) {
      const max = first === plain ? MAX_REQUESTS : USUAL_REQUESTS;
      for (const way of besideSize(waysOf(first), base.size?.param)) {
        // Some requests are left for the usual size.
        if (session.sent >= max - (first === plain ? 4 : 8)) break;
        const list = new List({ ...base, next: way }, session);
        const dead = await whyNot(list, first);
        const why = dead?.why ?? (await whyIgnored(list, plain, probed));
        if (why === undefined) {
          const stated = this.#broken
            .filter((it) => isSure(it) && !isSame(it.way, way) && !isForm(it.way, way, first))
            .map((it) => it.way);
          const isUnsized = first !== probed && !waysOf(probed).some((it) => isSame(it, way));
          return { way: asId(list, await withFirst(list, way, first), first), isUnsized, stated };
        }
        if (first === probed) tried(way);
        if (dead?.error !== undefined) this.#keep({ way, status: dead.error.status });
        drop(say`next page by ${describeWay(way)}`, why);
      }
    }
    return undefined;
  }

  #keep(it: Broken): void {
    const all = isStated(it.way) ? this.#broken : this.#rejected;
    const isOwn = !('token' in it.way) || plainName(pathOf(it.way.from).at(-1) ?? '').includes(plainName(it.way.token));
    if ((all === this.#broken || isOwn) && !all.some(({ way }) => isSame(way, it.way))) all.push(it);
  }

  /** @returns what the server states, though it is an error: a finding of the audit. */
  async broken(): Promise<Next | undefined> {
    const { base, probed, session } = this.#start;
    const all = [...this.#broken, ...this.#rejected];
    if (all.length === 0) return undefined;
    // A strict server rejects each parameter that it does not know: that of a token is guessed, and so is that of a number.
    const list = new List({ ...base, next: { url: '' } }, session);
    const unknown = await list.probe(withParam(probed.target, UNKNOWN, '1'));
    for (const it of all) {
      const isAlike = !isPage(unknown) && it.status === unknown.status;
      const isGuess = !isStated(it.way) || 'token' in it.way;
      if (!(isGuess && isAlike) && (await this.#isKnown(it))) return { way: it.way, isUnsized: false, stated: [] };
    }
    return undefined;
  }

  /** Whether the server takes a parameter that was guessed: a number that fails leads to the first page, too, and an id is asked for. */
  async #isKnown({ way, status }: Broken): Promise<boolean> {
    const { base, probed, session } = this.#start;
    if ('id' in way) return status >= 500 && way.more !== undefined;
    const param = 'page' in way ? way.page : 'offset' in way ? way.offset : undefined;
    if (param === undefined) return true;
    if (status < 500) return false;
    const list = new List({ ...base, next: way }, session);
    for (const first of 'page' in way ? [1, 0] : [0, 1]) {
      const page = await list.probe(withParam(probed.target, param, first));
      if (isPage(page) && page.ids.length > 0) return true;
    }
    return false;
  }
}
const UNKNOWN = 'rollcall_unknown';

/** @returns the ways: if the size stands deeper in a body, as `page.size`, first those whose parameter stands beside it. */
function besideSize(ways: readonly Way[], size: string | undefined): readonly Way[] {
  const parent = pathText(pathOf(size ?? '').slice(0, -1));
  if (parent === '') return ways;
  const beside = (name: string): string => (name.startsWith(`${parent}.`) ? name : `${parent}.${name}`);
  const deeper = ways.flatMap((way): readonly Way[] => {
    if ('token' in way) return [{ ...way, token: beside(way.token) }];
    if ('id' in way) return [{ ...way, id: beside(way.id) }];
    if ('page' in way) return [{ ...way, page: beside(way.page) }];
    return 'offset' in way ? [{ ...way, offset: beside(way.offset) }] : [];
  });
  return [...deeper, ...ways];
}

/** @returns the last id as the cursor, if a token is that, and a flag tells the end: any id is a cursor then. */
function asId(list: List, way: Way, answer: Answer): Way {
  if (!('token' in way) || way.more === undefined) return way;
  const last = list.idsIn(answer, list.itemsIn(answer)).at(-1);
  const isId = last !== undefined && plainId(last) === String(valueAt(answer.body, pathOf(way.from)));
  return isId ? { id: way.token, more: way.more } : way;
}

/** @returns the links and tokens of a response, as ways. */
export const statedWays = (answer: Answer, known: readonly string[], session: Session): readonly Way[] =>
  [...linkWays(answer, session).map((way) => withBase(way, answer)), ...tokenWays(answer, known, session)].map(
    (way) => ({ ...way, ...moreIn(answer, session) }),
  );

function moreIn(answer: Answer, session: Session): { readonly more?: string } {
  const flag = flagIn(answer, session);
  return flag === undefined ? {} : { more: pathText(flag) };
}

/** @returns the way with the path of the base that stands beside its link, as in `_links: { base: 'https://host/wiki', next: '/rest/…' }`. */
export function withBase(way: Way, { body }: Answer): Way {
  if (!('url' in way) || way.base !== undefined) return way;
  const path = pathOf(way.url);
  const base = [...path.slice(0, -1), 'base'];
  const [link, at] = [valueAt(body, path), valueAt(body, base)];
  const isBased = typeof link === 'string' && link.startsWith('/') && typeof at === 'string' && URL.canParse(at);
  return isBased ? { ...way, base: pathText(base) } : way;
}

/** A way that a response states, and the status of the error to which it leads. */
interface Broken {
  readonly way: Way;
  readonly status: number;
}

/** Names that say that a link or a token is the next page. `token_url` and `nextSyncToken` lead elsewhere. */
const STATES_NEXT =
  /^(?!.*(sync|delta|refresh|access)).*(next|end[-_]?cursor)([-_]?(page|cursor|token|url|uri|link|href|marker|records|results|items))*\]?$/i;

/** Whether a way is named as the next page. */
export function isStated(way: Way): boolean {
  if ('link' in way) return true;
  const name = 'url' in way ? way.url : 'token' in way ? way.from : 'header' in way ? way.header : undefined;
  return (
    name !== undefined &&
    pathOf(name)
      .slice(-2)
      .some((segment) => STATES_NEXT.test(segment))
  );
}

/** Whether a way is another form of one that works, in the same object: `next_page: { path, uri }`, whose path is one of a client. */
function isForm(broken: Way, works: Way, { body }: Answer): boolean {
  const pathIn = (way: Way): Path => ('url' in way ? pathOf(way.url) : 'token' in way ? pathOf(way.from) : []);
  const [one, other] = [pathIn(broken), pathIn(works)];
  const value = valueAt(body, one);
  const isWhole = typeof value === 'string' && /^https?:/i.test(value);
  return (
    one.length > 1 &&
    !isWhole &&
    pathText(one.slice(0, -1)) === pathText(other.slice(0, -1)) &&
    !STATES_NEXT.test(one.at(-1) ?? '') &&
    STATES_NEXT.test(one.at(-2) ?? '')
  );
}

/** Whether an error is that of the stated page: the parameter of a token is guessed, and another one may be rejected. */
const isSure = ({ way, status }: Broken): boolean => !('token' in way) || status >= 500;

/** Whether two ways are stated at the same place: of a token, the parameter of its own name is tried first. */
const isSame = (one: Way, other: Way): boolean =>
  JSON.stringify(one) === JSON.stringify(other) || ('token' in one && 'token' in other && one.from === other.from);

/** Reads the next page: of a link that is named so, its items must have ids. Any other way is a guess. */
const pageBy = (list: List, target: string): Promise<Page | NoPage> =>
  isStated(list.profile.next) && !('token' in list.profile.next) ? list.page(target) : list.probe(target);

/** Why a way does not lead on, and the error that is its second page. */
interface Dead {
  readonly why: Text;
  readonly error?: NoPage;
}

/** @returns why a way does not lead on; `undefined` if its second and third page have new items, or the list ends with its second one. */
async function whyNot(list: List, first: Answer): Promise<Dead | undefined> {
  const seen = new Set<string>();
  const asked = new Set<string>();
  let target: string | undefined = first.target;
  let [count, empty] = [1, 0];
  while (count <= 3) {
    if (target === undefined) return count === 2 ? { why: say`the first page has no next one` } : undefined;
    if (asked.has(target)) return count === 2 ? { why: say`the next page is the same one` } : undefined;
    asked.add(target);
    const page: Page | NoPage = target === first.target ? list.read(first) : await pageBy(list, target);
    if (!isPage(page)) {
      const isNumber = 'page' in list.profile.next || 'offset' in list.profile.next;
      // A server that fails on a page that it leads to itself is a finding of the audit.
      const why = say`page ${count} is ${page.reason}`;
      // What has items is no error, though one has no id.
      const isError = count === 2 && (page.status >= 300 || list.itemsIn(page).length === 0);
      return count === 3 && !isNumber ? undefined : { why, ...(isError && { error: page }) };
    }
    target = page.next;
    if (page.ids.length === 0) {
      empty += 1;
      if (target !== undefined && empty < MAX_EMPTY) continue;
      return count === 3 ? undefined : { why: say`the next page is empty` };
    }
    if (page.ids.every((it) => seen.has(it)))
      return count === 2 ? { why: say`the next page has no new item` } : undefined;
    for (const id of page.ids) seen.add(id);
    count += 1;
  }
  return undefined;
}

/**
 * @returns why a number of pages or items counts as ignored: the second page of the usual size has most of the first one. Where items change
 *   places at every request, small pages have new ones. A first page that is the whole list has most of no second one.
 */
async function whyIgnored(list: List, plain: Answer, probed: Answer): Promise<Text | undefined> {
  const { next } = list.profile;
  const [first, small] = [list.read(plain), list.read(probed)];
  if (!('page' in next || 'offset' in next) || !isPage(first) || first.next === undefined) return undefined;
  const second = await list.probe(first.next);
  if (!isPage(second)) return undefined;
  const ids = new Set(first.ids); // There may be many.
  const again = second.ids.filter((it) => ids.has(it)).length;
  const isSteady = isPage(small) && small.ids.every((id, at) => id === first.ids[at]);
  if (again === 0 && isSteady) return undefined;
  const now = await list.probe(plain.target);
  // Items that stay in their places were new on small pages: this is what follows the last page.
  if (isPage(now) && now.ids.join() === second.ids.join()) return undefined;
  if (again > first.ids.length / 2) return say`the second page is mostly the first one`;
  if (!isPage(now) || now.ids.join() === first.ids.join()) return undefined;
  // Where each page has any items, a number that is ignored shows behind all items.
  const param = 'page' in next ? next.page : next.offset;
  const far = await list.probe(withParam(first.target, param, FAR));
  return isPage(far) && far.ids.length >= first.ids.length ? say`page ${FAR} is as long as the first one` : undefined;
}

const FAR = 10_000_000;

/** @returns a way with the number of the first page, or of the first item, unless that is 0. */
async function withFirst(list: List, way: Way, plain: Answer): Promise<Way> {
  const param = 'page' in way ? way.page : 'offset' in way ? way.offset : undefined;
  if (param === undefined) return way;
  const asked = paramsOf(plain.target).get(param);
  if (asked !== undefined) return { ...way, first: Number(asked) };
  const idsAt = async (number?: number): Promise<string> => {
    const page = await list.probe(number === undefined ? plain.target : withParam(plain.target, param, number));
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

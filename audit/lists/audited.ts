/** What the rules of an audit share: the traversals of a list with several sizes, each made once. */
import type { Changing } from '../rules/runner.ts';
import { NotChecked } from '../rules/rule.ts';
import type { Requirement } from '../rules/rule.ts';
import { say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import type { CommandName, Commands } from './commands.ts';
import { flagOf } from './commands.ts';
import { List, isPage, plainId } from './list.ts';
import type { Page, Sighting } from './list.ts';
import type { Responses } from './openapi-responses.ts';
import type { Given, Way } from './profile.ts';
import { requireIds, walk } from './walk.ts';
import { paramsOf, withParam } from './target.ts';
import type { Walk } from './walk.ts';

/** What is asked for beside a profile. */
export interface Asked {
  readonly commands?: Commands | undefined;
  readonly responses?: Responses | undefined;
  /** Whether the id is a property that may not be one. */
  readonly isIdGuessed?: boolean | undefined;
  readonly sightings?: readonly Sighting[] | undefined;
  readonly stated?: readonly Way[] | undefined;
}

/** A rule of lists: what everybody wants of one, why, and what to change. */
export interface Rule extends Requirement {
  /** What happens to the users of a list that breaks it. */
  readonly why: string;
  /** What usually breaks it, and what to do. */
  readonly change: string;
  /** What switches the rule on; it is always on if undefined. */
  readonly on?: {
    /** The key and the option, for people. */
    readonly by: string;
    readonly isDeclaredIn: (given: Given, asked: Asked) => boolean;
  };
  /** Whether it changes the list. Then it is checked once. */
  readonly changes?: true;
  /** What is a note, and when the rule is not checked, for the page of rules. */
  readonly notes?: string;
  /** @throws Failure if it does not hold, Noted if somebody may want to know, NotChecked if it could not be checked. */
  readonly check: (audited: Audited) => Promise<void>;
}

/** @returns what switches a rule on that needs a command. */
export const withCommand = (name: CommandName): NonNullable<Rule['on']> => ({
  by: `\`${flagOf(name)}\``,
  isDeclaredIn: (_, { commands }) => commands?.[name] !== undefined,
});

/** A traversal with another size, and the reading of the same part with the usual one. */
export interface Compared {
  readonly walk: Walk;
  readonly reference: Walk;
  /** Reads the part again. */
  readonly again: () => Promise<Walk>;
}

/** What was read with a size, for the report. */
export interface Coverage {
  readonly size: number;
  readonly read: Text;
}

export interface Walks {
  /** The whole list, or as much of it as the requests allow, with the usual size. */
  readonly reference: Walk;
  readonly compared: readonly Compared[];
  /** The same as `reference`, after all others. */
  readonly again: Walk;
}

/** A parameter that says where a page begins. */
export interface Cursor {
  readonly param: string;
  readonly kind: 'cursor' | 'page' | 'offset';
  /** The number of the first page, or of the first item; 0 for a cursor. */
  readonly first: number;
}

const SMALL_SIZES = [1, 2, 3, 7];
/** Those that are left out first where the requests are few. */
const SPARE_SIZES = [2, 7];
// Of a list that is too long for a small size, so many items are read at its head, and at its tail: at least, and if requests are left.
const HEAD = 60;
const TAIL = 12;
const LONG_TAIL = 60;
// Where a page ends among equal sort values.
const WINDOW = 20;
// Of lists that are not longer, the small sizes read all: with size 1, each item is a request.
const MAX_WHOLE = 300;
/** What the rules of single requests need, and second looks. */
const SINGLES = 60;
const LOOKS = 40;
// The whole list is read at first, again at the end, and twice for a second look. Small pages need some requests, too.
const WHOLE_READINGS = 4;
const SMALL_PAGES = 80;
// What a rule may take that needs more than a few requests.
const MAX_SMALL = 20;
// The part of the requests that are left which the list with its filter may take.
const FILTERED_PART = 0.5;
/** The usual size, if the list has no smaller maximum. */
const USUAL = 100;

/** How a size is read. */
interface Part {
  readonly size: number;
  readonly isWhole: boolean;
  /** The number of items at the head and at the tail, unless all are read. */
  readonly head: number;
  readonly tail: number;
}

export class Audited implements Changing {
  readonly what = 'list';
  readonly attempts = 3;
  readonly list: List;
  /** The requests for reading: what the rules of single requests and second looks do not need. */
  #reading: number;
  readonly #isIdGuessed: boolean;
  #walks: Promise<Walks> | undefined;
  #cursor: Promise<Cursor | undefined> | undefined;
  #filtered: Audited | undefined;
  #wasMoved = false;

  readonly commands: Commands | undefined;
  /** The ids that the user's own commands have added. */
  readonly added = new Set<string>();
  /** The ways that responses state, and that lead to an error. */
  readonly stated: readonly Way[];
  /** What the inference has seen. */
  readonly sightings: readonly Sighting[];
  /** What was seen beside an OpenAPI document. */
  readonly responses: Responses | undefined;

  /** @param budget how many requests the traversals may take, as far as they are bounded. */
  constructor(list: List, asked: Asked = {}, budget = list.session.left) {
    const { commands, responses, isIdGuessed = false, sightings = [], stated = [] } = asked;
    this.stated = stated;
    this.sightings = sightings;
    this.list = list;
    this.commands = commands;
    this.responses = responses;
    this.#reading = Math.max(budget / 2, budget - SINGLES - LOOKS);
    this.#isIdGuessed = isIdGuessed;
  }

  /** The same list with the declared filter. */
  get filtered(): Audited {
    const { profile, session } = this.list;
    return (this.#filtered ??= new Audited(
      new List({ ...profile, params: { ...profile.params, ...profile.filter } }, session),
      {},
      session.left * FILTERED_PART,
    ));
  }

  /** The size of whole traversals: the maximum, as far as it is known; `undefined` if the list has no size. */
  get size(): number | undefined {
    const { size } = this.list.profile;
    return size === undefined ? undefined : (size.max ?? Math.max(size.default ?? 0, USUAL));
  }

  /** The parameter that says where a page begins, if it is a number of pages or of items. */
  async position(): Promise<Cursor | undefined> {
    const { next } = this.list.profile;
    if ('page' in next) return { param: next.page, kind: 'page', first: next.first ?? 1 };
    if ('offset' in next) return { param: next.offset, kind: 'offset', first: next.first ?? 0 };
    const found = await this.cursor();
    return found?.kind === 'cursor' ? undefined : found;
  }

  /** The parameter that leads to the next page, also inside of links; `undefined` if it is not one alone. */
  cursor(): Promise<Cursor | undefined> {
    return (this.#cursor ??= this.#findCursor());
  }

  async #findCursor(): Promise<Cursor | undefined> {
    const { next, size } = this.list.profile;
    const { pages } = await walk(this.list, this.probe, this.list.first(this.probe), Infinity, 3);
    const [one, two, three] = pages.map((it) => paramsOf(it.target));
    if (one === undefined || two === undefined) return undefined;
    const changed = (of: ReadonlyMap<string, string>, to: ReadonlyMap<string, string>): readonly string[] =>
      [...to.keys()].filter((it) => it !== size?.param && of.get(it) !== to.get(it));
    const declared = 'id' in next ? next.id : 'token' in next ? next.token : undefined;
    const names = three === undefined ? changed(one, two) : changed(two, three);
    const param = declared ?? (names.length === 1 ? names[0] : undefined);
    if (param === undefined) return undefined;
    this.list.session.own(param);
    const cursor = { param, kind: 'cursor', first: 0 } as const;
    if ('id' in next) return cursor;
    const numberIn = (params: typeof two | undefined): number =>
      Number(/^\d+$/.exec(params?.get(param) ?? '')?.[0] ?? NaN);
    const [second, third] = [numberIn(two), numberIn(three)];
    const length = pages[0]?.ids.length ?? 0;
    // Numbers alone do not tell: an id may be the number of its place, and a page of one item moves by one.
    const isId = /id$|after|before|cursor|token|marker|since|last|next|continu/i.test(param);
    const found = (
      [
        { kind: 'page', step: 1, isNamed: /page|^p$/i.test(param) },
        { kind: 'offset', step: length, isNamed: length > 1 && /offset|skip|start|from/i.test(param) },
      ] as const
    ).find(({ step, isNamed }) => {
      const isCounted = second === step || second === step + 1;
      const goesOn = third === second + step || (Number.isNaN(third) && isNamed);
      return isCounted && goesOn && (isNamed || (!isId && length > 1));
    });
    return found === undefined ? cursor : { param, kind: found.kind, first: second - found.step };
  }

  /** A size at which even a short list has several pages. */
  get probe(): number | undefined {
    return this.list.profile.size === undefined ? undefined : 2;
  }

  /** Whether items were added or removed since the traversals, or, once, have other places. */
  async hasChanged(): Promise<boolean> {
    const { reference, compared, again } = await this.walks();
    const earlier = new Set([...reference.ids, ...again.ids, ...compared.flatMap((it) => it.walk.ids)]);
    const now = await this.whole();
    const present = new Set(now.ids);
    const gone = reference.ids.filter((it) => !present.has(it));
    // A list that loses items at random has them again in another traversal.
    const later = new Set(gone.length === 0 ? [] : (await this.whole()).ids);
    const isChanged = now.ids.some((it) => !earlier.has(it)) || gone.some((it) => !later.has(it));
    const before = new Set(reference.ids);
    const kept = now.ids.filter((it) => before.has(it));
    const isMoved = reference.ids.filter((it) => present.has(it)).some((it, at) => it !== kept[at]);
    if (!isChanged && (!isMoved || this.#wasMoved)) return false;
    this.#wasMoved ||= isMoved;
    this.#walks = undefined;
    this.#filtered = undefined;
    // The list may change again.
    this.#reading = Math.max(0, Math.min(this.#reading, (this.list.session.left - SINGLES) / this.attempts));
    return true;
  }

  /** How many pages a reading of the whole list may take. */
  get #wholePages(): number {
    return Math.floor(Math.max(this.#reading - SMALL_PAGES, this.#reading / 2) / WHOLE_READINGS);
  }

  /** @returns a traversal of the whole list with the usual size, or as far as the requests allow. */
  whole(size = this.size): Promise<Walk> {
    return walk(this.list, size, this.list.first(size), Infinity, this.#wholePages);
  }

  /** @throws NotChecked if a rule that needs so many requests leaves too few for the rules of single requests. */
  requireLeft(requests: number): void {
    if (requests > MAX_SMALL && requests + SINGLES > this.list.session.left)
      throw new NotChecked(say`it takes ${requests} requests, more than can be spared (--max-requests)`);
  }

  walks(): Promise<Walks> {
    return (this.#walks ??= this.#walkAll());
  }

  /** The number of different items that the first whole traversal has read, and whether that reached the end. */
  length: { readonly items: number; readonly isWhole: boolean } | undefined;

  /** What was read with each small size. */
  coverage: readonly Coverage[] = [];

  async #walkAll(): Promise<Walks> {
    const reference = await this.whole();
    if (this.#isIdGuessed) await requireIds(this.list, reference);
    const length = reference.ids.length;
    this.length = { items: new Set(reference.ids).size, isWhole: reference.ending === 'end' };
    const compared: Compared[] = [];
    const coverage: Coverage[] = [];
    for (const { size, isWhole, head, tail: tailLength } of this.#planFor(reference)) {
      if ([reference, ...compared.map((it) => it.walk)].some((it) => it.ending === 'endless')) break; // Others would be, too.
      if (this.list.session.left < SINGLES + 3 * reference.pages.length) break;
      const read = (): Promise<Walk> => walk(this.list, size, this.list.first(size), isWhole ? Infinity : head);
      const walked = await read();
      if (isBelowMinimum(walked)) {
        coverage.push({ size, read: say`nothing, because such a page is rejected` });
        continue;
      }
      compared.push({ walk: walked, reference, again: read });
      if (isWhole) coverage.push({ size, read: say`all` });
      else {
        const tie = await this.#tieWindow(reference, size);
        if (tie !== undefined) compared.push(tie);
        const tail = await this.#tailOf(reference, size, tailLength);
        if (tail !== undefined) compared.push(tail);
        const last = tail === undefined ? '' : say` and the last ${tail.reference.ids.length}`;
        coverage.push({ size, read: say`the first ${Math.min(head, length)}${last}` });
      }
    }
    this.coverage = coverage;
    return { reference, compared, again: await this.whole() };
  }

  /** @returns the sizes to read with, and how much: all, or only the head and the tail, as the requests allow. */
  #planFor({ ids, pages, ending }: Walk): readonly Part[] {
    const { size } = this;
    if (size === undefined) return [];
    const { max, min = 1 } = this.list.profile.size ?? {};
    const length = ids.length;
    const isRead = ending === 'end';
    let left = this.#reading - WHOLE_READINGS * pages.length;
    const smalls = SMALL_SIZES.map((it) => Math.max(it, min)).filter(
      (it, at, all) => it < size && it < Math.max(length, 2) && all.indexOf(it) === at,
    );
    const costOf = (it: number, items: number): number => Math.ceil(items / it) + 1;
    const ends = (it: number): number => costOf(it, HEAD) + costOf(it, TAIL) + costOf(it, WINDOW);
    const isTight = smalls.reduce((sum, it) => sum + ends(it), 0) > left;
    const kept = isTight ? smalls.filter((it) => !SPARE_SIZES.includes(it)) : smalls;
    const needed = kept.reduce((sum, it) => sum + ends(it), 0);
    const head = Math.max(TAIL, Math.min(HEAD, Math.floor((HEAD * left) / Math.max(needed, 1))));
    left -= Math.min(needed, left);
    const longer = kept.reduce((sum, it) => sum + costOf(it, LONG_TAIL - TAIL), 0);
    const tail = 2 * longer < left ? LONG_TAIL : TAIL;
    if (tail === LONG_TAIL) left -= longer;
    const parts: Part[] = [];
    // Large ones first: they cost the least.
    for (const it of kept.toReversed()) {
      const more = costOf(it, length) - ends(it);
      const isWhole = isRead && length <= MAX_WHOLE && more <= left;
      if (isWhole) left -= Math.max(more, 0);
      parts.unshift({ size: it, isWhole, head, tail });
    }
    const isNew = !parts.some((part) => part.size === (max ?? 0) - 1);
    if (max !== undefined && isNew && isRead && length > max && pages.length + 1 <= left)
      parts.push({ size: max - 1, isWhole: true, head, tail });
    return parts;
  }

  /** @returns a reading with a size of the items around the end of a page that has equal sort values, if the list has one. */
  async #tieWindow(reference: Walk, size: number): Promise<Compared | undefined> {
    const { pages } = reference;
    const at = pages.length < 3 ? undefined : tieIn(pages);
    if (at === undefined) return undefined;
    const end = pages.slice(0, at + 1).reduce((sum, page) => sum + page.ids.length, 0);
    return this.#readFrom(reference, Math.max(0, end - WINDOW / 2), size, WINDOW);
  }

  /** @returns a reading of the last items with a size. */
  async #tailOf(reference: Walk, size: number, length: number): Promise<Compared | undefined> {
    const { ids, ending } = reference;
    if (ending !== 'end' || ids.length <= HEAD + length) return undefined;
    const start = ids.length - length;
    // The item at the first place may be the one that is missing.
    return (await this.#readFrom(reference, start, size)) ?? (await this.#readFrom(reference, start - 1, size));
  }

  /**
   * @returns a reading with a size from a place on. A cursor of another size may be refused, ignored, or lead elsewhere: then there is none,
   *   unless it leads to the item that stands there.
   */
  async #readFrom(reference: Walk, place: number, size: number, items = Infinity): Promise<Compared | undefined> {
    const { ids, pages } = reference;
    const position = await this.position();
    // A page number is that of a whole page.
    const start = position?.kind === 'page' ? Math.floor(place / size) * size : place;
    const target = await this.#targetAt(reference, start, size, position);
    if (target === undefined || !(await this.#startsWith(target, size, ids[start]))) return undefined;
    const again = (): Promise<Walk> => walk(this.list, size, this.list.withSize(target, size), items);
    let [first, begin] = [0, 0];
    for (const { ids: held } of pages) {
      if (begin + held.length > start) break;
      begin += held.length;
      first += 1;
    }
    return {
      walk: await again(),
      reference: { ...reference, pages: pages.slice(first), ids: ids.slice(start) },
      again,
    };
  }

  /** @returns the request of the items from a place in the list on. */
  async #targetAt(
    { ids, pages }: Walk,
    start: number,
    size: number,
    position: Cursor | undefined,
  ): Promise<string | undefined> {
    const { next } = this.list.profile;
    const at = (param: string, value: string | number): string => withParam(this.list.first(size), param, value);
    if (position?.kind === 'page') return at(position.param, start / size + position.first);
    if (position?.kind === 'offset') return at(position.param, start + position.first);
    if ('id' in next) return at(next.id, plainId(ids[start - 1] ?? ''));
    let [begin, page] = [0, pages[0]];
    for (const it of pages) {
      if (begin + it.ids.length > start) {
        page = it;
        break;
      }
      begin += it.ids.length;
    }
    if (page === undefined || begin === start) return page?.target;
    const before = await this.list.page(this.list.withSize(page.target, start - begin));
    return isPage(before) && before.ids.length === start - begin ? before.next : undefined;
  }

  /** Whether a page with a size begins with an item, and is as long as was asked for. */
  async #startsWith(target: string, size: number, id: string | undefined): Promise<boolean> {
    const page = await this.list.page(this.list.withSize(target, size));
    return isPage(page) && page.ids[0] === id && page.ids.length === size;
  }

  /** @returns the first page. @throws NotChecked if there is none. */
  async firstPage(size = this.size): Promise<Page> {
    const page = await this.list.page(this.list.first(size));
    if (!isPage(page)) throw new NotChecked(say`${page.request} returned ${page.reason}`);
    return page;
  }
}

/** @returns all traversals of a list. */
export async function allWalks(audited: Audited): Promise<readonly Walk[]> {
  const { reference, compared, again } = await audited.walks();
  return [reference, ...compared.map((it) => it.walk), again];
}

/** Whether the first page is rejected: lists may have a minimum size. */
const isBelowMinimum = ({ broken, pages }: Walk): boolean =>
  pages.length === 0 && (broken?.status === 400 || broken?.status === 422);

/** @returns a property that changes along a list and has equal values at a border of pages, and the index of the page before the border. */
function tieIn(pages: readonly Page[]): number | undefined {
  const names = Object.keys(pages[0]?.edges[0] ?? {});
  const distinct = (name: string): number => new Set(pages.flatMap(({ edges }) => edges.map((it) => it[name]))).size;
  const ranked = names.filter((it) => distinct(it) > 2).sort((a, b) => distinct(b) - distinct(a));
  for (const name of ranked) {
    const at = pages.findIndex(({ edges }, index) => {
      const after = pages[index + 1];
      return after !== undefined && edges[1][name] !== undefined && edges[1][name] === after.edges[0][name];
    });
    if (at >= 0) return at;
  }
  return undefined;
}

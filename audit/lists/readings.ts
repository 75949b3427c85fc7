/**
 * The readings of a list, as the requests allow: whole with the usual size, and with small ones and with the default one whole, or its head
 * and its tail.
 */
import { say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { withSize } from './finding.ts';
import { isPage, plainId } from './list.ts';
import type { List, Page } from './list.ts';
import type { Cursor } from './position.ts';
import { SECOND, mayHaveSecond, readSecond } from './second.ts';
import type { Second } from './second.ts';
import { withParam, withRaw } from './target.ts';
import { isRefused, walk } from './walk.ts';
import type { Walk } from './walk.ts';

/** A traversal with another size, and the reading of the same part with the usual one. */
export interface Compared {
  readonly walk: Walk;
  readonly reference: Walk;
  /** Reads the part again. */
  readonly again: () => Promise<Walk>;
}

/** What was read with a size, or by the second way, for the report. */
export interface Coverage {
  readonly size?: number;
  readonly by?: Text;
  readonly read: Text;
}

export interface Walks {
  /** The whole list, or as much of it as the requests allow, with the usual size. */
  readonly reference: Walk;
  readonly compared: readonly Compared[];
  /** The readings by page number or offset, if they work beside the stated way. */
  readonly second: Second | undefined;
  /** The same as `reference`, after all others. */
  readonly again: Walk;
}
const SMALL_SIZES = [1, 2, 3, 7];
/** Those that are left out first where the requests are few. */
const SPARE_SIZES = [2, 7];
/** With fewer requests, the default size is left out, too: they are not half of what heads and tails with sizes 1 and 3 need. */
const SCARCE = 64;
// Of a list that is too long for a small size, so many items are read at its head, and at its tail: at least, and if requests are left.
const HEAD = 60;
const TAIL = 12;
const LONG_TAIL = 60;
// Where a page ends among equal sort values.
const WINDOW = 20;
// Of lists that have not more items, or pages of their size, the small sizes read all: with size 1, each item is a request.
const MAX_WHOLE = 300;
const MAX_WHOLE_PAGES = 150;
// The whole list is read at first, again at the end, and twice for a second look. Small pages need some requests, too.
const WHOLE_READINGS = 4;
const SMALL_PAGES = 80;
/** A page size: how many items a page has, and what is asked for. */
interface Paged {
  readonly size: number;
  /** `undefined` for the default: then no size is sent. */
  readonly asked: number | undefined;
}

/** How a size is read. */
interface Part extends Paged {
  readonly isWhole: boolean;
  /** The number of items at the head and at the tail, unless all are read. */
  readonly head: number;
  readonly tail: number;
}

/** What the rules of single requests need. */
export const SINGLES = 60;
/** What second looks need. */
export const LOOKS = 40;

/** @returns how many of the requests that are left may be used for reading. */
export const forReading = (left: number): number => Math.max(left / 2, left - SINGLES - LOOKS);

export class Readings {
  readonly #list: List;
  readonly #size: number | undefined;
  readonly #requests: number;
  readonly #positionOf: () => Promise<Cursor | undefined>;
  #all: Promise<Walks> | undefined;
  #reference: Promise<Walk> | undefined;

  /** How many different items the first whole reading has, whether that reached the end, and how many all readings have. */
  length: { readonly items: number; readonly isWhole: boolean; readonly known: number } | undefined;
  /** What was read with each small size. */
  coverage: readonly Coverage[] = [];

  /**
   * @param size of whole readings; `undefined` for the default.
   * @param requests how many the readings may take.
   * @param positionOf finds the number that says where a page begins, if there is one.
   */
  constructor(list: List, size: number | undefined, requests: number, positionOf: () => Promise<Cursor | undefined>) {
    this.#list = list;
    this.#size = size;
    this.#requests = requests;
    this.#positionOf = positionOf;
  }

  /** @returns a reading of the whole list with the usual size, or as far as the requests allow. */
  whole(size = this.#size): Promise<Walk> {
    // How many pages it may take.
    const pages = Math.floor(Math.max(this.#requests - SMALL_PAGES, this.#requests / 2) / WHOLE_READINGS);
    return walk(this.#list, size, this.#list.first(size), Infinity, pages);
  }

  /** @returns the first reading of the whole list. */
  reference(): Promise<Walk> {
    return (this.#reference ??= this.whole());
  }

  /** @returns all readings, made once. */
  all(): Promise<Walks> {
    return (this.#all ??= this.#readAll());
  }

  async #readAll(): Promise<Walks> {
    const reference = await this.reference();
    const items = new Set(reference.ids).size;
    const isWhole = reference.ending === 'end';
    this.length = { items, isWhole, known: items };
    const compared: Compared[] = [];
    const coverage: ((known: number) => Coverage)[] = [];
    const isScarce = this.#requests - WHOLE_READINGS * reference.pages.length < SCARCE;
    if (isScarce && this.#size !== undefined)
      coverage.push(() => ({ by: withSize(undefined), read: say`nothing (--max-requests)` }));
    for (const part of this.#planFor(reference, isScarce ? undefined : await this.#defaultOf(reference))) {
      const { asked, isWhole: readsAll, head, tail: tailLength } = part;
      if ([reference, ...compared.map((it) => it.walk)].some((it) => it.ending === 'endless')) break; // Others would be, too.
      if (this.#list.session.left < SINGLES + 3 * reference.pages.length) break;
      const first = this.#firstOf(part);
      const read = async (): Promise<Walk> =>
        pagedPart(
          this.#list,
          await walk(this.#list, asked, first, readsAll ? Infinity : head, Infinity, reference.ids.length),
        );
      const walked = await read();
      const how = asked === undefined ? { by: withSize(asked) } : { size: asked };
      if (isBelowMinimum(walked)) {
        coverage.push(() => ({ ...how, read: say`nothing, because such a page is rejected` }));
        continue;
      }
      compared.push({ walk: walked, reference, again: read });
      let last: Text | '' = '';
      if (!readsAll) {
        const tie = await this.#tieWindow(reference, part);
        if (tie !== undefined) compared.push(tie);
        const tail = await this.#tailOf(reference, part, tailLength);
        if (tail !== undefined) compared.push(tail);
        last = tail === undefined ? '' : say` and ${lastOf(tail)}`;
      }
      coverage.push((known) => ({ ...how, read: say`${readOf(walked, known)}${last}` }));
    }
    const second = await this.#readSecond(reference, coverage);
    const again = await this.whole();
    const known = new Set([reference, again, ...compared.map((it) => it.walk)].flatMap(({ ids }) => ids)).size;
    this.length = { items, isWhole, known };
    this.coverage = coverage.map((it) => it(known));
    return { reference, compared, second, again };
  }

  /** @returns the readings by number, if the requests allow them: they are the first to be left out. */
  async #readSecond(reference: Walk, coverage: ((known: number) => Coverage)[]): Promise<Second | undefined> {
    if (!mayHaveSecond(this.#list, reference)) return undefined;
    if (this.#list.session.left < SINGLES + LOOKS + 3 * reference.pages.length + SECOND) {
      coverage.push(() => ({ by: say`by page number or offset`, read: say`nothing (--max-requests)` }));
      return undefined;
    }
    const second = await readSecond(this.#list, reference, await this.#positionOf());
    if (second !== undefined) {
      const items = new Set(second.whole.walk.ids).size;
      coverage.push((known) => ({ by: second.by, read: items >= known ? say`all` : say`${items} items` }));
    }
    return second;
  }

  /** @returns how many items a page has for which no size is sent, if the pages of the whole reading have more. */
  async #defaultOf({ pages: [longest] }: Walk): Promise<number | undefined> {
    if (this.#size === undefined || longest === undefined) return undefined;
    const page = await this.#list.probe(this.#firstOf({ asked: undefined }));
    const length = isPage(page) ? page.ids.length : 0;
    return length > 0 && length < longest.ids.length ? length : undefined;
  }

  /**
   * @param usual the default size, if it is read.
   * @returns the sizes to read with, and how much: all, or only the head and the tail, as the requests allow.
   */
  #planFor({ ids, pages, ending }: Walk, usual: number | undefined): readonly Part[] {
    const size = this.#size;
    if (size === undefined) return [];
    const { max, min = 1 } = this.#list.profile.size ?? {};
    const length = ids.length;
    const isRead = ending === 'end';
    let left = this.#requests - WHOLE_READINGS * pages.length;
    const smalls = SMALL_SIZES.map((it) => Math.max(it, min))
      .filter((it, at, all) => it < size && it < Math.max(length, 2) && all.indexOf(it) === at)
      .map((it): Paged => ({ size: it, asked: it }));
    const defaults: readonly Paged[] = usual === undefined ? [] : [{ size: usual, asked: undefined }];
    const costOf = (it: Paged, items: number): number => Math.ceil(items / it.size) + 1;
    const ends = (it: Paged): number => costOf(it, HEAD) + costOf(it, TAIL) + costOf(it, WINDOW);
    const all = [...smalls, ...defaults].sort((one, other) => one.size - other.size);
    const isTight = all.reduce((sum, it) => sum + ends(it), 0) > left;
    const kept = isTight ? all.filter(({ asked }) => asked === undefined || !SPARE_SIZES.includes(asked)) : all;
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
      const isShort = length <= MAX_WHOLE || costOf(it, length) <= MAX_WHOLE_PAGES;
      const isWhole = isRead && isShort && more <= left;
      if (isWhole) left -= Math.max(more, 0);
      parts.unshift({ ...it, isWhole, head, tail });
    }
    const isNew = !parts.some((part) => part.asked === (max ?? 0) - 1);
    if (max !== undefined && isNew && isRead && length > max && pages.length + 1 <= left)
      parts.push({ size: max - 1, asked: max - 1, isWhole: true, head, tail });
    return parts;
  }

  /** @returns a reading with a size of the items around the end of a page that has equal sort values, if the list has one. */
  async #tieWindow(reference: Walk, paged: Paged): Promise<Compared | undefined> {
    const { pages } = reference;
    const at = pages.length < 3 ? undefined : tieIn(pages);
    if (at === undefined) return undefined;
    const end = pages.slice(0, at + 1).reduce((sum, page) => sum + page.ids.length, 0);
    return this.#readFrom(reference, Math.max(0, end - WINDOW / 2), paged, WINDOW);
  }

  /** @returns a reading of the last items with a size. */
  async #tailOf(reference: Walk, paged: Paged, length: number): Promise<Compared | undefined> {
    const { ids, ending } = reference;
    if (ending !== 'end' || ids.length <= HEAD + length) return undefined;
    const start = ids.length - length;
    // The item at the first place may be the one that is missing.
    return (await this.#readFrom(reference, start, paged)) ?? (await this.#readFrom(reference, start - 1, paged));
  }

  /**
   * @returns a reading with a size from a place on. A cursor of another size may be refused, ignored, or lead elsewhere: then there is none,
   *   unless it leads to the item that stands there.
   */
  async #readFrom(reference: Walk, place: number, paged: Paged, items = Infinity): Promise<Compared | undefined> {
    const { ids, pages } = reference;
    const { size, asked } = paged;
    const position = await this.#positionOf();
    // A page number is that of a whole page.
    const start = position?.kind === 'page' ? Math.floor(place / size) * size : place;
    const found = await this.#targetAt(reference, start, paged, position);
    const target = found === undefined ? undefined : this.#sized(found, paged);
    if (target === undefined || !(await this.#startsWith(target, size, ids[start]))) return undefined;
    const again = (): Promise<Walk> => walk(this.#list, asked, target, items);
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
    paged: Paged,
    position: Cursor | undefined,
  ): Promise<string | undefined> {
    const { next } = this.#list.profile;
    const at = (param: string, value: string | number): string => withParam(this.#firstOf(paged), param, value);
    if (position?.kind === 'page') return at(position.param, start / paged.size + position.first);
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
    if (start - begin < (this.#list.profile.size?.min ?? 1)) return undefined;
    const before = await this.#list.probe(this.#list.withSize(page.target, start - begin));
    return isPage(before) && before.ids.length === start - begin ? before.next : undefined;
  }

  /** Whether a page begins with an item, and has so many. */
  async #startsWith(target: string, size: number, id: string | undefined): Promise<boolean> {
    const page = await this.#list.probe(target);
    return isPage(page) && page.ids[0] === id && page.ids.length === size;
  }

  /** The request of the first page. */
  #firstOf(asked: Pick<Paged, 'asked'>): string {
    return this.#sized(this.#list.first(), asked);
  }

  /** The same request with a size, or without any. */
  #sized(target: string, { asked }: Pick<Paged, 'asked'>): string {
    const { size } = this.#list.profile;
    if (asked !== undefined) return this.#list.withSize(target, asked);
    return size === undefined ? target : withRaw(target, size.param);
  }
}

/**
 * @returns a reading without the pages of a list of numbers that is not cut into pages where no size is sent: its first page has all items, and
 *   a number leads to some of them again.
 */
function pagedPart({ profile: { next } }: List, walked: Walk): Walk {
  const [first, second] = walked.pages;
  if (walked.size !== undefined || !('page' in next || 'offset' in next) || first === undefined) return walked;
  const all = new Set(first.ids);
  const isAgain = (second?.ids.length ?? first.ids.length) < first.ids.length && second?.ids.every((id) => all.has(id));
  return isAgain === true && second?.ids.length !== 0
    ? { ...walked, pages: [first], ids: first.ids, ending: 'bound', broken: undefined }
    : walked;
}

/** @returns what a reading has, for people. @param length the number of items that are known. */
function readOf(walked: Walk, length: number): Text {
  const count = new Set(walked.ids).size;
  const first = count === 1 ? say`the first item` : say`the first ${count}`;
  const { ending } = walked;
  if (ending === 'bound') return first;
  if (ending === 'endless') return say`${first}, then the same again`;
  if (ending === 'broken' || (isRefused(walked) && count < length))
    return count === 0 ? say`nothing, because page 1 is an error` : say`${first}, then an error`;
  return count < length ? say`to the end, but not all` : say`all`;
}

function lastOf({ walk: { ids }, reference }: Compared): Text {
  const last = new Set(reference.ids);
  const count = new Set(ids.filter((id) => last.has(id))).size;
  return count < last.size ? say`${count} of the last ${last.size}` : say`the last ${last.size}`;
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

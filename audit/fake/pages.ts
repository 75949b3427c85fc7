/** The pages of a list that is served: from the parameters of a request to items, and to what leads to the next ones. */
import { createHash } from 'node:crypto';
import { pathOf, valueAt } from '../lists/json.ts';
import type { Profile, Way } from '../lists/profile.ts';
import { paramsOf } from '../lists/target.ts';
import { Cursors } from './cursors.ts';
import type { Place } from './cursors.ts';
import { itemsOf } from './items.ts';
import type { Item, Items } from './items.ts';
import { Rejected } from './rejected.ts';
import type { Sample } from './sample.ts';
import type { Effect, LastForm, Length } from './scenario.ts';
import { sizeIn } from './sizes.ts';
import type { Sizes } from './sizes.ts';

export interface Page {
  readonly items: readonly Item[];
  /** How many items come before it. */
  readonly start: number;
  readonly size: number;
  readonly total: number;
  readonly number: number;
  readonly pages: number;
  readonly isFirst: boolean;
  /** Whether it is the second page that a client has requested, each time. */
  readonly isSecond: boolean;
  /** Whether more follow in the direction of the request. */
  readonly more: boolean;
  /** Parameters of the next and the previous page; `undefined` if there is none. */
  readonly next: Params | undefined;
  readonly previous: Params | undefined;
  /** What the page is, if it comes after all items. */
  readonly last: LastForm | undefined;
}
/** Values of parameters; one that is `undefined` is left out. */
export type Params = Readonly<Record<string, string | undefined>>;

/** The parameter of links, if the sample shows none. */
const LINK_PARAM = 'cursor';
const MAX_ITEMS = 30_000;
const FIRST: Place = { page: 1, hollow: 0 };

interface Options {
  readonly effect: Effect;
  /** Instead of the length of the effect. */
  readonly count?: number | undefined;
  /** The size with which the client reads. */
  readonly pageSize: number;
  readonly salt: string;
}

/** @returns how many items a list has. */
function countOf(length: Length, pageSize: number): number {
  if ('items' in length) return length.items;
  return Math.min(MAX_ITEMS, Math.ceil(length.pages * pageSize)) + (length.plus ?? 0);
}

export class Pages {
  readonly #profile: Profile;
  readonly #effect: Effect;
  readonly #items: Items;
  readonly #sizes: Sizes;
  readonly #param: string;
  readonly #cursors: Cursors;
  #order: readonly Item[];
  #places: ReadonlyMap<string, number>;
  readonly #removed = new Set<Item>();
  #isChanged = false;
  #second: string | undefined;
  #secondStart: number | undefined;

  constructor(profile: Profile, sample: Sample, { effect, count, pageSize, salt }: Options) {
    this.#profile = profile;
    this.#effect = effect;
    this.#items = itemsOf(profile, sample, count ?? countOf(effect.length ?? { pages: 2.5 }, pageSize), effect, salt);
    this.#sizes = sizeIn(profile, pageSize);
    this.#param = linkParamOf(profile, sample);
    this.#cursors = new Cursors(
      [...(effect.cursors ?? []), ...(effect.links?.includes('encoded') === true ? (['reserved'] as const) : [])],
      salt,
    );
    this.#order = this.#items.all;
    this.#places = placesOf(this.#order);
  }

  /** The ids of its items at the start, in their order. */
  get ids(): readonly string[] {
    return this.#items.all.map(({ id }) => id);
  }

  /** The id of the item that is added meanwhile, if one is. */
  get added(): readonly string[] {
    const { change } = this.#effect;
    if (change !== 'insert' && change !== 'append') return [];
    return [this.#items.extra(change === 'insert' ? 'head' : 'tail').id];
  }

  /** @returns an item; `undefined` if there is none. */
  item(id: string): Item | undefined {
    const found = this.#order[this.#places.get(id) ?? -1];
    return found === undefined || this.#removed.has(found) ? undefined : found;
  }

  /** @returns the page that parameters ask for. @throws Rejected */
  page(query: URLSearchParams): Page {
    const filters = this.#filtersIn(query);
    const key = filters.map(Number).join('');
    const size = this.#sizes.of(query);
    const place = this.#placeIn(query, size, key);
    const isNumber = 'page' in this.#profile.next || 'offset' in this.#profile.next;
    const isFirst = place === FIRST || (isNumber && place.start === 0);
    const name = this.#nameOf(place);
    if (!isFirst) {
      this.#second ??= name;
      this.#change();
    }
    return this.#pageAt(place, size, filters, key, { isFirst, isSecond: name === this.#second }, query);
  }

  #pageAt(
    place: Place,
    size: number,
    filters: readonly boolean[],
    key: string,
    which: Pick<Page, 'isFirst' | 'isSecond'>,
    query: URLSearchParams,
  ): Page {
    const all = this.#visible(filters);
    const { next: way, previous: back } = this.#profile;
    const isCycle = this.#effect.end === 'cycle';
    let start = this.#startOf(place, all);
    if (isCycle && start >= all.length) start = this.#secondStart ?? 0;
    const isHollow = place.hollow < (this.#effect.empty?.[place.page] ?? 0);
    const length = isHollow ? 0 : this.#lengthOf(place, start, size);
    const end = place.before === undefined ? start + length : start;
    const begin = place.before === undefined ? start : Math.max(0, start - size);
    const items = all.slice(begin, end);
    if (which.isFirst) this.#secondStart ??= end;
    const isPastEnd = begin >= all.length;
    // A page that is only an empty one follows the last item.
    const hasExtra = this.#effect.last !== undefined || ('token' in way && way.end === 'same');
    const isLeft = isHollow || end < all.length || isCycle || (hasExtra && !isPastEnd);
    const follows: Place = isHollow
      ? { ...place, hollow: place.hollow + 1 }
      : { after: all[end - 1], start: end, page: place.page + 1, hollow: 0 };
    const cycled: Place = {
      after: all[(this.#secondStart ?? 0) - 1],
      start: this.#secondStart ?? 0,
      page: 2,
      hollow: 0,
    };
    const goesRound = isCycle && end >= all.length;
    const before = all[begin];
    const leadsBack = back !== undefined && begin > 0 && before !== undefined && !isHollow;
    const more = place.before === undefined ? isLeft : begin > 0;
    return {
      ...which,
      ...{ items, start: begin, size, total: this.#totalOf(all.length), more },
      number: 'page' in way ? place.page : Math.floor(begin / size) + 1,
      pages: this.#pagesOf(all.length, size),
      next: isLeft ? this.#leadTo(way, goesRound ? cycled : follows, key) : this.#sameToken(way, query),
      previous: leadsBack
        ? this.#leadTo(
            back,
            { before, start: Math.max(0, begin - size), page: Math.max(1, place.page - 1), hollow: 0 },
            key,
          )
        : undefined,
      last: isPastEnd && !which.isFirst ? this.#effect.last : undefined,
    };
  }

  #totalOf = (length: number): number => (this.#effect.total === 'more' ? length + 10 : length);

  /** @returns the token that was sent, where that is the end. */
  #sameToken(way: Way, query: URLSearchParams): Params | undefined {
    if (!('token' in way) || way.end !== 'same' || this.#effect.end !== undefined) return undefined;
    return { [way.token]: query.get(way.token) ?? undefined };
  }

  #visible(filters: readonly boolean[]): readonly Item[] {
    const isLeft = (item: Item): boolean =>
      !this.#removed.has(item) && filters.every((is, at) => !is || item.filters[at]);
    return this.#removed.size === 0 && !filters.includes(true) ? this.#order : this.#order.filter(isLeft);
  }

  #startOf({ after, before, start = 0 }: Place, all: readonly Item[]): number {
    const way = this.#profile.next;
    if ('page' in way || 'offset' in way) return start;
    const anchor = after ?? before;
    if (anchor === undefined) return start;
    const place = this.#places.get(anchor.id) ?? 0;
    // The anchor may have been removed, or be no item of the filtered list.
    const isAfter = (item: Item): boolean => (this.#places.get(item.id) ?? 0) > place;
    const found = all.indexOf(anchor);
    if (found >= 0) return after === undefined ? found : found + 1;
    const next = all.findIndex(isAfter);
    return next < 0 ? all.length : next;
  }

  #lengthOf({ page }: Place, start: number, size: number): number {
    if (this.#effect.short !== true) return size;
    return 1 + (('page' in this.#profile.next ? page - 1 : start) % size);
  }

  #change(): void {
    if (this.#isChanged || this.#effect.change === undefined) return;
    this.#isChanged = true;
    const { change } = this.#effect;
    const [first] = this.#order;
    if (change === 'remove' && first !== undefined) this.#removed.add(first);
    if (change === 'insert') this.#order = [this.#items.extra('head'), ...this.#order];
    if (change === 'append') this.#order = [...this.#order, this.#items.extra('tail')];
    this.#places = placesOf(this.#order);
  }

  #nameOf({ after, before, start = 0, page, hollow }: Place): string {
    const anchor = after === undefined ? (before === undefined ? '' : `<${before.id}`) : `>${after.id}`;
    const isNumber = 'page' in this.#profile.next || 'offset' in this.#profile.next;
    return createHash('sha256')
      .update(isNumber ? String(start) : `${anchor} ${String(page)} ${String(hollow)}`)
      .digest('base64url');
  }

  /** @returns the parameters that lead to a place. */
  #leadTo(way: Way, place: Place, key: string): Params {
    const { next } = this.#profile;
    if ('page' in way) return { [way.page]: String(place.page - 1 + (way.first ?? 1)) };
    if ('offset' in way) return { [way.offset]: String((place.start ?? 0) + (way.first ?? 0)) };
    if ('id' in way) return { [way.id]: (place.after ?? place.before)?.id };
    if (!('token' in way || 'tokens' in way) && ('page' in next || 'offset' in next))
      return this.#leadTo(next, place, key);
    const token = this.#cursors.write(`${this.#nameOf(place)} ${key}`, place);
    if ('tokens' in way) return this.#cursors.several(Object.keys(way.tokens), token, place.page);
    return { [this.#paramOf(way)]: token };
  }

  #paramOf = (way: Way): string => ('token' in way ? way.token : this.#param);

  /** @returns the place that parameters name. @throws Rejected */
  #placeIn(query: URLSearchParams, size: number, key: string): Place {
    const { next, previous } = this.#profile;
    const ways = previous === undefined ? [next] : [next, previous];
    const given = new Map<string, Place>();
    for (const [at, way] of ways.entries())
      for (const param of this.#paramsOf(way)) {
        const text = query.get(param);
        // Where an empty token states the end, one that is sent is none, as in most APIs: the list starts again.
        const isNone = text === null || (text === '' && this.#effect.end === 'empty');
        if (!isNone && !given.has(param)) given.set(param, this.#placeOf(way, text, query, size, key, at === 1));
      }
    const [place, second] = given.values();
    if (second !== undefined) throw new Rejected(400, `${[...given.keys()].join(' and ')} cannot be combined`);
    return place ?? FIRST;
  }

  #paramsOf(way: Way): readonly string[] {
    if ('id' in way) return [way.id];
    if ('page' in way) return [way.page];
    if ('offset' in way) return [way.offset];
    if ('tokens' in way) return Object.keys(way.tokens).slice(0, 1);
    return 'page' in this.#profile.next || 'offset' in this.#profile.next ? [] : [this.#paramOf(way)];
  }

  #placeOf(way: Way, text: string, query: URLSearchParams, size: number, key: string, isBack: boolean): Place {
    const wrong = new Rejected(400, 'the cursor is invalid');
    if ('page' in way || 'offset' in way) {
      const first = way.first ?? ('page' in way ? 1 : 0);
      const number = /^\d{1,9}$/.test(text) ? Number(text) - first : -1;
      if (number < 0) throw new Rejected(400, 'the position is invalid');
      if ('page' in way) return { start: this.#partition(number, size), page: number + 1, hollow: 0 };
      return { start: number, page: number === 0 ? 1 : Math.max(2, Math.floor(number / size) + 1), hollow: 0 };
    }
    if ('id' in way) {
      const item = this.item(text);
      if (item === undefined) throw wrong;
      const at = this.#places.get(item.id) ?? 0;
      const page = Math.max(2, Math.floor((at + 1) / size) + 1);
      return isBack ? { before: item, page, hollow: 0 } : { after: item, page, hollow: 0 };
    }
    const place = this.#cursors.read(text, key);
    if (place === undefined) throw wrong;
    if ('tokens' in way && !this.#cursors.areSeveral(Object.keys(way.tokens), text, place.page, query)) throw wrong;
    return place;
  }

  /** @returns where a page begins, by its number from 0 on: short pages have 1, 2, … items, in turns. */
  #partition(page: number, size: number): number {
    if (this.#effect.short !== true) return page * size;
    const [rounds, rest] = [Math.floor(page / size), page % size];
    return (rounds * size * (size + 1)) / 2 + (rest * (rest + 1)) / 2;
  }

  #pagesOf(length: number, size: number): number {
    let pages = Math.max(1, Math.ceil(length / size));
    if ('page' in this.#profile.next) while (this.#partition(pages, size) < length) pages += 1;
    return pages;
  }

  /** @returns which filters a request has. @throws Rejected for a value that no item has. */
  #filtersIn(query: URLSearchParams): readonly boolean[] {
    return Object.entries(this.#profile.filter ?? {}).map(([name, value]) => {
      const asked = query.get(name);
      if (asked !== null && asked !== value) throw new Rejected(400, `${name} is unknown`);
      return asked !== null;
    });
  }
}

const placesOf = (order: readonly Item[]): ReadonlyMap<string, number> => new Map(order.map(({ id }, at) => [id, at]));

/** @returns the parameter of the cursor in links: one that a link of the sample has, and the list has not. */
function linkParamOf({ url, params = {}, size, next, filter = {} }: Profile, { envelope }: Sample): string {
  if ('token' in next) return next.token;
  const link = 'url' in next ? valueAt(envelope, pathOf(next.url)) : undefined;
  if (typeof link !== 'string') return LINK_PARAM;
  const own = new Set([...paramsOf(url).keys(), ...Object.keys(params), ...Object.keys(filter), size?.param]);
  return [...paramsOf(link).keys()].find((name) => !own.has(name)) ?? LINK_PARAM;
}

/** A list: awaited it is a page, iterated it is a walk. */
import type { AutomationList } from '../generated/models.ts';
import { Call } from './call.ts';
import { ApiError } from './errors.ts';
import type { CallOptions, Received } from './fetch.ts';
import { checkNumbers } from './time.ts';

interface Cursors {
  /** The id of an item: older items, from the nearest on. */
  after?: string | undefined;
  /** The id of an item: newer items, from the nearest on. */
  before?: string | undefined;
}

/** Where to go on from. Both at once are refused by the type, as they are by the server. */
export type Cursor<Query extends Cursors = Cursors> =
  | (Readonly<Pick<Query, 'after'>> & { readonly before?: undefined })
  | (Readonly<Pick<Query, 'before'>> & { readonly after?: undefined });

export interface WalkOptions extends CallOptions {
  /** How many items a walk gives at most. */
  readonly max?: number | undefined;
}
/** JavaScript may give both cursors. */
export type AnyWalk = WalkOptions & Readonly<Cursors> & { readonly limit?: number | undefined };

/** Asks for one page. */
export type FetchPage<Item> = (
  cursor: Cursor,
  limit: number | undefined,
) => Promise<{ readonly body: Envelope<Item>; readonly received: Received }>;

/** Where a walk has been, the latest last; `undefined` is the head of the list. */
type Trail = readonly [string | undefined, ...(string | undefined)[]];

interface Step<Item> {
  readonly page: Page<Item>;
  readonly received: Received;
  /** What the page follows, and what follows the page: the same, from a server that ignores cursors. */
  readonly from: Trail;
  readonly to: Trail;
}

// From how many items back a walk can go on when those at its cursor have been removed: two of the largest pages.
const MAX_TRAIL = 200;

/**
 * A promise of one page, which is asked for once, when it is first awaited; and a walk over all items, by `for await`. Both
 * reject with ApiError, NetworkError, TimeoutError, or the reason of the signal.
 */
export class List<Item extends { readonly id: string }> extends Call<Page<Item>> implements AsyncIterable<Item> {
  readonly #fetchPage: FetchPage<Item>;
  readonly #options: AnyWalk;
  readonly #trail: Trail;
  readonly #isBackward: boolean;

  /** @param trail where it goes on from, instead of the cursor of the options. */
  constructor(fetchPage: FetchPage<Item>, options: AnyWalk, trail: Trail = [options.after ?? options.before]) {
    super(async () => {
      const { page, received } = await this.#step(trail, options.limit);
      return { data: page, received };
    });
    this.#fetchPage = fetchPage;
    this.#options = options;
    this.#trail = trail;
    this.#isBackward = options.before !== undefined;
  }

  /** The items from the cursor on: older and older, or with `before` newer and newer. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of this.pages()) yield* this.#isBackward ? data.toReversed() : data;
  }

  /**
   * The items of a walk as an array.
   * @param bound `max`: how many it may hold. The items beyond it are neither asked for nor an error.
   */
  async toArray({ max }: { readonly max: number }): Promise<Item[]> {
    const given: unknown = max; // JavaScript may leave it out.
    checkNumbers({ max: given ?? null });
    const items: Item[] = [];
    const options = { ...this.#options, max: Math.min(max, this.#options.max ?? Infinity) };
    for await (const item of new List(this.#fetchPage, options, this.#trail)) items.push(item);
    return items;
  }

  /**
   * The pages from the cursor on. A walk goes on if the item it has come to is removed meanwhile, and ends at a page that
   * does not move on.
   */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    const { limit, max = Infinity } = this.#options;
    let trail = this.#trail;
    for (let left = max; left > 0;) {
      const { page, received, from, to } = await this.#step(
        trail,
        limit === undefined ? undefined : Math.min(limit, left),
      );
      if (from === to && trail !== this.#trail) return;

      yield page.data.length > left ? this.#cut(page.data, received, left, from) : page;
      if (!page.hasNextPage()) return;
      left -= page.data.length;
      trail = to;
    }
  }

  /** One page of the walk. Ids at the end of the trail that are no longer there are dropped from it. */
  async #step(trail: Trail, limit: number | undefined): Promise<Step<Item>> {
    const [first, ...more] = trail;
    for (;;) {
      const id = more.length > 0 ? more.at(-1) : first;
      try {
        const { body, received } = await this.#fetchPage(this.#isBackward ? { before: id } : { after: id }, limit);
        return this.#arrive(body, received, [first, ...more]);
      } catch (error) {
        const isGone = error instanceof ApiError && error.name === 'not_found';
        if (!isGone || more.length === 0) throw error;
        more.pop();
      }
    }
  }

  #arrive(body: Envelope<Item>, received: Received, from: Trail): Step<Item> {
    const ids = body.data.map((it) => it.id);
    if (this.#isBackward) ids.reverse();
    const hasMoved = ids.length > 0 && ids.at(-1) !== from.at(-1);
    const [first, ...more] = [...from, ...ids].slice(-MAX_TRAIL);
    const to: Trail = hasMoved ? [first, ...more] : from;
    const next = body.has_more && hasMoved ? () => new List(this.#fetchPage, this.#options, to) : undefined;
    return { page: new ListPage(body, received, next), received, from, to };
  }

  /** @returns the page with the items that are nearest to where the walk comes from. */
  #cut(data: Item[], received: Received, count: number, from: Trail): Page<Item> {
    const nearest = this.#isBackward ? data.slice(-count) : data.slice(0, count);
    return this.#arrive({ object: 'list', has_more: true, data: nearest }, received, from).page;
  }
}

/** What every list of the contract has around its items. */
export type Envelope<Item> = Pick<AutomationList, 'object' | 'has_more'> & {
  /** Newest first, whatever the direction. */
  data: Item[];
};

/** The list envelope of the contract, and what follows it. As JSON it is the envelope. */
export interface Page<Item> extends Readonly<Envelope<Item>> {
  /** The response it came in. Its body has not been read yet. */
  readonly response: Response;
  /** Whether there is more in the direction of travel: older items, or with `before` newer ones. */
  hasNextPage(): boolean;
  /**
   * The next page in the direction of travel, with the same filter and limit. It comes even if items of this page have
   * been removed meanwhile. Rejects with a RangeError if there is none.
   */
  nextPage(): Call<Page<Item>>;
}

/**
 * A class: libraries that copy plain objects (TanStack Query, Immer) leave it as it is, instead of losing its methods. Own
 * properties that can be enumerated are those of the envelope; no private ones, which the proxies of Vue could not reach.
 */
class ListPage<Item> implements Page<Item> {
  readonly object: 'list';
  readonly has_more: boolean;
  readonly data: Item[];
  declare readonly response: Response;
  declare private readonly next: (() => Call<Page<Item>>) | undefined;

  /** @param next asks for the next page; `undefined` if there is none. */
  constructor(
    { object, has_more, data }: Envelope<Item>,
    received: Received,
    next: (() => Call<Page<Item>>) | undefined,
  ) {
    this.object = object;
    this.has_more = has_more;
    this.data = data;
    const hidden = { configurable: true, enumerable: false };
    Object.defineProperties(this, {
      response: { ...hidden, get: () => received.response },
      next: { ...hidden, writable: true, value: next },
    });
  }

  hasNextPage(): boolean {
    return this.next !== undefined;
  }

  nextPage(): Call<Page<Item>> {
    if (this.next !== undefined) return this.next();
    return new Call(() => Promise.reject(new RangeError('There is no next page, as hasNextPage() says.')));
  }
}

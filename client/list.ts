/** A list. Awaited, it resolves to one page; iterated, it pages through all items. */
import type { AutomationList } from '../generated/models.ts';
import { Call } from './call.ts';
import { ApiError, NetworkError } from './errors.ts';
import type { CallOptions, Received } from './fetch.ts';
import { checkNumbers } from './time.ts';

interface Cursors {
  /** The id of an item: the list continues with the next older items. */
  after?: string | undefined;
  /** The id of an item: the list continues with the next newer items. */
  before?: string | undefined;
}

/** The start of a page. The type rejects both cursors at once, like the server. */
export type Cursor<Query extends Cursors = Cursors> =
  | (Readonly<Pick<Query, 'after'>> & { readonly before?: undefined })
  | (Readonly<Pick<Query, 'before'>> & { readonly after?: undefined });

export interface WalkOptions extends CallOptions {
  /** The maximum number of items of a traversal. */
  readonly max?: number | undefined;
}
/** The options as JavaScript may pass them: with both cursors. */
export type AnyWalk = WalkOptions & Readonly<Cursors> & { readonly limit?: number | undefined };

/** Requests one page. */
export type FetchPage<Item> = (
  cursor: Cursor,
  limit: number | undefined,
) => Promise<{ readonly body: Envelope<Item>; readonly received: Received }>;

/** The ids that a traversal has passed, the latest last; `undefined` is the head of the list. */
type Trail = readonly [string | undefined, ...(string | undefined)[]];

interface Step<Item> {
  readonly page: Page<Item>;
  readonly received: Received;
  /** The trail before and after the page. They are the same if the server ignores cursors. */
  readonly from: Trail;
  readonly to: Trail;
}

// How many ids to fall back to when the items at the cursor have been removed: two of the largest pages.
const MAX_TRAIL = 200;

/**
 * A promise of one page, which is requested once, when it is first awaited; and an async iterable of all items. Both
 * reject with ApiError, NetworkError, TimeoutError, or the reason of the signal.
 */
export class List<Item extends { readonly id: string }> extends Call<Page<Item>> implements AsyncIterable<Item> {
  readonly #fetchPage: FetchPage<Item>;
  readonly #options: AnyWalk;
  readonly #trail: Trail;
  readonly #isBackward: boolean;

  /** @param trail where to continue, instead of at the cursor of the options. */
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

  /** The items after the cursor, from newer to older; with `before`, from older to newer. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of this.pages()) yield* this.#isBackward ? data.toReversed() : data;
  }

  /**
   * All items as an array.
   * @param bound `max`: the maximum length. Items beyond it are not requested, and are not an error.
   */
  async toArray({ max }: { readonly max: number }): Promise<Item[]> {
    const unchecked: unknown = max; // JavaScript may omit it.
    checkNumbers({ max: unchecked ?? null });
    const items: Item[] = [];
    const options = { ...this.#options, max: Math.min(max, this.#options.max ?? Infinity) };
    for await (const item of new List(this.#fetchPage, options, this.#trail)) items.push(item);
    return items;
  }

  /**
   * The pages after the cursor. The traversal continues if the item at its cursor is removed. It rejects with a NetworkError
   * if a page does not advance although `has_more` is true: the server, or a proxy, ignores the cursor.
   */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    const { limit, max = Infinity } = this.#options;
    let trail = this.#trail;
    for (let left = max; left > 0;) {
      const { page, received, from, to } = await this.#step(
        trail,
        limit === undefined ? undefined : Math.min(limit, left),
      );
      if (from === to && page.has_more) throw this.#standsStill(received);
      if (from === to && trail !== this.#trail) return;

      yield page.data.length > left ? this.#cut(page.data, received, left, from) : page;
      if (!page.hasNextPage()) return;
      left -= page.data.length;
      trail = to;
    }
  }

  #standsStill({ status }: Received): NetworkError {
    return new NetworkError(
      'The list does not advance: a page ends where the page before ended, but `has_more` is true. The server ignores the cursor.',
      { status },
    );
  }

  /** Requests one page. Drops ids from the end of the trail whose items have been removed. */
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

  /** @returns the page with only the items that come first in the direction of travel. */
  #cut(data: Item[], received: Received, count: number, from: Trail): Page<Item> {
    const nearest = this.#isBackward ? data.slice(-count) : data.slice(0, count);
    return this.#arrive({ object: 'list', has_more: true, data: nearest }, received, from).page;
  }
}

/** The properties that every list of the contract has. */
export type Envelope<Item> = Pick<AutomationList, 'object' | 'has_more'> & {
  /** Newest first, in both directions. */
  data: Item[];
};

/** The list envelope of the contract, with a method for the next page. As JSON it is the envelope. */
export interface Page<Item> extends Readonly<Envelope<Item>> {
  /** The response that contained the page. Its body has not been consumed. */
  readonly response: Response;
  /** Whether there are more items in the direction of travel: older items, or with `before` newer ones. */
  hasNextPage(): boolean;
  /**
   * The next page in the direction of travel, with the same filter and limit, even if items of this page have been removed.
   * Rejects with a RangeError if there is no next page.
   */
  nextPage(): Call<Page<Item>>;
}

/**
 * A class, because libraries that copy plain objects (TanStack Query, Immer) would lose the methods. Its enumerable own
 * properties are those of the envelope. It has no `#private` fields, because proxies of Vue cannot access them.
 */
class ListPage<Item> implements Page<Item> {
  readonly object: 'list';
  readonly has_more: boolean;
  readonly data: Item[];
  declare readonly response: Response;
  declare private readonly next: (() => Call<Page<Item>>) | undefined;

  /** @param next requests the next page; `undefined` if there is none. */
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
    return new Call(() => Promise.reject(new RangeError('There is no next page: check hasNextPage() first.')));
  }
}

/** A list: awaited it is a page, iterated it is a walk. */
import { ApiError } from './errors.ts';

/** The list envelope of the contract, with the response it came in. */
export interface Page<Item> {
  readonly object: 'list';
  /** Whether more items exist in the direction of travel. */
  readonly has_more: boolean;
  /** Newest first, whatever the direction. */
  readonly data: Item[];
  readonly response: Response;
}

/** Where to go on from. Both at once are refused by the type, as they are by the server. */
export type Cursor =
  | {
      /** The id of an item: older items, from the nearest on. */
      readonly after?: string;
      readonly before?: never;
    }
  | {
      readonly after?: never;
      /** The id of an item: newer items, from the nearest on. */
      readonly before?: string;
    };

export interface WalkOptions {
  /** Items a page; the server's default without it. */
  readonly limit?: number;
  /** How many items a walk gives at most. */
  readonly max?: number;
  /** Ends the request, and the walk. */
  readonly signal?: AbortSignal;
}

/** Asks for one page. */
export type FetchPage<Item> = (cursor: Cursor, limit: number | undefined) => Promise<Page<Item>>;

// From how many items back a walk can go on when those at its cursor have been removed: two of the largest pages.
const MAX_TRAIL = 200;

/**
 * Nothing is asked before it is awaited or iterated. Awaiting and iterating reject with ApiError, NetworkError, TimeoutError,
 * or the reason of the signal.
 */
export class List<Item extends { readonly id: string }> implements PromiseLike<Page<Item>>, AsyncIterable<Item> {
  readonly #fetchPage: FetchPage<Item>;
  readonly #options: WalkOptions & Cursor;
  readonly #isBackward: boolean;

  constructor(fetchPage: FetchPage<Item>, options: WalkOptions & Cursor) {
    this.#fetchPage = fetchPage;
    this.#options = options;
    this.#isBackward = options.before !== undefined;
  }

  /** The one page that the options name. */
  then<A = Page<Item>, B = never>(
    resolved?: ((page: Page<Item>) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    const { after, before, limit } = this.#options;
    return this.#fetchPage({ after, before } as Cursor, limit).then(resolved, rejected); // As they came, of a Cursor.
  }

  /** The items from the cursor on: older and older, or with `before` newer and newer. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of this.pages()) yield* this.#isBackward ? data.toReversed() : data;
  }

  /**
   * The pages from the cursor on. A walk goes on if the item it has come to is removed meanwhile, and ends at a page that
   * does not move on.
   */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    const { after, before, limit, max = Infinity } = this.#options;
    const start = after ?? before;
    // Where the walk has been, the latest last; `undefined` is the head of the list.
    let trail: (string | undefined)[] = [start];
    let left = max;
    for (let isFirst = true; left > 0; isFirst = false) {
      const page = await this.#pageAfter(trail, limit === undefined ? undefined : Math.min(limit, left));
      const ids = page.data.map((it) => it.id);
      if (this.#isBackward) ids.reverse();
      const hasMoved = ids.length > 0 && ids.at(-1) !== trail.at(-1);
      if (!hasMoved && !isFirst) return;

      yield page.data.length > left ? { ...page, data: this.#nearest(page.data, left), has_more: true } : page;
      left -= page.data.length;
      if (!page.has_more || !hasMoved) return;
      trail = [...trail, ...ids].slice(-MAX_TRAIL);
    }
  }

  #nearest(data: Item[], count: number): Item[] {
    return this.#isBackward ? data.slice(-count) : data.slice(0, count);
  }

  /** The page that follows the trail; ids at its end that are no longer there are dropped from it. */
  async #pageAfter(trail: (string | undefined)[], limit: number | undefined): Promise<Page<Item>> {
    for (;;) {
      const id = trail.at(-1);
      const cursor = id === undefined ? {} : this.#isBackward ? { before: id } : { after: id };
      try {
        return await this.#fetchPage(cursor, limit);
      } catch (error) {
        const isGone = error instanceof ApiError && error.name === 'not_found';
        if (!isGone || trail.length === 1) throw error;
        trail.pop();
      }
    }
  }
}

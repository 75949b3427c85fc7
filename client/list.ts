/** A list. Awaited, it resolves to one page; iterated, it pages through all items. */
import type { AutomationList } from '../generated/models.ts';
import { Call } from './call.ts';
import type { Received, Result } from './call.ts';
import { checkMax } from './checks.ts';
import { ApiError, NetworkError } from './client-errors.ts';
import type { CallOptions } from './fetch.ts';

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
  /**
   * The maximum number of items to read: a whole number, or Infinity. If it is finite and there is no `limit`, the client requests pages
   * of the largest size that the contract permits.
   */
  readonly max?: number | undefined;
}
/** The options as JavaScript may pass them: with both cursors. */
export type AnyWalk = WalkOptions & Readonly<Cursors> & { readonly limit?: number | undefined };

/** Requests one page of at most `max` items; with Infinity, one of the list's own limit. */
export type FetchPage<Item> = (cursor: Cursor, max: number) => Promise<Result<Envelope<Item>>>;

/** Where a page starts, and what was passed before it. */
interface Position {
  /** The ids that were passed, the latest last; `undefined` is the head of the list. */
  readonly trail: readonly (string | undefined)[];
  /** The number of pages. */
  readonly pages: number;
  /** One of them: its cursor and ids. It is replaced at page numbers that are powers of two, so it meets every cycle. */
  readonly seen: readonly (string | undefined)[];
}

interface Step<Item> extends Result<Page<Item>> {
  readonly next: Position;
}

// How many ids to fall back to when the items at the cursor have been removed: two of the largest pages.
const MAX_TRAIL = 200;

/**
 * A promise of one page, which is requested once, when it is first awaited; and an async iterable of all items. Both
 * reject with ApiError, NetworkError, TimeoutError, or the reason of the signal. Iteration rejects with a NetworkError if it would never
 * end, because the server, or a proxy, ignores the cursor or repeats pages.
 */
export class List<Item extends { readonly id: string }> extends Call<Page<Item>> implements AsyncIterable<Item> {
  readonly #fetchPage: FetchPage<Item>;
  readonly #options: AnyWalk;
  readonly #position: Position;
  readonly #isBackward: boolean;

  /** @param position where to continue, instead of at the cursor of the options. */
  constructor(fetchPage: FetchPage<Item>, options: AnyWalk, position?: Position) {
    super(async () => {
      this.#max();
      return this.#step(this.#position);
    });
    this.#fetchPage = fetchPage;
    this.#options = options;
    this.#position = position ?? { trail: [options.after ?? options.before], pages: 0, seen: [] };
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
  async toArray(bound: { readonly max: number }): Promise<Item[]> {
    const max = (bound as { readonly max?: unknown } | undefined)?.max; // JavaScript may omit it.
    checkMax(max);
    const items: Item[] = [];
    const options = { ...this.#options, max: Math.min(max, this.#max()) };
    for await (const item of new List(this.#fetchPage, options, this.#position)) items.push(item);
    return items;
  }

  /** The pages after the cursor. The traversal continues if the item at its cursor is removed. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let position = this.#position;
    for (let left = this.#max(); left > 0;) {
      const { data: page, next } = await this.#step(position, left);
      yield page;
      if (!page.hasNextPage()) return;
      left -= page.data.length;
      position = next;
    }
  }

  #max(): number {
    const { max = Infinity } = this.#options;
    checkMax(max);
    return max;
  }

  /** Requests one page, of at most `max` items. Continues from the item before if the one at the cursor has been removed. */
  async #step(from: Position, max = Infinity): Promise<Step<Item>> {
    for (let { trail } = from; ; trail = trail.slice(0, -1)) {
      const id = trail.at(-1);
      try {
        const result = await this.#fetchPage(this.#isBackward ? { before: id } : { after: id }, max);
        return this.#arrive({ ...from, trail }, result, max);
      } catch (error) {
        const isGone = error instanceof ApiError && error.name === 'not_found';
        if (!isGone || trail.length === 1) throw error;
      }
    }
  }

  /** @throws NetworkError if the traversal would not end: the server, or a proxy, ignores the cursor or repeats pages. */
  #arrive({ trail, pages, seen }: Position, { data: body, received }: Result<Envelope<Item>>, max: number): Step<Item> {
    const { object, data: all } = body;
    const data = all.length <= max ? all : this.#isBackward ? all.slice(-max) : all.slice(0, max);
    const has_more = body.has_more || data.length < all.length;
    const ids = data.map(({ id }) => id);
    if (this.#isBackward) ids.reverse();
    const cursor = trail.at(-1);
    const current = [cursor].concat(ids);
    const isSeen = current.length === seen.length && current.every((id, at) => id === seen[at]);
    const standsStill = ids.length === 0 || ids.at(-1) === cursor;
    if (has_more && (standsStill || isSeen)) {
      throw new NetworkError(
        'The list does not advance: `has_more` is true, but the server repeats items, or sends none. It ignores the cursor.',
        { status: received.status },
      );
    }
    const isPowerOfTwo = ((pages + 1) & pages) === 0;
    const next = {
      trail: trail.concat(ids).slice(-MAX_TRAIL),
      pages: pages + 1,
      seen: isPowerOfTwo ? current : seen,
    };
    const nextPage = has_more ? () => new List(this.#fetchPage, this.#options, next) : undefined;
    return { data: pageOf({ object, has_more, data }, received, nextPage), received, next };
  }
}

/** The properties that every list of the contract has. */
export type Envelope<Item> = Pick<AutomationList, 'object' | 'has_more'> & {
  /** Newest first, in both directions. */
  data: Item[];
};

/**
 * The list envelope of the contract, with a method for the next page. Its own enumerable properties and its JSON are exactly the
 * properties of the envelope.
 */
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

const RESPONSE = Symbol('response');

/** A class, because libraries that copy plain objects (TanStack Query, Immer) would lose the methods. */
class NotPlain {
  declare readonly [RESPONSE]: () => Response;

  get response(): Response {
    return this[RESPONSE]();
  }
}

const noNext = (): Call<never> =>
  new Call(() => Promise.reject(new RangeError('There is no next page: check hasNextPage() first.')));

function pageOf<Item>(
  envelope: Envelope<Item>,
  received: Received,
  next: (() => Call<Page<Item>>) | undefined,
): Page<Item> {
  // Configurable, so that proxies, such as Vue's, may return others.
  return Object.defineProperties(Object.assign(new NotPlain(), envelope), {
    [RESPONSE]: { configurable: true, value: () => received.response },
    hasNextPage: { configurable: true, value: () => next !== undefined },
    nextPage: { configurable: true, value: next ?? noNext },
  }) as NotPlain & Page<Item>;
}

/** A page of a list. */
import type { AutomationList } from '../generated/models.ts';
import { Call } from './call.ts';
import type { Received } from './fetch.ts';

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
export class ListPage<Item> implements Page<Item> {
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

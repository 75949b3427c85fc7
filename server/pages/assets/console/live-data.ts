/** The data that one key gives access to: a page of a list, the record beside it, and their failures. Polling keeps the data up to date. */
import { backoff, Failure, itemOf, itemsOf, Latest, poll } from './api.ts';
import type { ApiResponse, Item, Outcome, Send } from './api.ts';
import { isId, malformed, progressOf } from './contract.ts';
import type { Collection } from './contract.ts';
import { find } from './find.ts';
import { alone, listTarget, recordTarget } from './links.ts';
import type { Route } from './links.ts';
import { isRunning, newsOf, pageOf, refreshed } from './shown-page.ts';
import type { ShownPage } from './shown-page.ts';

/** A record that is open. */
export interface Open {
  readonly collection: Collection;
  readonly id: string;
  readonly item?: Item;
  readonly etag?: string | undefined;
  /** The query of a page with this record alone. */
  readonly query?: URLSearchParams;
}
interface Surroundings {
  readonly send: Send;
  /** Returns a function that sleeps, and rejects when the signal is aborted. */
  readonly pause: (signal: AbortSignal) => (ms: number) => Promise<void>;
  readonly changed: () => void;
  /** Called when the API rejects the key. */
  readonly unauthorized: (failure: Failure) => void;
}

export class LiveData {
  page: ShownPage | undefined;
  record: Open | undefined;
  failures: { page?: Failure | undefined; record?: Failure | undefined } = {};
  /** The records that have completed while a person looks, in words for screen readers. */
  news = '';
  /** The targets of pending requests. */
  readonly waiting = new Set<string>();

  readonly #pages = new Latest();
  readonly #records = new Latest();
  #target = '';
  #loading = Promise.withResolvers<undefined>();
  readonly #on: Surroundings;

  constructor(surroundings: Surroundings) {
    this.#on = surroundings;
  }

  /** Shows a route. Data that is shown already is not requested again. */
  go(route: Route): void {
    if (listTarget(route.collection, route.query) !== this.#target) this.#loadPage(route);
    const { collection, id } = route;
    if (id === undefined) this.#close();
    else if (this.record?.id !== id || this.record.collection !== collection) this.#loadRecord(collection, id);
  }

  /** Requests the data of a route again. */
  reload(route: Route): void {
    this.#loadPage(route);
    if (route.id !== undefined) this.#loadRecord(route.collection, route.id);
  }

  /** Shows the newest version of the page. */
  showNext(): void {
    if (this.page?.next !== undefined) this.#showPage(this.page.next);
  }

  /** Shows nothing, and requests nothing. */
  leave(): void {
    this.stop();
    this.#target = '';
    this.record = undefined;
  }

  stop(): void {
    this.#pages.stop();
    this.#records.stop();
  }

  #loadPage(route: Route): void {
    const { collection } = route;
    const target = (this.#target = listTarget(collection, route.query));
    if (this.page?.route.collection !== collection) this.page = undefined;
    this.failures.page = undefined;
    this.news = '';
    const loading = Promise.withResolvers<undefined>();
    this.#loading.resolve(loading.promise); // A search that waits for the previous page waits for this one instead.
    this.#loading = loading;
    const load = async (signal: AbortSignal): Promise<void> => {
      const response = await this.#sendUntilServed('page', target, signal);
      this.#showPage(pageOf(route, response));
      loading.resolve(undefined);
      const outcome = (isNew: boolean): Outcome => {
        if (this.page === undefined || !isRunning(this.page)) return 'idle';
        return isNew ? 'changed' : 'unchanged';
      };
      const refresh = async (): Promise<Outcome> => {
        const next = await this.#on.send(target, { signal, etag: this.page?.etag });
        signal.throwIfAborted();
        if (next !== undefined && this.page !== undefined) this.#showPage(refreshed(this.page, pageOf(route, next)));
        return outcome(next !== undefined);
      };
      await poll(refresh, this.#reporter('page'), this.#on.pause(signal), outcome(true));
    };
    void this.#pages.run(load, (error) => {
      if (this.page?.target !== target) this.page = undefined;
      this.#fail('page', error);
      loading.resolve(undefined);
    });
  }

  #loadRecord(collection: Collection, id: string): void {
    this.record = { collection, id };
    this.#syncRecord();
    this.failures.record = undefined;
    if (!isId(collection, id)) {
      this.#records.stop();
      this.failures.record = new Failure('Malformed id', malformed(collection), { status: 422 });
      return;
    }
    const load = collection.retrieval === undefined ? this.#finds(collection, id) : this.#retrieves(collection, id);
    void this.#records.run(load, (error) => {
      this.#fail('record', error);
    });
  }

  #retrieves(collection: Collection, id: string): (signal: AbortSignal) => Promise<void> {
    const target = recordTarget(collection, id);
    return async (signal) => {
      const response = await this.#sendUntilServed('record', target, signal);
      this.#showRecord(itemOf(response.body), response.etag);
      const isOver = (): boolean =>
        this.record?.item === undefined || progressOf(collection, this.record.item)?.isRunning !== true;
      if (isOver()) return;
      const refresh = async (): Promise<Outcome> => {
        // While the page contains the record, polling the page is enough.
        const next = this.#pageHas(id) ? undefined : await this.#on.send(target, { signal, etag: this.record?.etag });
        signal.throwIfAborted();
        if (next !== undefined) this.#showRecord(itemOf(next.body), next.etag);
        if (isOver()) return 'over';
        return next === undefined ? 'unchanged' : 'changed';
      };
      await poll(refresh, this.#reporter('record'), this.#on.pause(signal));
    };
  }

  #finds(collection: Collection, id: string): (signal: AbortSignal) => Promise<void> {
    return async (signal) => {
      await this.#loading.promise;
      signal.throwIfAborted();
      this.#syncRecord();
      if (this.record?.item === undefined) {
        const found = await find(id, collection.limit.minimum, async (query) => {
          const response = await this.#sendUntilServed('record', listTarget(collection, query), signal);
          return itemsOf(response.body);
        });
        if (found === undefined) throw new Failure('No result', 'The list changed during the search.');
        this.record = { collection, id, ...found };
      }
      this.#on.changed();
    };
  }

  #close(): void {
    this.#records.stop();
    this.record = undefined;
    this.failures.record = undefined;
  }

  /** @returns a function that shows a failure of polling while it lasts. */
  #reporter(what: 'page' | 'record'): (failure: Failure | undefined) => void {
    return (failure) => {
      this.failures[what] = failure;
      this.#on.changed();
    };
  }

  /** Sends a request, and again after the time that the server asks for, or less and less often while there is no server. */
  async #sendUntilServed(what: 'page' | 'record', target: string, signal: AbortSignal): Promise<ApiResponse> {
    for (let pauseMs = 0; ;) {
      try {
        const response = await this.#send(target, signal);
        this.failures[what] = undefined;
        if (response !== undefined) return response;
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        pauseMs = backoff(pauseMs);
        const waitMs = error.waitAfter(pauseMs);
        if (waitMs === undefined) throw error;
        error.retryIn(waitMs);
        this.#reporter(what)(error);
        await this.#on.pause(signal)(waitMs);
      }
    }
  }

  async #send(target: string, signal: AbortSignal): Promise<ApiResponse | undefined> {
    this.waiting.add(target);
    this.#on.changed();
    try {
      const response = await this.#on.send(target, { signal });
      signal.throwIfAborted();
      return response;
    } finally {
      this.waiting.delete(target);
      this.#on.changed();
    }
  }

  #showPage(page: ShownPage): void {
    this.#report(page.route.collection, this.page?.items, page.items);
    this.page = page;
    this.#syncRecord();
    this.#on.changed();
  }

  #showRecord(item: Item, etag: string | undefined): void {
    const { page, record } = this;
    if (record !== undefined) {
      this.#report(record.collection, record.item === undefined ? [] : [record.item], [item]);
      this.record = { ...record, item, etag };
    }
    if (page !== undefined && this.#pageHas(item.id)) {
      this.page = { ...page, items: page.items.map((shown) => (shown.id === item.id ? item : shown)) };
    }
    this.#on.changed();
  }

  #report(collection: Collection, before: readonly Item[] = [], after: readonly Item[]): void {
    const news = newsOf(collection, before, after);
    if (news !== '') this.news = news;
  }

  /** Takes the open record from the page, if the page has it. */
  #syncRecord(): void {
    const { record, page } = this;
    if (record === undefined || page?.route.collection !== record.collection) return;
    const id = record.id.toLowerCase();
    const item = page.items.find((listed) => listed.id === id);
    if (item === undefined) return;
    const ids = page.items.map((listed) => listed.id);
    this.record = { ...record, item, query: alone(page.route.query, ids, id, record.collection) };
  }

  #pageHas(id: string): boolean {
    const { page, record } = this;
    if (page === undefined || page.route.collection !== record?.collection) return false;
    return page.items.some((item) => item.id === id.toLowerCase());
  }

  #fail(what: 'page' | 'record', error: unknown): void {
    const failure = error instanceof Failure ? error : new Failure('Console error', String(error));
    if (failure.isUnauthorized) this.#on.unauthorized(failure);
    else this.failures[what] = failure;
    this.#on.changed();
  }
}

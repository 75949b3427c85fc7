/** The data that one key gives access to: a page of a list, the record beside it, and their failures. Polling keeps the data up to date. */
import { Failure, itemOf, itemsOf, Latest, poll } from './api.ts';
import type { ApiResponse, Item, Send } from './api.ts';
import { progressOf, WORDS } from './contract.ts';
import type { Collection } from './contract.ts';
import { alone, listTarget, recordTarget } from './links.ts';
import type { Route } from './links.ts';
import { newsOf } from './news.ts';

export interface Page {
  readonly route: Route;
  readonly target: string;
  readonly items: readonly Item[];
  readonly hasMore: boolean;
  readonly body: unknown;
  readonly etag: string | undefined;
}
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

export class Session {
  readonly seen = new Seen();
  page: Page | undefined;
  record: Open | undefined;
  failures: { page?: Failure | undefined; record?: Failure | undefined } = {};
  /** The records that have completed while a person looks, in words for screen readers. */
  news = '';
  /** The targets of pending requests. */
  readonly waiting = new Set<string>();

  readonly #pages = new Latest();
  readonly #records = new Latest();
  #target = '';
  #hasPage = Promise.resolve();
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
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#hasPage = promise;
    const load = async (signal: AbortSignal): Promise<void> => {
      const response = await this.#send(target, signal);
      if (response !== undefined) this.#showPage(route, target, response);
      resolve(undefined);
      await this.#follow(
        () => this.page?.items.some((it) => progressOf(collection, it)?.isRunning) === true,
        () => this.#on.send(target, { signal, etag: this.page?.etag }),
        (next) => {
          this.#showPage(route, target, next);
        },
        'page',
        signal,
      );
    };
    void this.#pages.run(load, (error) => {
      if (this.page?.target !== target) this.page = undefined;
      this.#fail('page', error);
      resolve(undefined);
    });
  }

  #loadRecord(collection: Collection, id: string): void {
    this.record = { collection, id };
    this.#syncRecord();
    this.failures.record = undefined;
    const load = collection.retrieval === undefined ? this.#finds(collection, id) : this.#retrieves(collection, id);
    void this.#records.run(load, (error) => {
      this.#fail('record', error);
    });
  }

  #retrieves(collection: Collection, id: string): (signal: AbortSignal) => Promise<void> {
    const target = recordTarget(collection, id);
    return async (signal) => {
      const response = await this.#send(target, signal);
      if (response !== undefined) this.#showRecord(itemOf(response.body), response.etag);
      await this.#follow(
        () => this.record?.item !== undefined && progressOf(collection, this.record.item)?.isRunning === true,
        // While the page contains the record, polling the page is enough.
        async () => (this.#pageHas(id) ? undefined : this.#on.send(target, { signal, etag: this.record?.etag })),
        (next) => {
          this.#showRecord(itemOf(next.body), next.etag);
        },
        'record',
        signal,
      );
    };
  }

  #finds(collection: Collection, id: string): (signal: AbortSignal) => Promise<void> {
    return async (signal) => {
      await this.#hasPage;
      signal.throwIfAborted();
      this.#syncRecord();
      if (this.record?.item === undefined) {
        const found = await find(id, collection.limit.minimum, async (query) => {
          const response = await this.#send(listTarget(collection, query), signal);
          return itemsOf(response?.body);
        });
        if (found === undefined) throw new Failure('Not found', 'The list moved while the record was looked for.');
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

  /** Polls while something runs. */
  async #follow(
    isRunning: () => boolean,
    send: () => Promise<ApiResponse | undefined>,
    show: (response: ApiResponse) => void,
    what: 'page' | 'record',
    signal: AbortSignal,
  ): Promise<void> {
    if (!isRunning()) return;
    const sendOnce = async (): Promise<'changed' | 'unchanged' | 'over'> => {
      const response = await send();
      signal.throwIfAborted();
      if (response !== undefined) show(response);
      if (!isRunning()) return 'over';
      return response === undefined ? 'unchanged' : 'changed';
    };
    const report = (failure: Failure | undefined): void => {
      this.failures[what] = failure;
      this.#on.changed();
    };
    await poll(sendOnce, report, this.#on.pause(signal));
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

  #showPage(route: Route, target: string, { body, etag }: ApiResponse): void {
    const items = itemsOf(body);
    const hasMore = body[WORDS.hasMore] === true;
    this.#report(route.collection, this.page?.items, items);
    this.page = { route, target, items, hasMore, body, etag };
    const { query, collection } = route;
    const after = query.get(WORDS.after) ?? undefined;
    this.seen.add(collection.path, {
      ids: items.map((it) => it.id),
      ...{ hasMore, after },
      isFromHead: after === undefined && !query.has(WORDS.before),
      isFiltered: collection.filters.some((it) => query.has(it.name)),
    });
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
      this.page = { ...page, items: page.items.map((it) => (it.id === item.id ? item : it)) };
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
    const item = page.items.find((it) => it.id === id);
    if (item === undefined) return;
    const ids = page.items.map((it) => it.id);
    this.record = { ...record, item, query: alone(page.route.query, ids, id, record.collection) };
  }

  #pageHas(id: string): boolean {
    const { page, record } = this;
    if (page === undefined || page.route.collection !== record?.collection) return false;
    return page.items.some((it) => it.id === id.toLowerCase());
  }

  #fail(what: 'page' | 'record', error: unknown): void {
    const failure = error instanceof Failure ? error : new Failure('A fault of this page', String(error));
    if (failure.isUnauthorized) this.#on.unauthorized(failure);
    else this.failures[what] = failure;
    this.#on.changed();
  }
}

/**
 * Finds a record by its id in a list whose records cannot be retrieved by id: it reads a neighbour of the record, and then the page
 * beside that neighbour.
 * @param limit the smallest limit of a page.
 * @param list rejects if there is no record at the cursor.
 * @returns the record, and the query of a page with this record alone; undefined if the list moved meanwhile.
 */
export async function find(
  id: string,
  limit: number,
  list: (query: URLSearchParams) => Promise<readonly Item[]>,
): Promise<{ readonly item: Item; readonly query: URLSearchParams } | undefined> {
  const { after, before } = WORDS;
  const page = (cursor: Readonly<Record<string, string>>): URLSearchParams =>
    new URLSearchParams({ [WORDS.limit]: String(limit), ...cursor });
  const [older] = await list(page({ [after]: id }));
  const [newer] = older === undefined ? await list(page({ [before]: id })) : [];
  const query =
    older === undefined ? page(newer === undefined ? {} : { [after]: newer.id }) : page({ [before]: older.id });
  const item = (await list(query)).find((it) => it.id === id.toLowerCase());
  return item === undefined ? undefined : { item, query };
}

interface Sight {
  readonly ids: Set<string>;
  /** The ids that were reached from the head of the unfiltered list without a gap. */
  readonly reached: Set<string>;
  /** Whether `reached` goes to the end of the list. */
  isWhole: boolean;
}
interface SeenPage {
  readonly ids: readonly string[];
  readonly hasMore: boolean;
  readonly after: string | undefined;
  readonly isFromHead: boolean;
  readonly isFiltered: boolean;
}

/** Counts the records of each collection that a person has seen, and tracks whether there are more. */
export class Seen {
  readonly #sights = new Map<string, Sight>();

  /** @param path the path of the collection. */
  add(path: string, { ids, hasMore, after, isFromHead, isFiltered }: SeenPage): void {
    const sight = this.#sights.get(path) ?? { ids: new Set(), reached: new Set(), isWhole: false };
    this.#sights.set(path, sight);
    for (const id of ids) sight.ids.add(id);
    const continues = !isFiltered && (isFromHead || (after !== undefined && sight.reached.has(after)));
    if (!continues) return;
    for (const id of ids) sight.reached.add(id);
    sight.isWhole ||= !hasMore;
  }

  /** @returns a label such as `20+`; an empty text if the collection has had no page yet. */
  label(path: string): string {
    const sight = this.#sights.get(path);
    return sight === undefined ? '' : `${String(sight.ids.size)}${sight.isWhole ? '' : '+'}`;
  }
}

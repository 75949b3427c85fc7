/** The download of a list as NDJSON: all its pages, one after the other, up to a bound. */
import { Failure, itemsOf, Latest } from './api.ts';
import type { Item, Send } from './api.ts';
import { WORDS } from './contract.ts';
import { changed, listTarget } from './links.ts';
import type { Route } from './links.ts';

/** The file is held in memory until it is complete. */
export const MAX_RECORDS = 10_000;
const MAX_LENGTH = 100 * 2 ** 20;
// Pages of a list that moves may repeat records, but not without end.
const MAX_REPEATED_PAGES = 2;

interface Surroundings {
  readonly send: Send;
  /** Returns a function that sleeps, and rejects when the signal is aborted. */
  readonly sleep: (signal: AbortSignal) => (ms: number) => Promise<void>;
  readonly changed: () => void;
  readonly save: (name: string, lines: readonly string[]) => void;
  readonly unauthorized: (failure: Failure) => void;
}

export class Download {
  readonly route: Route;
  state: 'running' | 'waiting' | 'failed' | 'complete' = 'running';
  /** Why it waits, or has failed. */
  failure: Failure | undefined;
  /** Whether the list has more records than the file. */
  isCut = false;
  readonly #lines: string[] = [];
  #length = 0;
  /** The ids of the records, in order. A Set, because a list may move. */
  readonly #ids = new Set<string>();
  /** The ids to continue after: the last is the cursor, those before it replace it when its record is gone. */
  readonly #cursors: string[] = [];
  #pages = 0;
  readonly #runs = new Latest();
  readonly #on: Surroundings;

  /** @param route the list with its filters. Its cursors and page size do not matter. */
  constructor(route: Route, surroundings: Surroundings) {
    this.route = route;
    this.#on = surroundings;
  }

  get count(): number {
    return this.#lines.length;
  }

  /** Starts, or resumes after a failure. */
  run(): void {
    this.#set('running');
    void this.#runs.run(
      (signal) => this.#read(signal),
      (error) => {
        const failure = error instanceof Failure ? error : new Failure('Console error', String(error));
        if (failure.isUnauthorized) this.#on.unauthorized(failure);
        else this.#set('failed', failure);
      },
    );
  }

  cancel(): void {
    this.#runs.stop();
  }

  async #read(signal: AbortSignal): Promise<void> {
    for (;;) {
      const body = await this.#next(signal);
      if (body === undefined) continue;
      this.#count();
      const items = itemsOf(body);
      this.#add(items);
      const hasMore = body[WORDS.hasMore] === true && items.length > 0;
      this.isCut = hasMore && (this.count >= MAX_RECORDS || this.#length >= MAX_LENGTH);
      if (!hasMore || this.isCut) break;
      this.#on.changed();
    }
    this.#set('complete');
    this.#on.save(nameOf(this.route), this.#lines);
  }

  /** @returns the next page; undefined if the same request, or one with another cursor, is to be sent. */
  async #next(signal: AbortSignal): Promise<Readonly<Record<string, unknown>> | undefined> {
    const { collection, query } = this.route;
    const cursor = this.#cursors.at(-1);
    const limit = String(collection.limit.maximum);
    try {
      const target = listTarget(collection, changed(query, { [WORDS.limit]: limit, [WORDS.after]: cursor }));
      const response = await this.#on.send(target, { signal });
      signal.throwIfAborted();
      return response?.body;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Failure)) throw error;
      // The record at the cursor has been deleted. The record before it is a cursor too.
      if (error.status === 404 && this.#cursors.length > 1) {
        this.#cursors.pop();
        this.#count();
        return undefined;
      }
      if (error.waitMs === undefined) throw error;
      this.#set('waiting', error);
      await this.#on.sleep(signal)(error.waitMs);
      this.#set('running');
      return undefined;
    }
  }

  /** @throws {Failure} if there are more pages than the records can fill. */
  #count(): void {
    this.#pages += 1;
    const { maximum } = this.route.collection.limit;
    if (this.#pages <= (MAX_REPEATED_PAGES * MAX_RECORDS) / maximum) return;
    throw new Failure('Unexpected response', 'The list does not end: its pages repeat records.');
  }

  #add(items: readonly Item[]): void {
    for (const item of items) {
      if (this.count >= MAX_RECORDS) return;
      this.#cursors.push(item.id);
      if (this.#ids.has(item.id)) continue;
      this.#ids.add(item.id);
      const line = `${JSON.stringify(item)}\n`;
      this.#lines.push(line);
      this.#length += line.length;
    }
  }

  #set(state: Download['state'], failure?: Failure): void {
    this.state = state;
    this.failure = failure;
    this.#on.changed();
  }
}

/** @returns such as `automations-enabled.ndjson`. */
function nameOf({ collection, query }: Route): string {
  const filters = collection.filters.flatMap(({ name }) => query.get(name) ?? []);
  return `${[collection.noun, ...filters].join('-').replaceAll(/[^a-z0-9]+/gi, '-')}.ndjson`;
}

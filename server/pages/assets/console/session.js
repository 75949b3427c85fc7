/** What one key has been shown: a page, a record beside it, and what stands in their way; all of it kept up to date. */
import { Failure } from './api.js';
import { WORDS } from './contract.js';
import { find } from './find.js';
import { itemOf, itemsOf } from './items.js';
import { Lane } from './lane.js';
import { alone, lookupTarget, targetOf } from './location.js';
import { poll } from './poll.js';
import { progressOf } from './progress.js';
import { Seen } from './seen.js';

/**
 * @typedef {import('./api.js').Ask} Ask
 * @typedef {import('./api.js').Answer} Answer
 * @typedef {import('./contract.js').Collection} Collection
 * @typedef {import('./items.js').Item} Item
 * @typedef {import('./location.js').Place} Place
 * @typedef {{
 *   place: Place, target: string, items: readonly Item[], hasMore: boolean, body: unknown, etag: string | undefined,
 * }} Page
 * @typedef {{ collection: Collection, id: string, item?: Item, etag?: string | undefined, query?: URLSearchParams }} Open
 *   a record, as far as it has come, and the query that answers it alone.
 * @typedef {{
 *   ask: Ask, pause: (signal: AbortSignal) => (ms: number) => Promise<void>,
 *   changed: () => void, refused: (failure: Failure) => void,
 * }} Ground
 */

export class Session {
  seen = new Seen();
  /** @type {Page | undefined} */
  page;
  /** @type {Open | undefined} */
  record;
  /** @type {{ page?: Failure | undefined, record?: Failure | undefined }} */
  failures = {};
  /** @type {Set<string>} targets of requests that are not answered yet. */
  waiting = new Set();

  #pages = new Lane();
  #records = new Lane();
  #target = '';
  /** @type {Promise<void>} */
  #hasPage = Promise.resolve();
  #ground;

  /** @param {Ground} ground how to ask, what tells of changes and of a key that is refused. */
  constructor(ground) {
    this.#ground = ground;
  }

  /** @param {Place} place what to show. What is shown already is not asked for again. */
  go(place) {
    if (targetOf(place.collection, place.query) !== this.#target) this.#loadPage(place);
    const { collection, id } = place;
    if (id === undefined) this.#close();
    else if (this.record?.id !== id || this.record.collection !== collection) this.#loadRecord(collection, id);
  }

  /** @param {Place} place what to ask for again, whatever is shown. */
  reload(place) {
    this.#loadPage(place);
    if (place.id !== undefined) this.#loadRecord(place.collection, place.id);
  }

  /** Nothing is shown, and nothing asked for. */
  leave() {
    this.stop();
    this.#target = '';
    this.record = undefined;
  }

  stop() {
    this.#pages.stop();
    this.#records.stop();
  }

  /** @param {Place} place */
  #loadPage(place) {
    const { collection } = place;
    const target = (this.#target = targetOf(collection, place.query));
    if (this.page?.place.collection !== collection) this.page = undefined;
    this.failures.page = undefined;
    /** @type {PromiseWithResolvers<void>} */
    const { promise, resolve } = Promise.withResolvers();
    this.#hasPage = promise;
    const load = async (/** @type {AbortSignal} */ signal) => {
      const answer = await this.#ask(target, signal);
      if (answer !== undefined) this.#showPage(place, target, answer);
      resolve();
      await this.#follow(
        () => this.page?.items.some((it) => progressOf(collection, it)?.isRunning) === true,
        () => this.#ground.ask(target, { signal, etag: this.page?.etag }),
        (answer) => this.#showPage(place, target, answer),
        'page',
        signal,
      );
    };
    void this.#pages.run(load, (error) => {
      if (this.page?.target !== target) this.page = undefined;
      this.#fail('page', error);
      resolve();
    });
  }

  /** @param {Collection} collection @param {string} id */
  #loadRecord(collection, id) {
    this.record = { collection, id };
    this.#syncRecord();
    this.failures.record = undefined;
    const load = collection.lookup === undefined ? this.#finds(collection, id) : this.#looksUp(collection, id);
    void this.#records.run(load, (error) => {
      this.#fail('record', error);
    });
  }

  /** @param {Collection} collection @param {string} id @returns {(signal: AbortSignal) => Promise<void>} */
  #looksUp(collection, id) {
    const target = lookupTarget(collection, id);
    return async (signal) => {
      const answer = await this.#ask(target, signal);
      if (answer !== undefined) this.#showRecord(itemOf(answer.body), answer.etag);
      await this.#follow(
        () => this.record?.item !== undefined && progressOf(collection, this.record.item)?.isRunning === true,
        // While the page has it, the page is asked for it.
        async () => (this.#pageHas(id) ? undefined : this.#ground.ask(target, { signal, etag: this.record?.etag })),
        (answer) => this.#showRecord(itemOf(answer.body), answer.etag),
        'record',
        signal,
      );
    };
  }

  /** @param {Collection} collection @param {string} id @returns {(signal: AbortSignal) => Promise<void>} */
  #finds(collection, id) {
    return async (signal) => {
      await this.#hasPage;
      signal.throwIfAborted();
      this.#syncRecord();
      if (this.record?.item !== undefined) return this.#ground.changed();
      const found = await find(id, collection.limit.minimum, async (query) => {
        const answer = await this.#ask(targetOf(collection, query), signal);
        return itemsOf(answer?.body);
      });
      if (found === undefined) throw new Failure('Not found', 'The list moved while the record was looked for.');
      this.record = { collection, id, ...found };
      this.#ground.changed();
    };
  }

  #close() {
    this.#records.stop();
    this.record = undefined;
    this.failures.record = undefined;
  }

  /**
   * Asks again while something runs.
   * @param {() => boolean} isRunning
   * @param {() => Promise<Answer | undefined>} ask
   * @param {(answer: Answer) => void} show
   * @param {'page' | 'record'} what
   * @param {AbortSignal} signal
   */
  async #follow(isRunning, ask, show, what, signal) {
    if (!isRunning()) return;
    const askOnce = async () => {
      const answer = await ask();
      signal.throwIfAborted();
      if (answer !== undefined) show(answer);
      if (!isRunning()) return 'over';
      return answer === undefined ? 'unchanged' : 'changed';
    };
    const tell = (/** @type {Failure | undefined} */ failure) => {
      this.failures[what] = failure;
      this.#ground.changed();
    };
    await poll(askOnce, tell, this.#ground.pause(signal));
  }

  /** @param {string} target @param {AbortSignal} signal @returns {Promise<Answer | undefined>} */
  async #ask(target, signal) {
    this.waiting.add(target);
    this.#ground.changed();
    try {
      const answer = await this.#ground.ask(target, { signal });
      signal.throwIfAborted();
      return answer;
    } finally {
      this.waiting.delete(target);
      this.#ground.changed();
    }
  }

  /** @param {Place} place @param {string} target @param {Answer} answer */
  #showPage(place, target, { body, etag }) {
    const items = itemsOf(body);
    const hasMore = body[WORDS.hasMore] === true;
    this.page = { place, target, items, hasMore, body, etag };
    const { query, collection } = place;
    const after = query.get(WORDS.after) ?? undefined;
    this.seen.add(collection.path, {
      ids: items.map((it) => it.id),
      ...{ hasMore, after },
      isFromHead: after === undefined && !query.has(WORDS.before),
      isFiltered: collection.filters.some((it) => query.has(it.name)),
    });
    this.#syncRecord();
    this.#ground.changed();
  }

  /** @param {Item} item @param {string | undefined} etag */
  #showRecord(item, etag) {
    if (this.record !== undefined) this.record = { ...this.record, item, etag };
    const { page } = this;
    if (page !== undefined && this.#pageHas(item.id)) {
      this.page = { ...page, items: page.items.map((it) => (it.id === item.id ? item : it)) };
    }
    this.#ground.changed();
  }

  /** The record is what the page says of it. */
  #syncRecord() {
    const { record, page } = this;
    if (record === undefined || page?.place.collection !== record.collection) return;
    const id = record.id.toLowerCase();
    const item = page.items.find((it) => it.id === id);
    if (item === undefined) return;
    const ids = page.items.map((it) => it.id);
    this.record = { ...record, item, query: alone(page.place.query, ids, id, record.collection) };
  }

  /** @param {string} id */
  #pageHas(id) {
    const { page, record } = this;
    return page?.place.collection === record?.collection && page?.items.some((it) => it.id === id.toLowerCase());
  }

  /** @param {'page' | 'record'} what @param {unknown} error */
  #fail(what, error) {
    const failure = error instanceof Failure ? error : new Failure('A fault of this page', String(error));
    if (failure.isRefusal) this.#ground.refused(failure);
    else this.failures[what] = failure;
    this.#ground.changed();
  }
}

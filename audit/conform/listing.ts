/** The records of a list for one account: its pages, requested once, and whether the records have changed since. */
import { counted } from '../../contract/wording.ts';
import { Failure, NotChecked } from '../rules/rule.ts';
import { own, quote, say } from '../rules/text.ts';
import { assertThat } from './checked-session.ts';
import { idsOf } from './records.ts';
import type { Comparison, Item } from './records.ts';
import type { CheckedResponse, Relisting } from './checked-session.ts';

export interface ListedPage {
  readonly response: CheckedResponse;
  readonly hasMore: boolean;
  readonly items: readonly Item[];
}

/** The parameters of a page: the cursor, the limit, and the filter by its name. */
export interface Query {
  readonly after?: string;
  readonly before?: string;
  readonly limit?: number;
  readonly [filter: string]: string | number | undefined;
}

/** A list that can be requested. */
export interface Source {
  /** Its name in messages. */
  readonly name: string;
  readonly limits: { readonly min: number; readonly max: number };
  readonly comparison: Comparison;
  /** Requests a page. @throws Failure if the response is not a page, NotChecked if it cannot be read. */
  readonly page: (query: Query) => Promise<ListedPage>;
  /** Whether the account has a record with this id. Requests the list with the id as its cursor. */
  readonly hasRecord: (id: string) => Promise<boolean>;
}

/** Some records that were listed: the values of each, by its id. */
type View = ReadonlyMap<string, string>;

// A change removes a few records; an inconsistent server may omit all.
const MAX_PROBES = 3;

const SPENT = say`the account changes too often: the requests that list its records again are used up (--max-requests)`;

// The second traversal of a long list ends after these pages.
const SECOND_PAGES = 2;

export class Listing {
  readonly #source: Source;
  readonly #maxItems: number;
  #pages: Promise<readonly ListedPage[]> | undefined;
  #last: View | undefined;
  /** All values that each record ever had, and the records that disappeared. */
  readonly #history = new Map<string, Set<string>>();
  readonly #gone = new Set<string>();
  /** Whether records or values were listed since `begin` that had never been listed before. */
  #hasNews = false;
  #wasRead = false;
  #version = 0;
  /** Whether the pages were consistent once, and whether a rule has failed because they no longer are. */
  #isConsistent = false;
  #isReported = false;
  readonly #relisting: Relisting;
  #isAgain = false;

  /** @param maxItems how many items of a long list are read. */
  constructor(source: Source, maxItems: number, relisting: Relisting) {
    this.#source = source;
    this.#maxItems = maxItems;
    this.#relisting = relisting;
  }

  /**
   * The pages with the maximum limit, up to the maximum number of items. They are requested once, then cached.
   * @throws Failure if an item occurs twice, or if pages with another limit have other items; NotChecked if they may not be listed again.
   */
  pages(): Promise<readonly ListedPage[]> {
    this.#wasRead = true;
    if (this.#pages === undefined) {
      const version = this.#version;
      const pages = this.#traverseTwice();
      this.#pages = pages;
      // Pages that contradict one another because the records have changed meanwhile are requested again by the next rule.
      pages.catch(() => {
        if (this.#version !== version && this.#pages === pages) this.#pages = undefined;
      });
    }
    return this.#pages;
  }

  /**
   * The items of these pages. If the pages contradict one another, list.pagination fails. If they did so only later, the first rule
   * that reads them fails.
   * @throws NotChecked if they cannot be listed.
   */
  async items(): Promise<readonly Item[]> {
    const pages = await this.pages().catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      const contradiction = say`the pages of ${own(this.#source.name)} contradict one another`;
      if (!this.#isConsistent) throw new NotChecked(say`${contradiction}, or are errors (see its list.pagination)`);
      if (this.#isReported) throw new NotChecked(contradiction);
      this.#isReported = true;
      throw error;
    });
    return pages.flatMap(({ items }) => items);
  }

  /** Whether the pages reach the end of the list. */
  async isWhole(): Promise<boolean> {
    const last = (await this.pages()).at(-1);
    return last?.hasMore === false || last?.items.length === 0;
  }

  /** A number that is another one once the records are known to have changed: what was read at an earlier one may be old. */
  get version(): number {
    return this.#version;
  }

  /** Records that a rule begins, or that it has read a record. */
  begin(): void {
    this.#wasRead = false;
    this.#hasNews = false;
  }
  markRead(): void {
    this.#wasRead = true;
  }

  /**
   * Lists the records again, if they were read since `begin`.
   * @returns whether they have changed, or may have. Records that come and go, and values that come back, are not a change: two
   *   servers behind one address return such responses. Where no more requests may list them, they have changed if any records of the run have.
   * @throws NotChecked if that is so.
   */
  async hasChanged(): Promise<boolean> {
    if (!this.#wasRead) return false;
    const before = this.#last;
    if (!this.#start()) {
      if (this.#relisting.hasChange) throw new NotChecked(SPENT);
      return false;
    }
    const after = await this.#look();
    this.#keep(after);
    const isChanged = before === undefined || this.#hasNews || (await this.#areGone(before, after));
    this.#hasNews = false;
    if (isChanged) {
      this.#pages = undefined;
      this.#version += 1;
      this.#isReported = false;
      this.#relisting.hasChange ||= before !== undefined;
    }
    return isChanged;
  }

  /** Begins to list the records. @returns whether they may be listed: for the first time, or as long as requests for it are left. */
  #start(): boolean {
    this.#isAgain = this.#last !== undefined;
    return !this.#isAgain || this.#relisting.left > 0;
  }

  /** Whether records that were listed have disappeared for the first time. */
  async #areGone(before: View, after: View): Promise<boolean> {
    const missing = [...before.keys()].filter((id) => !after.has(id) && !this.#gone.has(id));
    let areGone = false;
    for (const id of missing.slice(0, MAX_PROBES)) {
      if (await this.#source.hasRecord(id)) continue;
      this.#gone.add(id);
      areGone = true;
    }
    return areGone;
  }

  /** @param isMore whether the records that were listed before are kept too: the view is a part of the list. */
  #keep(view: View, isMore = false): void {
    this.#last = new Map([...(isMore ? (this.#last ?? []) : []), ...view]);
    const isFirst = this.#history.size === 0;
    for (const [id, value] of view) {
      const values = this.#history.get(id) ?? new Set<string>();
      if (!isFirst && !values.has(value)) {
        this.#hasNews = true;
        this.#version += 1;
      }
      this.#history.set(id, values.add(value));
    }
  }

  /** Lists the records, whatever order or repetition there is. */
  async #look(): Promise<View> {
    const view = new Map<string, string>();
    try {
      for await (const page of this.#follow(this.#source.limits.max)) this.#add(view, page);
    } catch (error) {
      if (!(error instanceof Failure || error instanceof NotChecked)) throw error;
    }
    return view;
  }

  #add(view: Map<string, string>, { items }: ListedPage): void {
    for (const item of items) view.set(item.id, this.#source.comparison.valueOf(item));
  }

  /** Follows the cursors from the first page on. An empty page ends the list, whatever its has_more is: other rules check that. */
  async *#follow(limit: number): AsyncGenerator<ListedPage> {
    let count = 0;
    for (let query: Query = { limit }; ;) {
      if (this.#isAgain) this.#relisting.left -= 1;
      const page = await this.#source.page(query);
      yield page;
      count += page.items.length;
      const last = page.items.at(-1);
      if (!page.hasMore || last === undefined || count >= this.#maxItems) return;
      query = { limit, after: last.id };
    }
  }

  /**
   * @param maxPages after how many pages to end.
   * @param isAgain whether the list has just been traversed.
   * @throws Failure if a page is too long, or if an item occurs twice.
   */
  async #traverse(limit: number, maxPages = Infinity, isAgain = false): Promise<readonly ListedPage[]> {
    const pages: ListedPage[] = [];
    const view = new Map<string, string>();
    try {
      for await (const page of this.#follow(limit)) {
        const { response, items } = page;
        const length = say`${counted(items.length, 'items')}`;
        assertThat(response, items.length <= limit, say`at most ${counted(limit, 'items')}`, length);
        for (const [at, { id }] of items.entries()) {
          const isNew = !view.has(id) && !items.slice(0, at).some((item) => item.id === id);
          assertThat(response, isNew, say`items not listed before`, say`${quote(id)} again`);
        }
        this.#add(view, page);
        pages.push(page);
        if (pages.length >= maxPages) break;
      }
      return pages;
    } finally {
      this.#keep(view, isAgain);
    }
  }

  /** Traverses the list with the maximum limit, and then with one less, so that pages end at other items. */
  async #traverseTwice(): Promise<readonly ListedPage[]> {
    if (!this.#start()) throw new NotChecked(SPENT);
    const { min, max } = this.#source.limits;
    const pages = await this.#traverse(max);
    const items = pages.flatMap((page) => page.items);
    let offset = 0;
    const again = pages.length === 1 ? [] : await this.#traverse(Math.max(min, max - 1), SECOND_PAGES, true);
    for (const { response, items: actual, hasMore } of again) {
      // The second traversal may go beyond the end of the first: those items are not compared.
      const expected = items.slice(offset, offset + actual.length);
      const wrong = this.#source.comparison.differenceOfItems(expected, actual.slice(0, items.length - offset));
      const what = say`the same items as with limit ${max}: ${idsOf(expected)}`;
      assertThat(response, wrong === undefined, what, wrong?.actual, wrong?.difference);
      offset += actual.length;
      const isRight = hasMore || offset >= items.length;
      assertThat(response, isRight, say`has_more true: with limit ${max}, there are more items`, say`has_more false`);
    }
    this.#isConsistent = true;
    return pages;
  }
}

/** The target of rules: one operation of an implementation, and the records that it lists for an account. */
import { noun } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import { counted } from '../contract/wording.ts';
import type { Contract, Operation, Schema } from '../contract/document.ts';
import type { OperationId, Problem, ProblemName } from '../contract/types.ts';
import {
  Failure,
  Skipped,
  UNKNOWN_ID,
  assertThat,
  canonical,
  requireRecords,
  difference,
  idsOf,
} from './assertions.ts';
import type { Item, Page, Query } from './assertions.ts';
import { NoResponse } from './client.ts';
import type { ResponseChecks } from './response-rules.ts';
import type { Exchange, Request, Session } from './session.ts';

/** The parts that all targets of an account share. */
export interface Parts {
  readonly contract: Contract;
  readonly session: Session;
  readonly checks: ResponseChecks;
  readonly key: string;
}
/** Other targets that the rules of a target use. */
interface Related {
  readonly list?: Target;
  readonly otherLists: () => readonly Target[];
  readonly otherAccount?: Target | undefined;
}

export class Target {
  readonly operation: Operation;
  /** The name of its records in messages, such as `contact imports`. */
  readonly noun: string;
  /** The list of the items, if the operation retrieves one item. */
  readonly list: Target | undefined;
  /** The lists of the other collections. */
  readonly otherLists: () => readonly Target[];
  /** The same operation with the key of the other account. */
  readonly otherAccount: Target | undefined;
  readonly #contract: Contract;
  readonly #session: Session;
  readonly #key: string;
  readonly #checks: ResponseChecks;
  #pages: Promise<readonly Page[]> | undefined;

  constructor(parts: Parts, collection: Collection, operation: OperationId, related: Related) {
    this.#contract = parts.contract;
    this.#session = parts.session;
    this.#checks = parts.checks;
    this.#key = parts.key;
    this.otherLists = related.otherLists;
    this.otherAccount = related.otherAccount;
    this.noun = noun(collection);
    this.operation = parts.contract.operation(operation);
    this.list = related.list;
  }

  get key(): string {
    return this.#key;
  }

  /** The bounds and the default of a list's limit in the contract. */
  get limits(): { readonly min: number; readonly max: number; readonly default: number } {
    const { minimum = 1, maximum = 1, default: defaultLimit } = this.parameter('limit') ?? {};
    return { min: minimum, max: maximum, default: Number(defaultLimit) };
  }

  /** The schema of a parameter; `undefined` if the operation has no such parameter. */
  parameter(name: string): Schema | undefined {
    return this.operation.parameters.find((it) => it.name === name)?.schema;
  }

  /** The path of the operation with an id. Default: an id that no record has. */
  path(id = UNKNOWN_ID): string {
    return this.operation.route.replaceAll(/:\w+/g, id);
  }

  /** The path of the operation with a query. */
  pathWith(query: Query): string {
    const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
    return pairs.length === 0 ? this.path() : `${this.path()}?${new URLSearchParams(pairs).toString()}`;
  }

  /** A path that responds 200: the list, or its first item. @throws Skipped if there are no items. */
  async existingPath(): Promise<string> {
    const [first] = (await this.list?.items(1)) ?? [];
    return this.path(first?.id);
  }

  /** Sends a request. @throws Failure if there is no response. */
  async send(request: Request): Promise<Exchange> {
    try {
      return await this.#session.send({ authorization: `Bearer ${this.#key}`, ...request }, this.operation);
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error;
      throw new Failure(
        { request: `${request.method ?? 'GET'} ${request.path}` },
        'a response',
        `none: ${error.message}`,
      );
    }
  }

  /** Sends a request. @throws Failure unless the response has this status. */
  async request(request: Request, status = 200): Promise<Exchange> {
    const exchange = await this.send(request);
    this.#assertDeclared(exchange, status);
    assertThat(exchange, exchange.status === status, String(status));
    return exchange;
  }

  /** Sends a request. @throws Failure unless the response is this error, Skipped if its body breaks a response rule. */
  async assertProblem(request: Request, name: ProblemName): Promise<void> {
    const status = this.#contract.problemStatus[name];
    const exchange = await this.send(request);
    const expected = `${String(status)} ${name}`;
    this.#assertDeclared(exchange, status);
    assertThat(exchange, exchange.status === status, expected);
    if (exchange.method === 'HEAD') return;
    const problem = this.#read(exchange) as Problem; // The contract declares no other body for this status.
    assertThat(exchange, problem.name === name, expected);
  }

  /** Requests a page of a list. @throws Failure if the response is not a page. */
  async page(query: Query = {}): Promise<Page> {
    const exchange = await this.request({ path: this.pathWith(query) });
    const { data, has_more } = this.#read(exchange) as { data: Item[]; has_more: boolean }; // As declared for a list's 200.
    return { exchange, items: data, hasMore: has_more };
  }

  /** Retrieves an item by its id. @throws Failure if the response is not an item. */
  async get(id: string): Promise<{ readonly exchange: Exchange; readonly item: Item }> {
    const exchange = await this.request({ path: this.path(id) });
    return { exchange, item: this.#read(exchange) as Item }; // As declared for the 200 of an item.
  }

  /** @throws Skipped if a status is neither expected nor declared by the operation: a response rule reports that. */
  #assertDeclared(exchange: Exchange, expected: number): void {
    if (exchange.status !== expected && !this.operation.responses.has(exchange.status)) this.#read(exchange);
  }

  /** @returns the body of a response. @throws Skipped if the response breaks a response rule: only that rule reports it. */
  #read(exchange: Exchange): unknown {
    const rule = this.#checks.brokenBy(exchange);
    if (rule === undefined) return exchange.body;
    throw new Skipped(`${exchange.request} cannot be checked: its response breaks ${rule}`);
  }

  /** @throws Skipped if a record of a response breaks record.constraints: only that rule reports it. */
  requireValidRecords(exchange: Exchange): void {
    const rule = this.#checks.recordsBrokenBy(exchange);
    if (rule !== undefined)
      throw new Skipped(`${exchange.request} cannot be checked: a record of its response breaks ${rule}`);
  }

  /** The newest items of the list. @throws Skipped if the account has fewer than `minimum`, or they cannot be listed. */
  async items(minimum: number): Promise<readonly Item[]> {
    const pages = await this.pages().catch((error: unknown) => {
      throw error instanceof Failure ? new Skipped('the list cannot be paged through, see list.pagination') : error;
    });
    const items = pages.flatMap((it) => it.items);
    requireRecords(items.length < minimum ? [`${counted(minimum, this.noun)} (it has ${String(items.length)})`] : []);
    return items;
  }

  /** Whether the pages reach the end of the list. */
  async isWhole(): Promise<boolean> {
    const last = (await this.pages()).at(-1);
    return last?.hasMore === false || last?.items.length === 0;
  }

  /**
   * The pages of the list, with the maximum limit, up to a bounded number of items. They are requested once, then cached.
   * @throws Failure if they are inconsistent: an item occurs twice, or pages with another limit hold other items.
   */
  pages(): Promise<readonly Page[]> {
    return (this.#pages ??= traverseTwice(this));
  }

  /** Discards the cached pages. @returns the current records as text to compare. */
  async refresh(): Promise<string> {
    const lists = [
      this.list ?? this,
      ...(this.otherAccount === undefined ? [] : [this.otherAccount.list ?? this.otherAccount]),
    ];
    const snapshots: string[] = [];
    for (const list of lists) {
      list.#pages = undefined;
      snapshots.push(await snapshot(list));
    }
    return snapshots.join('\n');
  }
}

// Enough for ties and many pages, and still a small load.
const MAX_ITEMS = 1000;
// The number of pages with the maximum limit that hold MAX_ITEMS.
const MAX_SNAPSHOT_PAGES = 10;

/**
 * Traverses a list with the maximum limit. If it has several pages, traverses it again with a limit of one less, so that
 * pages end at other items.
 * @returns the pages of the first traversal, up to MAX_ITEMS items.
 * @throws Failure if an item occurs twice, or if the second traversal has other items.
 */
async function traverseTwice(list: Target): Promise<readonly Page[]> {
  const { min, max } = list.limits;
  const pages = await traverse(list, max);
  const items = pages.flatMap((it) => it.items);
  if (pages.length === 1) return pages;

  let offset = 0;
  for (const { exchange, items: actual } of await traverse(list, Math.max(min, max - 1))) {
    // The second traversal may go beyond the end of the first: those items are not compared.
    const expected = items.slice(offset, offset + actual.length);
    const wrong = difference(expected, actual.slice(0, items.length - offset));
    assertThat(exchange, wrong === undefined, `the items of the pages of ${String(max)}: ${idsOf(expected)}`, wrong);
    offset += actual.length;
  }
  return pages;
}

/** @returns the items of a list as text to compare. A failure is part of the text. */
async function snapshot(list: Target): Promise<string> {
  const pages: string[] = [];
  try {
    for (let query: Query = { limit: list.limits.max }; pages.length < MAX_SNAPSHOT_PAGES;) {
      const { items, hasMore } = await list.page(query);
      pages.push(canonical(items));
      const last = items.at(-1);
      if (!hasMore || last === undefined) break;
      query = { ...query, after: last.id };
    }
  } catch (error) {
    if (!(error instanceof Failure || error instanceof Skipped)) throw error;
    pages.push(error.message);
  }
  return pages.join('\n');
}

// An empty page ends the traversal, whatever its has_more is: list.has_more checks that.
async function traverse(list: Target, limit: number): Promise<readonly Page[]> {
  const pages: Page[] = [];
  const seen = new Set<string>();
  for (let query: Query = { limit }; ;) {
    const page = await list.page(query);
    const { exchange, items, hasMore } = page;
    assertThat(exchange, items.length <= limit, `at most ${counted(limit, 'items')}`, counted(items.length, 'items'));
    for (const { id } of items) {
      assertThat(exchange, !seen.has(id), 'items not seen before', `${id} again`);
      seen.add(id);
    }
    pages.push(page);
    const last = items.at(-1);
    if (!hasMore || last === undefined || seen.size >= MAX_ITEMS) return pages;
    query = { limit, after: last.id };
  }
}

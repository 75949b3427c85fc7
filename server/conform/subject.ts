/** What rules are tested on: one operation of an implementation, and the records that its account is seen to hold. */
import type { Collection, Resources } from '../contract/collections.ts';
import type { Contract, Operation, Schema } from '../contract/document.ts';
import { recordRules } from '../contract/record-rules.ts';
import type { RecordRules } from '../contract/record-rules.ts';
import type { Violation } from '../contract/schema.ts';
import type { OperationId, Problem, ProblemName } from '../contract/types.ts';
import { Failure, Skipped, assertThat, summary } from './assertions.ts';
import { undeclared } from './declared.ts';
import { exchange } from './exchange.ts';
import type { Exchange, Request, Server } from './exchange.ts';

/** An item of a list. */
export interface Item {
  readonly id: string;
  readonly created_at: string;
  readonly [property: string]: unknown;
}
export interface Page {
  readonly exchange: Exchange;
  readonly hasMore: boolean;
  readonly items: readonly Item[];
}

export type Query = Readonly<Record<string, string | number>>;

// Enough for ties and many pages, and still a small load.
const MAX_ITEMS = 300;

export class Subject {
  readonly operation: Operation;
  /** For an operation that looks up one item: the list that has it. */
  readonly list: Subject | undefined;
  readonly #contract: Contract;
  readonly #recordRules: RecordRules<Collection>;
  readonly #server: Server;
  #pages: Promise<readonly Page[]> | undefined;

  constructor(contract: Contract, server: Server, collection: Collection, operation: OperationId, list?: Subject) {
    this.#contract = contract;
    this.#server = server;
    this.#recordRules = recordRules(contract, collection);
    this.operation = contract.operation(operation);
    this.list = list;
  }

  /** The schema of a parameter; `undefined` if the operation has none of this name. */
  parameter(name: string): Schema | undefined {
    return this.operation.parameters.find((it) => it.name === name)?.schema;
  }

  /** The operation's path, with an id or the contract's example of one. */
  path(id?: string): string {
    return this.operation.route.replaceAll(/:(\w+)/g, (_, name: string) => id ?? String(this.parameter(name)?.example));
  }

  target(query: Query): string {
    const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
    return pairs.length === 0 ? this.path() : `${this.path()}?${new URLSearchParams(pairs).toString()}`;
  }

  /** A target whose answer is 200: the list, or its first item. @throws Skipped if it has no items. */
  async existingTarget(): Promise<string> {
    const [first] = (await this.list?.items(1)) ?? [];
    return this.path(first?.id);
  }

  /** Sends a request, whether or not the operation declares an answer to it: HEAD and OPTIONS are not in the contract. */
  send(request: Request): Promise<Exchange> {
    return exchange(this.#server, request);
  }

  /** Sends a request of the operation. @throws Failure if the contract does not declare the response. */
  async request(request: Request): Promise<Exchange> {
    const response = await this.send(request);
    this.#assertDeclared(response);
    return response;
  }

  /** Sends a request that must fail. @throws Failure unless it does, with this error and a message that has `mention`. */
  async assertProblem(request: Request, name: ProblemName, mention = ''): Promise<void> {
    const status = this.#contract.problemStatus[name];
    const response = await this.send(request);
    const expected = `${String(status)} ${name}${mention === '' ? '' : ` that names ${mention}`}`;
    assertThat(response, response.status === status, expected);
    this.#assertDeclared(response);
    const problem = response.body as Problem; // The contract declares no other body for this status.
    assertThat(response, problem.name === name && problem.message.includes(mention), expected);
  }

  /** Requests a page of a list. @throws Failure if the answer is another. */
  async page(query: Query = {}): Promise<Page> {
    const response = await this.request({ target: this.target(query) });
    assertThat(response, response.status === 200, 'a page');
    const { data, has_more } = response.body as { data: Item[]; has_more: boolean }; // As declared for a list's 200.
    return { exchange: response, items: data, hasMore: has_more };
  }

  /** Looks an item up. @throws Failure if the answer is not an item. */
  async lookUp(id: string): Promise<{ readonly exchange: Exchange; readonly item: Item }> {
    const response = await this.request({ target: this.path(id) });
    assertThat(response, response.status === 200, 'the item');
    return { exchange: response, item: response.body as Item }; // As declared for a lookup's 200.
  }

  /** @returns what an item of a response breaks of the rules that its schema cannot state. */
  violationsOf(item: Item): readonly Violation[] {
    return this.#recordRules(item as unknown as Resources[Collection]); // Its schema has been checked with the response.
  }

  /** The newest items of the list, each once. @throws Skipped if the account has fewer than `minimum`. */
  async items(minimum: number): Promise<readonly Item[]> {
    const all = (await this.pages()).flatMap((it) => it.items);
    const items = [...new Map(all.map((it) => [it.id, it])).values()];
    if (items.length >= minimum) return items;
    throw new Skipped(`it needs ${String(minimum)} items, and the account has ${String(items.length)}`);
  }

  /** The pages of the list, as large as they may be, up to a bounded number of items. They are requested once. */
  pages(): Promise<readonly Page[]> {
    return (this.#pages ??= this.#walk());
  }

  // Ends where pages repeat: the rules of cursors report it.
  async #walk(): Promise<readonly Page[]> {
    const limit = this.parameter('limit')?.maximum ?? 1;
    const pages: Page[] = [];
    const seen = new Set<string>();
    for (let query: Query = { limit }; ;) {
      const page = await this.page(query);
      pages.push(page);
      const before = seen.size;
      for (const { id } of page.items) seen.add(id);
      const last = page.items.at(-1);
      if (!page.hasMore || last === undefined || seen.size === before || seen.size >= MAX_ITEMS) return pages;
      query = { limit, after: last.id };
    }
  }

  #assertDeclared(response: Exchange): void {
    const [violation] = undeclared(this.operation, response);
    if (violation === undefined) return;
    throw new Failure(response, 'an answer that the contract declares', `${violation}: ${summary(response)}`);
  }
}

/** The target of rules: one operation of an implementation, and the records that it lists for an account. */
import { noun } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import { counted } from '../contract/counted.ts';
import type { Contract, Operation, Schema } from '../contract/document.ts';
import type { OperationId, Problem, ProblemName } from '../contract/types.ts';
import { Failure, Skipped, UNKNOWN_ID, assertThat, canonical, demandRecords, difference, idsOf } from './assertions.ts';
import type { Item, Page, Query } from './assertions.ts';
import { NoAnswer } from './client.ts';
import type { Answers } from './response-rules.ts';
import type { Exchange, Request, Session } from './session.ts';

/** What the subjects of an account share. */
export interface Parts {
  readonly contract: Contract;
  readonly session: Session;
  readonly answers: Answers;
  readonly key: string;
}
/** The other subjects that rules of this one look at. */
interface Related {
  readonly list?: Subject;
  readonly others: () => readonly Subject[];
  readonly twin?: Subject | undefined;
}

export class Subject {
  readonly operation: Operation;
  /** What its records are called, such as `contact imports`. */
  readonly noun: string;
  /** For an operation that looks up one item: the list that has it. */
  readonly list: Subject | undefined;
  /** The lists of the other collections. */
  readonly others: () => readonly Subject[];
  /** The same operation as the key of another account sees it. */
  readonly twin: Subject | undefined;
  readonly #contract: Contract;
  readonly #session: Session;
  readonly #key: string;
  readonly #answers: Answers;
  #pages: Promise<readonly Page[]> | undefined;

  constructor(parts: Parts, collection: Collection, operation: OperationId, related: Related) {
    this.#contract = parts.contract;
    this.#session = parts.session;
    this.#answers = parts.answers;
    this.#key = parts.key;
    this.others = related.others;
    this.twin = related.twin;
    this.noun = noun(collection);
    this.operation = parts.contract.operation(operation);
    this.list = related.list;
  }

  get key(): string {
    return this.#key;
  }

  /** The bounds and the default of a list's limit, as the contract has them. */
  get limits(): { readonly min: number; readonly max: number; readonly usual: number } {
    const { minimum = 1, maximum = 1, default: usual } = this.parameter('limit') ?? {};
    return { min: minimum, max: maximum, usual: Number(usual) };
  }

  /** The schema of a parameter; `undefined` if the operation has none of this name. */
  parameter(name: string): Schema | undefined {
    return this.operation.parameters.find((it) => it.name === name)?.schema;
  }

  /** The operation's path, with an id: one that nobody has, unless told. */
  path(id = UNKNOWN_ID): string {
    return this.operation.route.replaceAll(/:\w+/g, id);
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

  /** Sends a request. @throws Failure if it has no answer. */
  async send(request: Request): Promise<Exchange> {
    try {
      return await this.#session.send({ authorization: `Bearer ${this.#key}`, ...request }, this.operation);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      throw new Failure(
        { request: `${request.method ?? 'GET'} ${request.target}` },
        'an answer',
        `none: ${error.message}`,
      );
    }
  }

  /** Sends a request. @throws Failure unless its status is this one. */
  async request(request: Request, status = 200): Promise<Exchange> {
    const exchange = await this.send(request);
    this.#assertDeclared(exchange, status);
    assertThat(exchange, exchange.status === status, String(status));
    return exchange;
  }

  /** Sends a request that must fail. @throws Failure unless it does, with this error; Skipped if its body is another rule's. */
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

  /** Requests a page of a list. @throws Failure if the answer is another. */
  async page(query: Query = {}): Promise<Page> {
    const exchange = await this.request({ target: this.target(query) });
    const { data, has_more } = this.#read(exchange) as { data: Item[]; has_more: boolean }; // As declared for a list's 200.
    return { exchange, items: data, hasMore: has_more };
  }

  /** Looks an item up. @throws Failure if the answer is not an item. */
  async lookUp(id: string): Promise<{ readonly exchange: Exchange; readonly item: Item }> {
    const exchange = await this.request({ target: this.path(id) });
    return { exchange, item: this.#read(exchange) as Item }; // As declared for a lookup's 200.
  }

  /** @throws Skipped if another status than the expected one is none of the operation's: a rule of answers tells that. */
  #assertDeclared(exchange: Exchange, expected: number): void {
    if (exchange.status !== expected && !this.operation.responses.has(exchange.status)) this.#read(exchange);
  }

  /** @throws Skipped if an answer is not as declared: that is told by the rules of answers, and by them alone. */
  #read(exchange: Exchange): unknown {
    const rule = this.#answers.brokenBy(exchange);
    if (rule === undefined) return exchange.body;
    throw new Skipped(`${exchange.request} cannot be judged: its answer breaks ${rule}`);
  }

  /** @throws Skipped if a record of an answer is not as the contract has it: that is told by the rule of records alone. */
  demandSoundRecords(exchange: Exchange): void {
    const rule = this.#answers.recordsBrokenBy(exchange);
    if (rule !== undefined) throw new Skipped(`${exchange.request} cannot be judged: a record of it breaks ${rule}`);
  }

  /** The newest items of the list. @throws Skipped if the account has fewer than `minimum`, or they cannot be listed. */
  async items(minimum: number): Promise<readonly Item[]> {
    const pages = await this.pages().catch((error: unknown) => {
      throw error instanceof Failure ? new Skipped('the list cannot be walked, see list.walk') : error;
    });
    const items = pages.flatMap((it) => it.items);
    demandRecords(items.length < minimum ? [`${counted(minimum, this.noun)} (it has ${String(items.length)})`] : []);
    return items;
  }

  /** Whether the pages reach the end of the list. */
  async isWhole(): Promise<boolean> {
    const last = (await this.pages()).at(-1);
    return last?.hasMore === false || last?.items.length === 0;
  }

  /**
   * The pages of the list, as large as they may be, up to a bounded number of items. They are requested once.
   * @throws Failure if they are not one list: an item comes twice, or pages of another size hold other items.
   */
  pages(): Promise<readonly Page[]> {
    return (this.#pages ??= walkTwice(this));
  }

  /** Forgets what has been seen. @returns what the records are now, as text to compare. */
  async look(): Promise<string> {
    const lists = [this.list ?? this, ...(this.twin === undefined ? [] : [this.twin.list ?? this.twin])];
    const seen: string[] = [];
    for (const list of lists) {
      list.#pages = undefined;
      seen.push(await glance(list));
    }
    return seen.join('\n');
  }
}

/** A list that can be asked for its pages. */
interface Listed {
  readonly limits: { readonly min: number; readonly max: number };
  readonly page: (query: Query) => Promise<Page>;
}

// Enough for ties and many pages, and still a small load.
const MAX_ITEMS = 1000;
// How many pages of the greatest limit these are.
const MAX_GLANCES = 10;

/**
 * @returns the pages of a list, as large as they may be, up to a bounded number of items.
 * @throws Failure if an item comes twice, or if pages that end at other items do not hold the same.
 */
async function walkTwice(list: Listed): Promise<readonly Page[]> {
  const { min, max } = list.limits;
  const pages = await walk(list, max);
  const items = pages.flatMap((it) => it.items);
  if (pages.length === 1) return pages;

  let at = 0;
  for (const { exchange, items: others } of await walk(list, Math.max(min, max - 1))) {
    // Where one of the walks has gone on and the other has not yet come to its bound, there is nothing to compare.
    const expected = items.slice(at, at + others.length);
    const wrong = difference(expected, others.slice(0, items.length - at));
    assertThat(exchange, wrong === undefined, `the items of the pages of ${String(max)}: ${idsOf(expected)}`, wrong);
    at += others.length;
  }
  return pages;
}

/** @returns the items that a list gives, whether or not they are as they should be, as text to compare. */
async function glance(list: Listed): Promise<string> {
  const pages: string[] = [];
  try {
    for (let query: Query = { limit: list.limits.max }; pages.length < MAX_GLANCES;) {
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

// A page of no items ends it, whatever it says of more: another rule is about that.
async function walk(list: Listed, limit: number): Promise<readonly Page[]> {
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

/** What rules are tried on: an operation of an implementation, and what its account is seen to hold. */
import type { Problem, ProblemName } from '../contract/types.ts';
import type { Operation, Schema, Contract } from '../contract/document.ts';
import { undeclared } from './declared.ts';
import { Deviation, Untried, demand, summary } from './deviation.ts';
import { probe } from './probe.ts';
import type { Answer, Ask, Target } from './probe.ts';

/** An item of a list, as far as rules look at it. */
export interface Item {
  readonly id: string;
  readonly created_at: string;
  readonly status?: string;
}
export interface Page {
  readonly answer: Answer;
  readonly hasMore: boolean;
  readonly items: readonly Item[];
}

export type Query = Readonly<Record<string, string | number>>;

// Enough to see ties and many pages, and little enough not to be a burden.
const MAX_ITEMS = 300;

export class Subject {
  readonly operation: Operation;
  /** For an operation that looks up one item: the list that has it. */
  readonly list: Subject | undefined;
  readonly #target: Target;
  readonly #problemStatus: Contract['problemStatus'];
  #seen: Promise<readonly Item[]> | undefined;

  constructor(operation: Operation, contract: Contract, target: Target, list?: Subject) {
    this.operation = operation;
    this.#problemStatus = contract.problemStatus;
    this.list = list;
    this.#target = target;
  }

  /** The schema of a parameter; `undefined` if the operation has none of this name. */
  parameter(name: string): Schema | undefined {
    return this.operation.parameters.find((it) => it.name === name)?.schema;
  }

  /** The operation's path, with an id in it or the example of the contract. */
  path(id?: string): string {
    return this.operation.route.replaceAll(/:(\w+)/g, (_, name: string) => id ?? String(this.parameter(name)?.example));
  }

  target(query: Query): string {
    const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
    return pairs.length === 0 ? this.path() : `${this.path()}?${new URLSearchParams(pairs).toString()}`;
  }

  /** A target that answers 200: the list, or its first item. @throws Untried if there is none. */
  async existing(): Promise<string> {
    const [first] = (await this.list?.atLeast(1)) ?? [];
    return this.path(first?.id);
  }

  /** Asks anything that the operation speaks of. @throws Deviation if the contract does not declare the answer. */
  async ask(ask: Ask): Promise<Answer> {
    const answer = await this.askFreely(ask);
    this.#demandDeclared(answer);
    return answer;
  }

  /** Asks what the operation does not speak of, such as HEAD and OPTIONS. */
  askFreely(ask: Ask): Promise<Answer> {
    return probe(this.#target, ask);
  }

  /** Asks for an error. @throws Deviation if another answer comes, or one whose message does not name `mention`. */
  async refused(ask: Ask, name: ProblemName, mention = ''): Promise<void> {
    const status = this.#problemStatus[name];
    const answer = await this.askFreely(ask);
    const expected = `${String(status)} ${name}${mention === '' ? '' : ` that names ${mention}`}`;
    demand(answer, answer.status === status, expected);
    this.#demandDeclared(answer);
    const problem = answer.body as Problem; // It is declared, so it is one.
    demand(answer, problem.name === name && problem.message.includes(mention), expected);
  }

  /** Asks for a page of a list. @throws Deviation unless it is one. */
  async page(query: Query = {}): Promise<Page> {
    const answer = await this.ask({ target: this.target(query) });
    demand(answer, answer.status === 200, 'a page');
    const { data, has_more } = answer.body as { data: Item[]; has_more: boolean }; // It is declared, so it is one.
    return { answer, items: data, hasMore: has_more };
  }

  /** @returns the newest items of the list. @throws Untried if the account holds fewer than `count`. */
  async atLeast(count: number): Promise<readonly Item[]> {
    const items = await (this.#seen ??= this.#walk());
    if (items.length >= count) return items;
    throw new Untried(`it needs ${String(count)} items, and the account has ${String(items.length)}`);
  }

  // In pages of the greatest size. Ends where pages repeat: to say so is for the rule of walks.
  async #walk(): Promise<readonly Item[]> {
    const limit = this.parameter('limit')?.maximum ?? 1;
    const items = new Map<string, Item>();
    for (let query: Query = { limit }; ;) {
      const page = await this.page(query);
      const before = items.size;
      for (const item of page.items) items.set(item.id, item);
      const last = page.items.at(-1);
      if (!page.hasMore || last === undefined || items.size === before || items.size >= MAX_ITEMS) break;
      query = { limit, after: last.id };
    }
    return [...items.values()];
  }

  #demandDeclared(answer: Answer): void {
    const [fault] = undeclared(this.operation, answer);
    if (fault === undefined) return;
    throw new Deviation(answer, 'an answer that the contract declares', `${fault}: ${summary(answer)}`);
  }
}

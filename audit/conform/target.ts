/** The target of rules: one operation of an implementation, with the key of one account. */
import { filterOf, noun } from '../../contract/collections.ts';
import type { Collection } from '../../contract/collections.ts';
import type { Contract, Operation, Schema } from '../../contract/document.ts';
import type { OperationId, Problem, ProblemName } from '../../contract/types.ts';
import type { Changing } from '../rules/runner.ts';
import { Failure, NotChecked, requireRecords } from '../rules/rule.ts';
import type { Need } from '../rules/rule.ts';
import { own, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { pageAt } from '../lists/place.ts';
import type { Expected } from '../lists/place.ts';
import { NoResponse } from '../session/connection.ts';
import { Untestable } from '../session/session.ts';
import { assertThat, summary } from './checked-session.ts';
import { assertCrossed } from './crossed.ts';
import type { Row } from './crossed.ts';
import { Listing } from './listing.ts';
import type { ListedPage, Query, Source } from './listing.ts';
import { listsOf } from './model.ts';
import type { Known } from './model.ts';
import { canonical, comparisonOf, idsOf } from './records.ts';
import type { Comparison, Item } from './records.ts';
import type { ResponseChecks } from './response-rules.ts';
import type { Random } from './sample.ts';
import type { CheckedResponse, Request, CheckedSession } from './checked-session.ts';
import { UNKNOWN_ID } from './values.ts';

/** The parts that all targets of an account share. */
export interface Parts {
  readonly contract: Contract;
  readonly session: CheckedSession;
  readonly checks: ResponseChecks;
  readonly key: string;
  /** How many items of a long list are read. */
  readonly maxItems: number;
  readonly random: Random;
  /** Which values fall to which operation, where they check different ones in turn. */
  readonly rotation: number;
  /** Whether keys may be sent in a query, which is logged in many places. */
  readonly isKeyAllowedInUrl: boolean;
  /** Whether the accounts are known to differ, and the first to have the records of the contract's examples. */
  readonly isSeeded: boolean;
  /** The responses to the first requests of lists. */
  readonly firsts?: readonly CheckedResponse[];
  /** How many requests of each operation are crossed. */
  readonly crossed: number;
}
interface Position {
  readonly index: number;
  readonly count: number;
}
/** Other targets that the rules of a target use. */
interface Related {
  readonly list?: Target;
  readonly otherLists: () => readonly Target[];
  readonly otherAccount?: Target | undefined;
  /** The place of the target among those of its kind and among all, and their numbers. */
  readonly position: Position;
  readonly positionOfAll: Position;
}

/** What to change where a server fails, whatever the rule is about. */
const FAILED = say`Look up this request in the server log: the server failed. The rule itself may hold.`;

export class Target implements Source, Changing {
  readonly what = 'account';
  readonly attempts = 5;
  readonly collection: Collection;
  readonly operation: Operation;
  readonly contract: Contract;
  readonly comparison: Comparison;
  /** The name of its records in messages, such as `contact imports`. */
  readonly noun: string;
  /** The name of the query parameter of the list and of the property that it filters by; `undefined` if there is no filter. */
  readonly filter: string | undefined;
  /** The list of the items, if the operation retrieves one item. */
  readonly list: Target | undefined;
  /** The lists of the other collections. */
  readonly otherLists: () => readonly Target[];
  /** The same operation with the key of the other account. */
  readonly otherAccount: Target | undefined;
  readonly random: Random;
  readonly key: string;
  readonly isKeyAllowedInUrl: boolean;
  readonly isSeeded: boolean;
  /** The response to the first request of the plain path with the key, before any rule; `undefined` if there was none. */
  readonly first: CheckedResponse | undefined;
  /** The first rule of the operation that has failed. */
  failed: string | undefined;
  /** The requests that were sent, but for raw ones; and the responses to those of this rule. */
  readonly #rows: Row[] = [];
  #recent: { readonly request: Request; readonly response: CheckedResponse }[] = [];
  #crossed: number;
  readonly #session: CheckedSession;
  readonly #checks: ResponseChecks;
  readonly #listing: Listing;
  readonly #position: Position;
  readonly #positionOfAll: Position;
  readonly #rotation: number;
  #plain: { readonly version: number; readonly response: Promise<CheckedResponse> } | undefined;

  constructor(parts: Parts, collection: Collection, operation: OperationId, related: Related) {
    this.collection = collection;
    this.contract = parts.contract;
    this.key = parts.key;
    this.random = parts.random;
    this.#rotation = parts.rotation;
    this.isKeyAllowedInUrl = parts.isKeyAllowedInUrl;
    this.isSeeded = parts.isSeeded;
    this.#crossed = parts.crossed;
    this.#session = parts.session;
    this.#checks = parts.checks;
    this.#position = related.position;
    this.#positionOfAll = related.positionOfAll;
    this.otherLists = related.otherLists;
    this.otherAccount = related.otherAccount;
    this.noun = noun(collection);
    this.filter = filterOf(collection);
    this.operation = parts.contract.operation(operation);
    this.first = parts.firsts?.find(
      ({ source }) => source.path === this.operation.path && source.key === `Bearer ${parts.key}`,
    );
    this.list = related.list;
    this.comparison = comparisonOf(parts.contract, collection);
    this.#listing =
      related.list === undefined ? new Listing(this, parts.maxItems, parts.session.relisting) : related.list.#listing;
  }

  get name(): string {
    return this.operation.id;
  }

  /** The bounds and the default of a list's limit in the contract. */
  get limits(): { readonly min: number; readonly max: number; readonly default: number } {
    const { minimum = 1, maximum = 1, default: defaultLimit } = this.parameter('limit') ?? {};
    return { min: minimum, max: maximum, default: Number(defaultLimit) };
  }

  /** The schema of a parameter; `undefined` if the operation has no such parameter. */
  parameter(name: string): Schema | undefined {
    return this.operation.parameters.find((parameter) => parameter.name === name)?.schema;
  }

  /** The names of the parameters in the query. */
  get queryNames(): readonly string[] {
    return this.operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  }

  /** @returns the share of values that falls to this target: the operations of its kind check different ones, in turn. */
  shareOf<T>(values: readonly T[], { index, count } = this.#position): readonly T[] {
    return values.filter((_, at) => (at + this.#rotation) % count === index);
  }

  /** @returns the same, where all operations check different ones in turn. */
  shareOfAll<T>(values: readonly T[]): readonly T[] {
    return this.shareOf(values, this.#positionOfAll);
  }

  /** @returns the value at a place of a table that is gone through again and again. Each operation of a kind begins at another one. */
  inRotation<T>(values: readonly [T, ...T[]], at: number): T {
    return values[(at + this.#position.index + this.#rotation) % values.length] ?? values[0];
  }

  /** The path of the operation with an id, which is escaped. Default: an id that no record has. */
  path(id = UNKNOWN_ID): string {
    return this.operation.route.replaceAll(/:\w+/g, encodeURIComponent(id));
  }

  /** The path of the operation with a query. */
  pathWith(query: Query): string {
    const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
    return pairs.length === 0 ? this.path() : `${this.path()}?${new URLSearchParams(pairs).toString()}`;
  }

  /** A path that returns 200: the list, or its first item. @throws NotChecked if there are no items. */
  async existingPath(): Promise<string> {
    const [first] = (await this.list?.items(1)) ?? [];
    return this.path(first?.id);
  }

  /** See `Listing.version`. */
  get version(): number {
    return this.#listing.version;
  }

  /** The response to a request of this path, which is requested once for each version. @throws Failure unless it is 200, NotChecked without items. */
  plain(): Promise<CheckedResponse> {
    this.#listing.markRead();
    const { version } = this;
    if (this.#plain?.version !== version)
      this.#plain = { version, response: this.existingPath().then((path) => this.request({ path })) };
    return this.#plain.response;
  }

  /** The same path; that of an unknown id if there are no items. */
  async likelyPath(): Promise<string> {
    const [first] = (await this.list?.items(0)) ?? [];
    return this.path(first?.id);
  }

  /** Sends a request. @throws Failure if there is no response. */
  async send(request: Request): Promise<CheckedResponse> {
    const sent = { authorization: `Bearer ${this.key}`, ...request };
    try {
      const response = await this.#session.send(sent, this.operation);
      if (request.isRaw === true) return response;
      this.#rows.push({ request, status: response.status, tag: response.headers.get('etag') });
      this.#recent.push({ request, response });
      return response;
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error;
      const request = this.#session.describe(sent);
      throw new Failure({
        request,
        expected: say`a response`,
        actual: say`no response: ${error.text}`,
        change: FAILED,
      });
    }
  }

  /** Sends a request. @throws Failure unless the response has this status. */
  async request(request: Request, status = 200): Promise<CheckedResponse> {
    if (status === 200) this.#listing.markRead();
    const response = await this.send(request);
    this.#assertDeclared(response, status);
    if (status === 200 && response.status >= 500)
      throw new Failure({ request: response.request, expected: say`200`, actual: summary(response), change: FAILED });
    assertThat(response, response.status === status, say`${status}`);
    return response;
  }

  /** Sends a request. @throws Failure unless the response is this error, NotChecked if its body breaks a response rule. */
  async assertProblem(request: Request, name: ProblemName): Promise<void> {
    const status = this.contract.problemStatus[name];
    const response = await this.send(request);
    const expected = say`${status} ${name}`;
    this.#assertDeclared(response, status, expected);
    assertThat(response, response.status === status, expected);
    if (response.method === 'HEAD') return;
    const problem = this.#read(response) as Problem; // The contract declares no other body for this status.
    assertThat(response, problem.name === name, expected);
  }

  /** Requests a page of a list. @throws Failure if the response is not a page. */
  async page(query: Query = {}): Promise<ListedPage> {
    const response = await this.request({ path: this.pathWith(query) });
    const { data, has_more } = this.#read(response) as { data: Item[]; has_more: boolean }; // As declared for a list's 200.
    return { response, items: data, hasMore: has_more };
  }

  /** @returns the page of a query, by the items of the list. A cursor is the id of one of them. */
  async expected(query: Query): Promise<Expected<Item>> {
    const { filter } = this;
    const items = await this.items(0);
    const placeOf = (cursor = ''): number => items.findIndex(({ id }) => id === cursor.toLowerCase());
    const { after, before, limit = this.limits.default } = query;
    const value = filter === undefined ? undefined : query[filter];
    return pageAt(
      items,
      await this.isWhole(),
      { after: after === undefined ? after : placeOf(after), before: before === undefined ? before : placeOf(before) },
      limit,
      (item) => filter === undefined || value === undefined || item[filter] === value,
    );
  }

  /** Requests a page. @throws Failure unless it has the items of the list there, and with `isMoreChecked` the right `has_more`. */
  async assertPage(query: Query, isMoreChecked = false): Promise<void> {
    const expected = await this.expected(query);
    const { response, items, hasMore } = await this.page(query);
    const known = expected.isCut ? items.slice(0, expected.items.length) : items;
    const wrong = this.comparison.differenceOfItems(expected.items, known);
    const what = say`${this.#describe(query)}: ${idsOf(expected.items)}`;
    assertThat(response, wrong === undefined, what, wrong?.actual, wrong?.difference);
    if (!isMoreChecked || expected.hasMore === undefined || hasMore === expected.hasMore) return;
    const [should, is] = expected.hasMore
      ? [say`has_more true: more items exist in this direction`, say`has_more false`]
      : [say`has_more false: no more items exist in this direction`, say`has_more true`];
    assertThat(response, false, should, is);
  }

  /** @returns the name of a page for a message. */
  #describe({ after, before, limit, ...others }: Query): Text {
    const place = before !== undefined ? 'directly before the cursor' : after !== undefined ? 'after the cursor' : '';
    const [filter] = Object.entries(others).map(([name, value]) => `with ${name} ${String(value)}`); // As the contract has them.
    const words = ['the', place === '' && 'first', 'items', filter, place].filter(Boolean).join(' ');
    return say`${own(words)}${limit === undefined ? say`, the default limit being ${this.limits.default}` : ''}`;
  }

  /** @throws Failure unless a response has the records of another one, NotChecked if one of them cannot be read. */
  assertSame(plain: CheckedResponse, varied: CheckedResponse): void {
    const wrong =
      this.list === undefined ? this.#differenceOfPages(plain, varied) : this.#differenceOfItem(plain, varied);
    assertThat(varied, wrong === undefined, say`the response to ${plain.request}`, undefined, wrong);
  }

  #differenceOfPages(plain: CheckedResponse, varied: CheckedResponse): Text | undefined {
    const [one, other] = [plain, varied].map((response) => this.#read(response) as { data: Item[]; has_more: boolean }); // As declared for a list's 200.
    if (one === undefined || other === undefined) return undefined;
    if (one.has_more !== other.has_more) return other.has_more ? say`has_more is true` : say`has_more is false`;
    return this.comparison.differenceOfItems(one.data, other.data)?.difference;
  }

  #differenceOfItem(plain: CheckedResponse, varied: CheckedResponse): Text | undefined {
    return this.comparison.differenceOf(this.#read(plain), this.#read(varied));
  }

  /** Sends a request again, given its line. @returns whether it has the same response, but for the text of an error. */
  async isSteady(line: Text): Promise<boolean> {
    const row = this.#recent.findLast(({ response }) => response.request === line);
    if (row === undefined) return true;
    const valueOf = ({ status, body }: CheckedResponse): string =>
      status < 400
        ? `${String(status)} ${canonical(body)}`
        : `${String(status)} ${String((body as Partial<Problem> | undefined)?.name)}`; // Or no object.
    const again = await this.send(row.request).catch((error: unknown) => {
      // What was found is kept, also if the run cannot continue.
      if (error instanceof Failure || error instanceof Untestable) return undefined;
      throw error;
    });
    return again === undefined || valueOf(again) === valueOf(row.response);
  }

  /** Crosses the requests that were sent. @throws Failure if a response is wrong, NotChecked if the items cannot be listed, or another rule has failed. */
  async assertCrossed(): Promise<void> {
    if (this.#crossed <= 0) return;
    // Most crossed requests would fail for the same fault.
    if (this.failed !== undefined)
      throw new NotChecked(say`blocked by ${own(this.failed)}, which failed`, undefined, this.failed);
    const { key, otherAccount, random, comparison } = this;
    const lists = [this.list ?? this, ...(otherAccount === undefined ? [] : [otherAccount.list ?? otherAccount])];
    const accounts = new Map<string, ReadonlyMap<string, Known>>();
    for (const list of lists)
      accounts.set(list.key, new Map([[list.path(), { items: await list.items(0), isWhole: await list.isWhole() }]]));
    const [items = [], otherItems = []] = [...accounts.values()].map((known) => [...known.values()][0]?.items);
    const world = { accounts, lists: listsOf(this.contract), status: this.contract.problemStatus };
    await assertCrossed({
      ...{ world, comparison, random, items, otherItems, key, otherKey: otherAccount?.key },
      rows: [...this.#rows],
      next: () => this.#crossed-- > 0,
      send: (request) => this.send(request),
      isBroken: (response) => this.#checks.brokenBy(response) !== undefined,
    });
  }

  /** Retrieves an item by its id. @throws Failure if the response is not an item. */
  async get(id: string): Promise<{ readonly response: CheckedResponse; readonly item: Item }> {
    const response = await this.request({ path: this.path(id) });
    return { response, item: this.#read(response) as Item }; // As declared for the 200 of an item.
  }

  async hasRecord(id: string): Promise<boolean> {
    const { status } = await this.send({ path: this.pathWith({ limit: this.limits.min, after: id }) });
    return status !== this.contract.problemStatus.not_found;
  }

  /** @throws NotChecked if a status is neither expected nor declared by the operation: a response rule reports that. */
  #assertDeclared(response: CheckedResponse, status: number, expected = say`${status}`): void {
    if (response.status === status || this.operation.responses.has(response.status)) return;
    const broken = this.#checks.brokenBy(response);
    if (broken === undefined) return;
    const breaks = say`breaks ${own(broken.rule)}: ${broken.actual}`;
    const why = say`${response.request} must return ${expected}, but the response ${breaks}`;
    throw new NotChecked(why, undefined, broken.rule);
  }

  /** @returns the body of a response. @throws NotChecked if the response breaks a response rule: only that rule reports it. */
  #read(response: CheckedResponse): unknown {
    const broken = this.#checks.brokenBy(response);
    if (broken === undefined) return response.body;
    const breaks = say`breaks ${own(broken.rule)}: ${broken.actual}`;
    throw new NotChecked(say`the response to ${response.request} ${breaks}`, undefined, broken.rule);
  }

  /** @throws NotChecked if a record of a response breaks record.constraints: only that rule reports it. */
  requireValidRecords(response: CheckedResponse): void {
    const rule = this.#checks.recordsBrokenBy(response);
    if (rule !== undefined)
      throw new NotChecked(say`a record of the response to ${response.request} breaks ${own(rule)}`);
  }

  /** The newest items of the list. @throws NotChecked if the account has fewer than `minimum`, or they cannot be listed. */
  async items(minimum: number): Promise<readonly Item[]> {
    const items = await this.#listing.items();
    requireRecords(items.length >= minimum, this.need(minimum, items.length));
    return items;
  }

  /**
   * @returns an id of each other collection that this one lacks; `undefined` if no other list can be read: the server may have just one.
   */
  async foreignIds(): Promise<readonly string[] | undefined> {
    const own = new Set((await (this.list ?? this).items(0)).map(({ id }) => id));
    const foreign: string[] = [];
    let isOnly = true;
    for (const list of this.otherLists()) {
      try {
        const found = (await list.items(0)).find(({ id }) => !own.has(id));
        isOnly = false;
        if (found !== undefined) foreign.push(found.id);
      } catch (error) {
        if (!(error instanceof NotChecked)) throw error;
      }
    }
    return isOnly ? undefined : foreign;
  }

  /** @returns what an account with fewer records needs. */
  need(count: number, actual: number): Need {
    return { of: this.noun, count, actual };
  }

  /** The pages of the list, up to the maximum number of items. @throws Failure if they contradict one another. */
  pages(): Promise<readonly ListedPage[]> {
    return this.#listing.pages();
  }

  /** Whether the items reach the end of the list. */
  isWhole(): Promise<boolean> {
    return this.#listing.isWhole();
  }

  /** Begins a rule. */
  begin(): void {
    this.#recent = [];
    for (const list of this.#listings()) list.begin();
  }

  /** Whether records that were read since `begin` have changed, or may have. */
  async hasChanged(): Promise<boolean> {
    let isChanged = false;
    for (const list of this.#listings()) isChanged = (await list.hasChanged()) || isChanged;
    return isChanged;
  }

  #listings(): ReadonlySet<Listing> {
    const others = [...this.otherLists(), ...(this.otherAccount === undefined ? [] : [this.otherAccount])];
    return new Set([this.#listing, ...others.map((target) => target.#listing)]);
  }
}

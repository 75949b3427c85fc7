/**
 * Administration over SQL, written once for every engine. Its functions are generators: they yield statements and receive the
 * rows. An engine executes the statements, SQLite synchronously and PostgreSQL asynchronously, alone or in a transaction. What
 * the engines write differently is in their `Dialect`.
 */
import type { SchemaHashes } from '../contract/schema.ts';

export interface Statement {
  /** With `$1` for the first value, as both engines understand it. */
  readonly sql: string;
  readonly values: readonly unknown[];
}
export type Rows = readonly unknown[];

/** Executes statements one after the other. */
export type Steps<T> = Generator<Statement, T, Rows>;
/** The same, and emits items in between. */
export type Stream<Item> = Generator<Statement | { readonly item: Item }, void, Rows>;

/** An integer of a row: as text if it may pass 2^53, or as the driver has it. */
export type Int = number | bigint | string;

/** What the SQL of an engine has of its own. */
export interface Dialect {
  /** What the names of tables begin with. */
  readonly prefix: '' | 'rollcall_';
  /** The clause that locks the selected rows; nothing if each transaction that writes locks the database. */
  readonly lock: (clause: RowLock) => string;
  /** A parameter that is the id of a record, in lower case. */
  readonly id: (parameter: string) => string;
  /** The table of records, to be searched by account, collection and id. */
  readonly recordsById: string;
  /** Whether the id of a record is one of a list, and the value of that parameter. */
  readonly idIn: (parameter: string) => string;
  readonly list: (values: readonly string[]) => unknown;
  /** @returns the id of a record, of what was selected. */
  readonly idOf: (id: unknown) => string;
  /** The JSON text of a row of records. */
  readonly json: string;
  /** The column that it is stored in, perhaps with a checksum. */
  readonly stored: string;
  /** @returns the JSON text, of what was selected of that column. */
  readonly textOf: (stored: unknown, account: Int, collection: number) => StoredText;
  /**
   * Selects the names of the collections with records that were checked against other schemas than these.
   * @param except the name of an account whose records do not count.
   */
  readonly outdated: (hashes: Partial<SchemaHashes>, except: string | null) => Statement;
  /** Has every server read the version and the collections again, if they do not notice changes by themselves. */
  readonly newGeneration?: () => Statement;
}

/** See https://www.postgresql.org/docs/current/explicit-locking.html#LOCKING-ROWS. */
export type RowLock = 'FOR UPDATE' | 'FOR UPDATE OF keys' | 'FOR NO KEY UPDATE' | 'FOR SHARE' | 'FOR KEY SHARE';

export interface StoredText {
  readonly json: string;
  /** Whether it is what was written. */
  readonly isIntact: boolean;
}

/** Executes one statement. @returns the rows, of the type that the statement selects. */
export function* query<R extends object>(sql: string, values: readonly unknown[] = []): Steps<readonly R[]> {
  return (yield { sql, values }) as readonly R[];
}

/** Takes the steps of a generator. */
export function runSync<T>(steps: Steps<T>, execute: (statement: Statement) => Rows): T {
  let step = steps.next();
  while (step.done !== true) {
    let rows: Rows;
    try {
      rows = execute(step.value);
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(rows);
  }
  return step.value;
}

/** The same, across a network. */
export async function runAsync<T>(steps: Steps<T>, execute: (statement: Statement) => Promise<Rows>): Promise<T> {
  let step = steps.next();
  while (step.done !== true) {
    let rows: Rows;
    try {
      rows = await execute(step.value);
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(rows);
  }
  return step.value;
}

/** Takes the steps of a generator as its items are asked for. @yields the items. */
export function* streamSync<Item>(steps: Stream<Item>, execute: (statement: Statement) => Rows): Generator<Item> {
  let step = steps.next();
  while (step.done !== true) {
    if ('item' in step.value) {
      yield step.value.item;
      step = steps.next([]);
    } else {
      step = steps.next(execute(step.value));
    }
  }
}

/** The same, across a network. */
export async function* streamAsync<Item>(
  steps: Stream<Item>,
  execute: (statement: Statement) => Promise<Rows>,
): AsyncGenerator<Item> {
  let step = steps.next();
  while (step.done !== true) {
    if ('item' in step.value) {
      yield step.value.item;
      step = steps.next([]);
    } else {
      step = steps.next(await execute(step.value));
    }
  }
}

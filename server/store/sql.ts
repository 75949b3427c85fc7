/**
 * Administration over SQL, written once for every engine. Its functions are generators: they yield statements and
 * receive the rows. An engine executes the statements, SQLite synchronously and PostgreSQL asynchronously, alone or in
 * a transaction. The `Dialect` of an engine holds the SQL that differs.
 */
import type { SchemaHashes } from '../../contract/schema.ts';

export interface Statement {
  /** `$1` is the first value. Both engines support this syntax. */
  readonly sql: string;
  readonly values: readonly unknown[];
}
export type Rows = readonly unknown[];

/** A generator that yields statements one after the other, receives the rows of each, and returns a result. */
export type Steps<T> = Generator<Statement, T, Rows>;
/** A generator that yields statements in the same way, and items in between. */
export type Stream<Item> = Generator<Statement | { readonly item: Item }, void, Rows>;

/** An integer in a row, of the type that the driver returns: text if the integer may exceed 2^53. */
export type Int = number | bigint | string;

/** The SQL that differs between engines. */
export interface Dialect {
  /** The prefix of all table names. */
  readonly prefix: '' | 'rollcall_';
  /** @returns the clause that locks the selected rows; empty if each transaction that writes locks the database. */
  readonly lock: (clause: RowLock) => string;
  /** @returns the expression for a parameter that is the id of a record, in lower case. */
  readonly id: (parameter: string) => string;
  /** The table of records in a FROM clause, for a search by account, collection and id. */
  readonly recordsById: string;
  /** @returns the condition that the id of a record is in a list; the parameter is a value that `list` returns. */
  readonly idIn: (parameter: string) => string;
  readonly list: (values: readonly string[]) => unknown;
  /** @returns the id of a record, from the value of the column `id`. */
  readonly idOf: (id: unknown) => string;
  /**
   * @param except the name of an account whose records are ignored.
   * @returns the statement that selects the names of the collections with records checked against other schemas.
   */
  readonly outdated: (hashes: Partial<SchemaHashes>, except: string | null) => Statement;
  /**
   * @returns the statement that makes every server read the version and the collections again. Absent if servers detect
   *   changes by themselves.
   */
  readonly newGeneration?: () => Statement;
}

/** See https://www.postgresql.org/docs/current/explicit-locking.html#LOCKING-ROWS. */
export type RowLock = 'FOR UPDATE' | 'FOR UPDATE OF keys' | 'FOR NO KEY UPDATE' | 'FOR SHARE' | 'FOR KEY SHARE';

/** Executes one statement. @returns the rows, of the type that the statement selects. */
export function* query<R extends object>(sql: string, values: readonly unknown[] = []): Steps<readonly R[]> {
  return (yield { sql, values }) as readonly R[];
}

/** Executes the statements of a generator. @returns the result of the generator. */
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

/** Does the same asynchronously. */
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

/** Executes the statements of a generator as its items are requested. @yields the items. */
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

/** Does the same asynchronously. */
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

/** Executes statements on a connection to a file: transactions, and the steps of administration. Holds the dialect. */
import type { Database, Statement as Prepared } from 'better-sqlite3';
import { runSync, streamSync } from '../sql.ts';
import type { Dialect, Rows, Statement, Steps, Stream } from '../sql.ts';
import { translatingErrors } from './sqlite-errors.ts';
import { hasLog, startLog, unlessItChanges } from './write-ahead-log.ts';

export type Db = Database;

/**
 * Runs work in one transaction that takes the write lock at its start, so that it cannot fail halfway for lack of it.
 * @param work run twice on a file without a log: the file gets one only if the work would change something.
 */
export function write<T>(db: Db, work: () => T): T {
  return translatingErrors(db.name, () => {
    if (!hasLog(db)) {
      const unchanged = unlessItChanges(db, work);
      if (unchanged !== undefined) return unchanged.result;
      startLog(db);
    }
    return db.transaction(work).immediate();
  });
}

/** Executes the steps of administration. @throws errors of SQLite. */
export const run = <T>(db: Db, steps: Steps<T>): T => runSync(steps, executing(db));

/** Executes the steps of administration as their items are requested. */
export const stream = <T>(db: Db, steps: Stream<T>): Generator<T> => streamSync(steps, executing(db));

function executing(db: Db): (statement: Statement) => Rows {
  const prepared = new Map<string, Prepared<[object]>>();
  return ({ sql, values }) => {
    const statement = prepared.get(sql) ?? db.prepare<[object]>(sql).safeIntegers();
    prepared.set(sql, statement);
    const parameters = Object.fromEntries(values.map((value, index) => [index + 1, value]));
    if (statement.reader) return statement.all(parameters);
    statement.run(parameters);
    return [];
  };
}

// CROSS JOIN fixes the order of the tables: one index search for each account.
const OUTDATED = `SELECT known.name FROM collections AS known JOIN json_each($1) AS asked ON asked.key = known.name
  WHERE known.fingerprint IS NOT asked.value AND EXISTS (SELECT 1 FROM accounts CROSS JOIN records
    WHERE accounts.name IS NOT $2 AND records.account = accounts.id AND records.collection = known.id)`;

export const SQLITE: Dialect = {
  prefix: '',
  lock: () => '',
  id: (parameter) => `unhex(${parameter}, '-')`,
  recordsById: 'records INDEXED BY records_id', // Otherwise the planner would read the whole collection for a list of ids.
  idIn: (parameter) => `id IN (SELECT unhex(value, '-') FROM json_each(${parameter}))`,
  list: (values) => JSON.stringify(values),
  idOf: (id) => (id as Buffer).toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'), // The column is a BLOB.
  outdated: (hashes, except) => ({ sql: OUTDATED, values: [JSON.stringify(hashes), except] }),
};

/**
 * Translates errors of PostgreSQL and of the network to store errors. No message contains a password or the secrets
 * that a message of the driver may contain.
 */
import { StoreBusy, StoreError, StoreUnavailable } from '../store.ts';

/** The message for a store whose version or schema hashes are not those that this process supports. */
export const OTHER_VERSION =
  'The database was upgraded to another version of Rollcall. Restart the server with that version.';

interface Failure {
  readonly message?: unknown;
  readonly code?: string;
  readonly severity?: unknown;
  readonly errors?: readonly unknown[];
}
// Does not test the class, because an error of Node may come from another realm.
const failureOf = (error: unknown): Failure => (typeof error === 'object' && error !== null ? error : {});

/**
 * @returns the code of an error: an SQLSTATE, or one of the operating system, of Node or of TLS; `''` if it has none.
 */
export const codeOf = (error: unknown): string => failureOf(error).code ?? '';

/** @returns a thrown value, typed as an error. */
export const asError = (thrown: unknown): Error => thrown as Error; // The driver throws only errors.

// A prepared statement has other columns now. Its connection keeps the old plan.
const STALE_PLAN = '0A000';

/** @returns whether the server rejected only a statement, and still accepts the same statement on the same connection. */
export const isOfStatement = (error: unknown): boolean =>
  isSqlState(codeOf(error)) && codeOf(error) !== STALE_PLAN && failureOf(error).severity === 'ERROR';

const isSqlState = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code);

const LOST = 'The connection to the database was lost.';
export const LATE = 'The database did not respond in time.';

const LOCKED = '55P03';

// By SQLSTATE, or by its first two or three characters for several codes.
const UNAVAILABLE: Readonly<Record<string, string>> = {
  '08': LOST,
  '25006': 'The database is a read-only standby.',
  '26000':
    'The connection pooler lost a prepared statement. Use one that supports them, such as PgBouncer with max_prepared_statements.',
  '40': 'Another process changed the same records. Try again.',
  '42P05':
    'The connection pooler mixed up prepared statements. Use one that supports them, such as PgBouncer with max_prepared_statements.',
  '53200': 'The database is out of memory.',
  '53300': 'The database accepts no more connections.',
  '57014': LATE,
  '57P': 'The database is shutting down or starting.',
};

// By SQLSTATE, likewise. These errors concern the server, or the role that connects to it.
const REJECTED: Readonly<Record<string, string>> = {
  '28': 'rejected the user or the password',
  '3D000': 'has no such database',
  '3F000': 'has no schema for the tables (search_path)',
  '42501': 'denied permission to this user',
  '53100': 'has no disk space left. Unfinished changes were rolled back. Free up space and try again',
  XX001: 'has damaged data: see its log',
  XX002: 'has damaged data: see its log',
};

const byCode = (texts: Readonly<Record<string, string>>, code: string): string | undefined =>
  isSqlState(code) ? (texts[code] ?? texts[code.slice(0, 3)] ?? texts[code.slice(0, 2)]) : undefined;

/**
 * @param error the error of a statement.
 * @param server the server, for messages, without the password.
 * @returns the error to throw instead; the same error if neither the server nor the connection is at fault.
 */
export function translateError(error: unknown, server: string): unknown {
  const code = codeOf(error);
  if (code === LOCKED) return new StoreBusy('Another process is writing to the database. Try again.', { cause: error });
  const busy = byCode(UNAVAILABLE, code);
  if (busy !== undefined) return new StoreUnavailable(busy, { cause: error });
  const rejected = byCode(REJECTED, code);
  if (rejected !== undefined) return new StoreError(`${server} ${rejected} (${messageOf(error)}).`, { cause: error });
  if (isSqlState(code) || !isConnectionError(error)) return error;
  const isLate = messageOf(error) === 'Query read timeout';
  return new StoreUnavailable(isLate ? LATE : LOST, { cause: error });
}

// Errors of the operating system, of TLS, and of the driver. The errors of the driver have no code.
const isConnectionError = (error: unknown): boolean =>
  /^(E[A-Z]+|ERR_(SSL|TLS)_\w+)$/.test(codeOf(error)) ||
  /^(Connection terminated|Query read timeout|Client (was|has)|timeout|Cannot use a pool)/.test(messageOf(error));

// By class: these errors concern the data that a statement reads, so that requests for other data may succeed.
const OF_DATA = ['22', 'XX'];
// Likewise: a statement refers to a table or a column that does not exist, or that has another type.
const OF_TABLES = ['0A', '42'];

/**
 * @param error the error of a statement that reads for a request, after `translateError`. These statements are constants, and
 *   a request cannot make them fail. If the server rejects one, nobody can be served until somebody repairs the database.
 * @returns the error to throw instead: `StoreUnavailable`, unless the data is at fault, or Rollcall itself.
 */
export function asOutage(error: unknown, server: string): unknown {
  if (error instanceof StoreUnavailable) return error;
  const cause = error instanceof StoreError ? error.cause : error;
  const code = codeOf(cause);
  const isOf = (classes: readonly string[]): boolean => classes.includes(code.slice(0, 2));
  if (!isSqlState(code) || isOf(OF_DATA)) return error;
  if (error instanceof StoreError) return new StoreUnavailable(error.message, { cause });
  const why = messageOf(cause);
  const message = isOf(OF_TABLES) ? otherTables(why) : `${server} reported an error (${why}).`;
  return new StoreUnavailable(message, { cause });
}

const otherTables = (why: string): string =>
  `The tables are not those of this version of Rollcall (${why}). If the database was upgraded, restart the server with that version.`;

/**
 * @param error the error of opening another connection, including the error that all connections are in use.
 * @returns the error to throw instead.
 */
export function unreachable(error: unknown, server: string): StoreUnavailable {
  const isFull = messageOf(error) === 'timeout exceeded when trying to connect';
  const why = isFull ? 'All connections to the database are in use.' : messageOf(notOpened(error, server));
  return new StoreUnavailable(why, { cause: error });
}

/**
 * @param error the error of opening the first connection.
 * @returns the error to throw instead, which names the server.
 */
export function notOpened(error: unknown, server: string): unknown {
  if (error instanceof StoreError) return error;
  const fault = translateError(error, server);
  if (fault instanceof StoreError) return fault;
  const options = { cause: error };
  if (fault instanceof StoreUnavailable && isSqlState(codeOf(error))) {
    return new StoreUnavailable(`${server}: ${fault.message}`, options);
  }
  const code = codeOf(error);
  if (code === 'ENOTFOUND') return new StoreError(`${server} cannot be reached: its host is unknown.`, options);
  // An untrusted certificate, a server without TLS or a missing password is a `StoreError`: it does not go away by
  // itself.
  const why = `${server} cannot be reached: ${messageOf(error)}.`;
  return isConnectionError(error) ? new StoreUnavailable(why, options) : new StoreError(why, options);
}

/** @returns the message of an error. The errors of several addresses of one host are joined. */
function messageOf(error: unknown): string {
  const { message, errors } = failureOf(error);
  return errors === undefined ? String(message ?? error) : errors.map(messageOf).join(', ');
}

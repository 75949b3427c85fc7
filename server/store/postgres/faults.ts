/** What PostgreSQL and the way to it fail with, told as what it is. No message has a password, nor what a driver's may hold. */
import { StoreRefused, StoreUnavailable } from '../store.ts';

/** Of a store whose tables or records are not those that this process knows. */
export const OTHER_VERSION = 'The database is now of another version of Rollcall. Start the server again with that.';

/** @returns the code of an error: an SQLSTATE, or one of the operating system, of Node or of TLS; `''` if it has none. */
export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

/** @returns whether a statement was refused by the server, which goes on to take others on the same connection. */
export const isOfStatement = (error: unknown): boolean =>
  isSqlState(codeOf(error)) && (error as { severity?: unknown }).severity === 'ERROR'; // It has a code, so it is an object.

const isSqlState = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code);

// By SQLSTATE; a class of them by its first two characters.
const UNAVAILABLE: Readonly<Record<string, string>> = {
  '08': 'The connection to the database is lost.',
  '25006': 'The database takes no changes for now: it is a standby.',
  '26000': 'A pooler lost a prepared statement. It must support them, such as PgBouncer with max_prepared_statements.',
  '40': 'Another process changed the same records. Try again.',
  '42P05':
    'A pooler mixed up prepared statements. It must support them, such as PgBouncer with max_prepared_statements.',
  '53200': 'The database is out of memory.',
  '53300': 'The database takes no more connections.',
  '55P03': 'Another process is writing to the database. Try again.',
  '57014': 'The database did not answer in time.',
  '57P': 'The database is shutting down or starting.',
};

// By SQLSTATE. Of the server, or of the role that connects to it.
const REFUSED: Readonly<Record<string, string>> = {
  '28': 'refuses the user or the password',
  '3D000': 'has no such database',
  '3F000': 'has no schema that the tables may be in (search_path)',
  '42501': 'does not permit it to this user',
  '53100': 'has no room on its disk. What was not finished has not been done. Make room, and try again',
  XX001: 'has damaged data: see its log',
  XX002: 'has damaged data: see its log',
};

const byCode = (texts: Readonly<Record<string, string>>, code: string): string | undefined =>
  isSqlState(code) ? (texts[code] ?? texts[code.slice(0, 3)] ?? texts[code.slice(0, 2)]) : undefined;

/**
 * @param server where the database is, without its password.
 * @returns an error of a statement to throw instead; the same one where it is no fault of a server.
 */
export function told(error: unknown, server: string): unknown {
  const code = codeOf(error);
  const busy = byCode(UNAVAILABLE, code);
  if (busy !== undefined) return new StoreUnavailable(busy, { cause: error });
  const refused = byCode(REFUSED, code);
  if (refused !== undefined) return new StoreRefused(`${server} ${refused} (${messageOf(error)}).`, { cause: error });
  // What the driver fails with has no SQLSTATE: a connection that is lost, or an answer that does not come.
  if (error instanceof Error && !isSqlState(code) && isOfWay(error)) {
    const isLate = error.message === 'Query read timeout';
    return new StoreUnavailable(
      isLate ? 'The database did not answer in time.' : 'The connection to the database is lost.',
      {
        cause: error,
      },
    );
  }
  return error;
}

// Of the operating system, of TLS, and of the driver, whose errors have no code.
const isOfWay = (error: Error): boolean =>
  /^(E[A-Z]+|ERR_(SSL|TLS)_\w+)$/.test(codeOf(error)) ||
  /^(Connection terminated|Query read timeout|Client (was|has)|timeout|Cannot use a pool)/.test(error.message);

/** @returns an error of making a connection, to throw while one serves: that all connections are in use is one too. */
export function unreachable(error: unknown): StoreUnavailable {
  const isFull = error instanceof Error && error.message === 'timeout exceeded when trying to connect';
  const why =
    byCode(UNAVAILABLE, codeOf(error)) ??
    (isFull ? 'All connections to the database are in use.' : 'The database cannot be reached.');
  return new StoreUnavailable(why, { cause: error });
}

/** @returns an error of making the first connection, to throw instead: it names what to look at. */
export function notOpened(error: unknown, server: string): unknown {
  if (error instanceof StoreRefused) return error;
  const fault = told(error, server);
  if (fault instanceof StoreRefused) return fault;
  const options = { cause: error };
  if (fault instanceof StoreUnavailable && isSqlState(codeOf(error))) {
    return new StoreUnavailable(`${server}: ${fault.message}`, options);
  }
  const code = codeOf(error);
  if (code === 'ENOTFOUND') return new StoreRefused(`${server} cannot be reached: its host is unknown.`, options);
  // A certificate that is not trusted, TLS that is not spoken, a password that is missing: none of them mends by itself.
  const isTransient = code !== '' && /^E[A-Z]+$/.test(code);
  const why = `${server} cannot be reached: ${messageOf(error)}.`;
  return isTransient || isOfWay(error as Error) ? new StoreUnavailable(why, options) : new StoreRefused(why, options);
}

/** @returns the message of an error, without what several addresses of one host make of it. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}

/** Measures a database for monitoring. Every statement is bounded by an index and a limit: servers execute them while they serve. */
import { query } from './sql.ts';
import type { Dialect, Int, Steps } from './sql.ts';

/** What operators monitor about a database. */
export interface Usage {
  /** The size on disk, with indexes and space that is not reused yet; on SQLite with the WAL. */
  readonly bytes: number;
  /** Live keys that expire within `EXPIRING_DAYS`: at most `MAX_COUNT`. */
  readonly expiringKeys: number;
  /** Keys that have expired and are not revoked: at most `MAX_COUNT`. */
  readonly expiredKeys: number;
  /** The `MAX_ACCOUNTS` accounts with the most recent imports, the latest first. Imports by older versions are unknown. */
  readonly lastImports: readonly LastImport[];
}

export interface LastImport {
  /** The name of the account. */
  readonly account: string;
  /** When the import was committed: ISO 8601, UTC. */
  readonly at: string;
}

export const EXPIRING_DAYS = 30;
export const MAX_COUNT = 1000;
export const MAX_ACCOUNTS = 100;

const MS_PER_DAY = 86_400_000;

/** @returns a statement that counts keys by the index `keys_expiry`, which has only keys that expire and are not revoked. */
const countOf = (prefix: string, condition: string): string =>
  `SELECT count(*) AS count FROM (SELECT 1 FROM ${prefix}keys
    WHERE revoked_at IS NULL AND ${condition} LIMIT ${String(MAX_COUNT)}) AS found`;

/** The statements, for the tests of their plans. */
export const usageSql = ({
  prefix,
}: Pick<Dialect, 'prefix'>): Readonly<Record<'expiring' | 'expired' | 'lastImports', string>> => ({
  /** Parameters: the time, the end of the period. Reads one range of the index `keys_expiry`. */
  expiring: countOf(prefix, 'expires_at > $1 AND expires_at <= $2'),
  /** Parameter: the time. Reads the start of the index `keys_expiry`. */
  expired: countOf(prefix, 'expires_at <= $1'),
  /** Reads the end of the index `last_imports_at`, and each account by its id. */
  lastImports: `SELECT (SELECT name FROM ${prefix}accounts AS named WHERE named.id = latest.account) AS account, at
    FROM ${prefix}last_imports AS latest ORDER BY at DESC LIMIT ${String(MAX_ACCOUNTS)}`,
});

/** @returns the usage, except the size, which each engine determines in its own way. */
export function* measure(dialect: Dialect, now = Date.now()): Steps<Omit<Usage, 'bytes'>> {
  const sql = usageSql(dialect);
  const [time, end] = [now, now + EXPIRING_DAYS * MS_PER_DAY].map((ms) => new Date(ms).toISOString());
  const [expiring] = yield* query<{ count: Int }>(sql.expiring, [time, end]);
  const [expired] = yield* query<{ count: Int }>(sql.expired, [time]);
  const lastImports = yield* query<LastImport>(sql.lastImports);
  return { expiringKeys: Number(expiring?.count), expiredKeys: Number(expired?.count), lastImports };
}

/** Stores that an import into an account is being committed. Must run in the transaction of the import. */
export function* putLastImport({ prefix }: Dialect, account: Int, now = Date.now()): Steps<void> {
  yield* query(
    `INSERT INTO ${prefix}last_imports (account, at) VALUES ($1, $2) ON CONFLICT (account) DO UPDATE SET at = excluded.at`,
    [account, new Date(now).toISOString()],
  );
}

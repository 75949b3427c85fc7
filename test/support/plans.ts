/** How PostgreSQL executes the statements that serve requests, and how it has to: by index searches in list order alone. */
import type { Client } from 'pg';
import { AUTHENTICATE, DIRECTIONS, getOf, pageOf } from '../../server/store/postgres/statements.ts';

const STORE = ['Index Scan using rollcall_store_pkey on rollcall_store store', 'Index Cond: (id = 1)'];
const byId = (alias: string, id: string): string[] => [
  `Index Scan using rollcall_records_id on rollcall_records ${alias}`,
  `Index Cond: ((account = $1) AND (collection = $2) AND (id = ${id}))`,
];
/** @param hash which parameter it is; the time is the next. */
const liveKey = (hash: number): string[] => [
  'Index Scan using rollcall_keys_hash_key on rollcall_keys live',
  `Index Cond: (hash = $${String(hash)})`,
  `Filter: ((revoked_at IS NULL) AND ((expires_at IS NULL) OR (expires_at > $${String(hash + 1)})) AND ((account + 0) = $1))`,
];
const RANGE = {
  first: '',
  after: ' AND (ROW(created_us, id) < ROW(cursor.created_us, cursor.id))',
  before: ' AND (ROW(created_us, id) > ROW(cursor.created_us, cursor.id))',
};
const FILTERED_RANGE = {
  first: ' AND (filter >= $5) AND (filter <= $5)',
  after: ' AND (filter >= $5) AND (ROW(filter, created_us, id) < ROW($5, cursor.created_us, cursor.id))',
  before: ' AND (filter <= $5) AND (ROW(filter, created_us, id) > ROW($5, cursor.created_us, cursor.id))',
};

type Statement = ReturnType<typeof getOf>;
interface Expected {
  readonly statement: Statement;
  /** See `stepsOf`. */
  readonly steps: readonly string[];
}
const planned = (statement: Statement, ...steps: readonly string[]): Expected => ({
  statement,
  steps: [...STORE, ...steps].sort(),
});

/** Every statement that serves requests, but for the one that looks at the state of the store. */
export const SERVING_PLANS: readonly Expected[] = [
  planned(
    AUTHENTICATE,
    'Filter: (epoch = $2)',
    'Index Scan using rollcall_keys_hash_key on rollcall_keys live',
    'Index Cond: (hash = $1)',
    'Filter: (revoked_at IS NULL)',
    'Index Scan using rollcall_accounts_pkey on rollcall_accounts',
    'Index Cond: (id = live.account)',
  ),
  planned(getOf(false), 'Filter: (epoch = $4)', ...byId('record', '$3')),
  planned(getOf(true), 'Filter: (epoch = $4)', ...liveKey(5), ...byId('record', '$3')),
  ...DIRECTIONS.flatMap((direction) =>
    [
      [false, false],
      [true, false],
      [false, true],
      [true, true],
    ].map(([filtered = false, forKey = false]) =>
      planned(
        pageOf(direction, filtered, forKey),
        'Filter: (epoch = $4)',
        ...(forKey ? liveKey(5 + Number(filtered) + Number(direction !== 'first')) : []),
        ...(direction === 'first' ? [] : byId('cursor', filtered ? '$6' : '$5')),
        `Index Scan ${direction === 'before' ? '' : 'Backward '}using ` +
          `${filtered ? 'rollcall_records_filter' : 'rollcall_records_pkey'} on rollcall_records page`,
        `Index Cond: ((account = $1) AND (collection = $2)${(filtered ? FILTERED_RANGE : RANGE)[direction]})`,
      ),
    ),
  ),
];

/** @returns what EXPLAIN says of a statement, a step or a fact a line. */
async function planOf(client: Client, sql: string): Promise<string[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`);
  return rows.map((it) => it['QUERY PLAN'].replace(/^[ >-]*/, ''));
}

/**
 * @param sql of any parameters.
 * @returns how it reads tables. Sorted: the planner may look at the key before or after the rest, for that makes no difference.
 */
export async function stepsOf(client: Client, sql: string): Promise<string[]> {
  const lines = await planOf(client, `(GENERIC_PLAN, COSTS OFF) ${sql}`);
  return lines.filter((it) => !/^(Nested Loop|Limit|SubPlan)/.test(it)).sort();
}

/** The most blocks that a statement may read for so many rows: each row in another one, and the way down of five indexes. */
export const mostBlocks = (rows: number): number => rows + 29;

/**
 * @param name of a statement that this connection has prepared.
 * @param values its parameters, as texts.
 * @returns how many blocks executing it reads, and how many rows it finds.
 */
export async function executed(
  client: Client,
  name: string,
  values: readonly string[],
): Promise<{ blocks: number; rows: number }> {
  const literals = values.map((it) => client.escapeLiteral(it)).join(', ');
  const lines = await planOf(client, `(ANALYZE, BUFFERS, TIMING OFF, SUMMARY OFF) EXECUTE ${name} (${literals})`);
  const [, rows] = /actual rows=([\d.]+)/.exec(lines[0] ?? '') ?? [];
  const [, hit = '0', read = '0'] = /^Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/m.exec(lines.join('\n')) ?? [];
  return { blocks: Number(hit) + Number(read), rows: Number(rows) };
}

/** Every SQL statement that serves requests is an index search, without a scan and without a sort. */
import { expect, test } from '@jest/globals';
import { removeRecords } from '../../../server/store/records.ts';
import { runSync } from '../../../server/store/sql.ts';
import { openForWriting } from '../../../server/store/sqlite/database.ts';
import { SQLITE } from '../../../server/store/sqlite/sql.ts';
import { usageSql } from '../../../server/store/usage.ts';
import { AUTHENTICATE, GET, NEXT_EXPIRY, pageSql } from '../../../server/store/sqlite/statements.ts';
import { DIRECTIONS } from '../../../server/store/store.ts';

const SEARCH = /^SEARCH \w+ USING (COVERING )?(INDEX \w+|(INTEGER )?PRIMARY KEY) \(/;

/** @returns the steps of a statement's plan. */
function planOf(
  sql: string,
  parameters: readonly unknown[] = [...sql.matchAll(/\?/g)].map(() => null),
): readonly string[] {
  const db = openForWriting(':memory:');
  return db
    .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...parameters)
    .map((it) => it.detail)
    .filter((it) => it !== 'CORRELATED SCALAR SUBQUERY 1');
}

test('records are removed by an index search for each id', () => {
  const statements: string[] = [];
  runSync(removeRecords(SQLITE, 'main', 'automations', []), ({ sql }) => {
    statements.push(sql);
    return [{ name: 'automations', id: Buffer.of(1), fingerprint: null }];
  });
  expect(planOf(String(statements.at(-1)), [{ 1: '', 2: 1, 3: '[]' }])[0]).toMatch(SEARCH);
});

test('monitoring reads ranges of indexes, which end at a limit', () => {
  const { expiring, expired, lastImports } = usageSql(SQLITE);
  const steps = (sql: string): readonly string[] =>
    planOf(sql, [{ 1: '', 2: '' }]).filter((it) => it !== 'CO-ROUTINE found');
  for (const [sql, range] of [
    [expiring, 'expires_at>? AND expires_at<?'],
    [expired, 'expires_at<?'],
  ] as const) {
    expect(steps(sql)).toEqual([`SEARCH keys USING INDEX keys_expiry (${range})`, 'SCAN found']);
    expect(sql).toContain('LIMIT');
  }
  expect(steps(lastImports)).toEqual([
    'SCAN latest USING COVERING INDEX last_imports_at',
    'SEARCH named USING INTEGER PRIMARY KEY (rowid=?)',
  ]);
  expect(lastImports).toContain('LIMIT');
});

test.each([AUTHENTICATE, NEXT_EXPIRY, GET])('%s', (sql) => {
  for (const step of planOf(sql)) expect(step).toMatch(SEARCH);
});

test.each(DIRECTIONS.flatMap((direction) => [false, true].map((filtered) => ({ direction, filtered }))))(
  'a page: $direction, filtered: $filtered',
  ({ direction, filtered }) => {
    const steps = planOf(pageSql(direction, filtered));
    for (const step of steps) expect(step).toMatch(SEARCH);
    const page = String(steps.at(-1));
    expect(page).toContain(`(account=? AND collection=?${filtered ? ' AND filter=?' : ''}`);
    // A page behind a cursor starts at its place, whatever lies before it.
    if (direction !== 'first') expect(page).toMatch(/ AND \(created_us,id\)[<>]\(\?,\?\)/);
  },
);

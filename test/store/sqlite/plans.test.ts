/** Every SQL statement that serves requests is an index search, without a scan and without a sort. */
import { expect, test } from '@jest/globals';
import { removeRecords } from '../../../server/store/records.ts';
import { runSync } from '../../../server/store/sql.ts';
import { openForWriting } from '../../../server/store/sqlite/database.ts';
import { SQLITE } from '../../../server/store/sqlite/sql.ts';
import { AUTHENTICATE, DIRECTIONS, GET, NEXT_EXPIRY, pageSql } from '../../../server/store/sqlite/statements.ts';

const CURSOR = 'SEARCH cursor USING COVERING INDEX records_id (account=? AND collection=? AND id=?)';
const RANGE = { first: '', after: ' AND (created_us,id)<(?,?)', before: ' AND (created_us,id)>(?,?)' };

const plans: [sql: string, plan: string[]][] = [
  [
    AUTHENTICATE,
    ['SEARCH keys USING INDEX sqlite_autoindex_keys_2 (hash=?)', 'SEARCH accounts USING INTEGER PRIMARY KEY (rowid=?)'],
  ],
  [NEXT_EXPIRY, ['SEARCH keys USING INDEX keys_expiry (expires_at>?)']],
  [GET, ['SEARCH records USING INDEX records_id (account=? AND collection=? AND id=?)']],
  ...DIRECTIONS.flatMap((direction) =>
    [false, true].map((filtered): [string, string[]] => {
      const key = filtered ? 'INDEX records_filter' : 'PRIMARY KEY';
      const parts = `account=? AND collection=?${filtered ? ' AND filter=?' : ''}${RANGE[direction]}`;
      const page = `SEARCH page USING ${key} (${parts})`;
      return [pageSql(direction, filtered), direction === 'first' ? [page] : [CURSOR, `${page} LEFT-JOIN`]];
    }),
  ),
];

test('records are removed by an index search for each id', () => {
  const db = openForWriting(':memory:');
  const statements: string[] = [];
  runSync(removeRecords(SQLITE, 'main', 'automations', []), ({ sql }) => {
    statements.push(sql);
    return [{ name: 'automations', id: Buffer.of(1), fingerprint: null }];
  });
  const explained = db.prepare<[object], { detail: string }>(`EXPLAIN QUERY PLAN ${String(statements.at(-1))}`);
  const [plan] = explained.all({ 1: '', 2: 1, 3: '[]' });
  expect(plan?.detail).toBe('SEARCH records USING INDEX records_id (account=? AND collection=? AND id=?)');
});

test.each(plans)('%s', (sql, plan) => {
  const db = openForWriting(':memory:');
  const rows = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
  const parameters = [...sql.matchAll(/\?/g)].map(() => null);
  expect(rows.all(...parameters).map((it) => it.detail)).toEqual(plan);
});

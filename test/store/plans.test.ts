/** Every SQL statement that serves requests is an index search, without a scan and without a sort. */
import { expect, test } from '@jest/globals';
import { COLLECTIONS, filterOf } from '../../server/contract/collections.ts';
import { openForWriting } from '../../server/store/sqlite/database.ts';
import { TABLES } from '../../server/store/sqlite/schema.ts';
import { AUTHENTICATE, getSql, pageSql, positionSql } from '../../server/store/sqlite/statements.ts';

const DIRECTIONS = ['first', 'after', 'before'] as const;
const RANGE = { first: '', after: ' AND (created_us,id)<(?,?)', before: ' AND (created_us,id)>(?,?)' };

const plans: [sql: string, plan: string][] = [
  [AUTHENTICATE, 'SEARCH keys USING INDEX sqlite_autoindex_keys_2 (hash=?)'],
  ...COLLECTIONS.flatMap((collection): [string, string][] => {
    const table = TABLES[collection];
    const byId = `SEARCH ${table} USING INDEX ${table}_id (account=? AND id=?)`;
    return [
      [getSql(collection), byId],
      [positionSql(collection), byId.replace('INDEX', 'COVERING INDEX')],
      ...DIRECTIONS.map((direction): [string, string] => [
        pageSql(collection, direction, false),
        `SEARCH ${table} USING PRIMARY KEY (account=?${RANGE[direction]})`,
      ]),
      ...DIRECTIONS.filter(() => filterOf(collection) !== undefined).map((direction): [string, string] => [
        pageSql(collection, direction, true),
        `SEARCH ${table} USING INDEX ${table}_status (account=? AND status=?${RANGE[direction]})`,
      ]),
    ];
  }),
];

test.each(plans)('%s', (sql, plan) => {
  const db = openForWriting(':memory:');
  const rows = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
  const parameters = [...sql.matchAll(/\?/g)].map(() => null);
  expect(rows.all(...parameters).map((it) => it.detail)).toEqual([plan]);
});

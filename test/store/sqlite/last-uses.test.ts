/** When keys were last used: the later time stays, for the owner's eyes, beside the records. */
import { existsSync, statSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { forgetLastUses, lastUses, putLastUses } from '../../../server/store/sqlite/last-uses.ts';
import { StoreUnavailable } from '../../../server/store/store.ts';
import { openFolder } from '../../support/cli.ts';
import type { Folder } from '../../support/cli.ts';

const [EARLY, LATE] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z'];
const used = (uses: Record<string, string>): ReadonlyMap<string, number> =>
  new Map(Object.entries(uses).map(([key, at]) => [key, Date.parse(at)]));

let folder: Folder;
let db: string;
beforeEach(() => {
  folder = openFolder();
  db = folder.path('x.db');
});
afterEach(() => {
  folder.remove();
});

test('of several processes, each key has the latest', () => {
  putLastUses(db, used({ a: LATE, b: EARLY }));
  putLastUses(db, used({ a: EARLY, b: LATE, c: EARLY }));
  expect(lastUses(db)).toEqual(
    new Map([
      ['a', LATE],
      ['b', LATE],
      ['c', EARLY],
    ]),
  );
  forgetLastUses(db, ['a', 'c', 'unknown']);
  expect(lastUses(db)).toEqual(new Map([['b', LATE]]));
});

test('the file is for its owner alone, and made by a use only', () => {
  expect(lastUses(db)).toEqual(new Map());
  forgetLastUses(db, ['a']);
  expect(existsSync(`${db}-last-used`)).toBe(false);
  const umask = process.umask(0);
  putLastUses(db, used({ a: EARLY }));
  process.umask(umask);
  expect((statSync(`${db}-last-used`).mode & 0o777).toString(8)).toBe('600');
  expect(existsSync(db)).toBe(false);
});

test('one that others hold is not waited for', () => {
  putLastUses(db, used({ a: EARLY }));
  const other = new Database(`${db}-last-used`);
  other.exec('BEGIN IMMEDIATE');
  const started = performance.now();
  expect(() => {
    putLastUses(db, used({ a: LATE }));
  }).toThrow(StoreUnavailable);
  expect(performance.now() - started).toBeLessThan(1000);
  other.close();
  putLastUses(db, used({ a: LATE }));
  expect(lastUses(db).get('a')).toBe(LATE);
});

/** When keys were last used: the later time stays, in a file beside the database that nothing else depends on. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { beforeEach, describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { forgetLastUses, lastUses, lastUsesFaults, putLastUses } from '../../../server/store/sqlite/last-uses.ts';
import { openWriter } from '../../../server/store/sqlite/open.ts';
import { StoreError, StoreUnavailable } from '../../../server/store/store.ts';
import { file as db, folder } from '../../support/own-folder.ts';

const [EARLY, LATE] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z'];
const used = (uses: Record<string, string>): ReadonlyMap<string, number> =>
  new Map(Object.entries(uses).map(([key, at]) => [key, Date.parse(at)]));

let sidecar: string;
beforeEach(async () => {
  sidecar = `${db}-last-used`;
  await openWriter(db).close();
});

const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);

test.each([0o600, 0o640, 0o664])('the file is made by a use only, with the mode of the database: %o', (mode) => {
  chmodSync(db, mode);
  expect(lastUses(db)).toEqual(new Map());
  forgetLastUses(db, ['a']);
  expect(lastUsesFaults(db)).toEqual([]);
  expect(existsSync(sidecar)).toBe(false);
  for (const mask of [0, 0o077]) {
    const umask = process.umask(mask);
    putLastUses(db, used({ a: EARLY }));
    process.umask(umask);
    expect(modeOf(sidecar)).toBe(mode.toString(8));
    rmSync(sidecar);
  }
});

const asRoot = process.geteuid?.() === 0 ? test : test.skip;
const NOBODY = 65_534;
const chown = (file: string): unknown => execFileSync('chown', [`${String(NOBODY)}:${String(NOBODY)}`, file]);

asRoot('made by root, it belongs to the owner of the database', () => {
  chown(db);
  putLastUses(db, used({ a: EARLY }));
  const { uid, gid } = statSync(sidecar);
  expect([uid, gid, modeOf(sidecar)]).toEqual([NOBODY, NOBODY, '600']);
  expect(lastUsesFaults(db)).toEqual([]);
});

test('under each name of the database it is the same file', () => {
  const link = folder.path('link.db');
  symlinkSync(db, link);
  putLastUses(link, used({ a: EARLY }));
  putLastUses(db, used({ a: LATE, b: EARLY }));
  expect(existsSync(`${link}-last-used`)).toBe(false);
  expect(lastUses(link)).toEqual(lastUses(db));
  expect(lastUses(link).get('a')).toBe(LATE);
  forgetLastUses(link, ['a']);
  expect([...lastUses(db).keys()]).toEqual(['b']);
});

test('without a database none is made', () => {
  const gone = folder.path('gone.db');
  expect(() => {
    putLastUses(gone, used({ a: EARLY }));
  }).toThrow(new StoreUnavailable(`${gone} does not exist.`));
  expect(lastUses(gone)).toEqual(new Map());
  forgetLastUses(gone, ['a']);
  expect(existsSync(`${gone}-last-used`)).toBe(false);
});

test('one that others hold is not waited for', () => {
  putLastUses(db, used({ a: EARLY }));
  const other = new Database(sidecar);
  other.exec('BEGIN IMMEDIATE');
  expect(() => {
    putLastUses(db, used({ a: LATE }));
  }).toThrow(StoreUnavailable);
  expect(lastUses(db).get('a')).toBe(EARLY);
  other.close();
  putLastUses(db, used({ a: LATE }));
  expect(lastUses(db).get('a')).toBe(LATE);
});

describe('one that cannot be used is rejected at once, by its name, and is a fault of the database', () => {
  const remove = (what: string): string =>
    `${sidecar} ${what}. Delete it: it contains only the last-used times of keys.`;
  const write = (text: string) => (): void => {
    writeFileSync(sidecar, text);
  };
  test.each([
    ['damaged', write('nonsense'.repeat(1000)), 'is damaged (file is not a database)'],
    ['of something else', () => { new Database(sidecar).exec('CREATE TABLE other (a)').close(); }, 'is damaged (no such table: last_uses)'], // prettier-ignore
    ['a folder', () => { mkdirSync(sidecar); }, 'is not a regular file'], // prettier-ignore
    ['a FIFO, which would be waited for', () => { execFileSync('mkfifo', [sidecar]); }, 'is not a regular file'], // prettier-ignore
    ['a link to another file', () => { symlinkSync(db, sidecar); }, 'is not a regular file'], // prettier-ignore
  ])('%s', (_, make, what) => {
    make();
    const rejected: unknown = expect.objectContaining({ constructor: StoreError, message: remove(what) });
    expect(() => lastUses(db)).toThrow(rejected);
    expect(lastUsesFaults(db)).toEqual([remove(what)]);
    if (what.includes('no such table')) return; // Written, it has its table.
    expect(() => {
      forgetLastUses(db, ['a']);
    }).toThrow(rejected);
    expect(() => {
      putLastUses(db, used({ a: LATE }));
    }).toThrow(rejected);
  });

  asRoot('of another user, as older versions made it for root', () => {
    putLastUses(db, used({ a: EARLY }));
    chown(db);
    expect(lastUsesFaults(db)).toEqual([remove('cannot be written by the owner of the database')]);
    chown(sidecar);
    expect(lastUsesFaults(db)).toEqual([]);
    chmodSync(sidecar, 0o400);
    expect(lastUsesFaults(db)).toEqual([remove('cannot be written by the owner of the database')]);
  });

  test('an empty one, of a process that was killed, is none', () => {
    write('')();
    expect([lastUses(db), lastUsesFaults(db)]).toEqual([new Map(), []]);
    putLastUses(db, used({ a: LATE }));
    expect(lastUses(db).get('a')).toBe(LATE);
  });
});

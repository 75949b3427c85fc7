/** Where records of a load lie in the table, and what becomes of its indexes. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Schemas } from '../../../contract/types.ts';
import { openForWriting } from '../../../server/store/sqlite/database.ts';
import { createSqliteWriter } from '../../../server/store/sqlite/writer.ts';
import { contactImport } from '../../../testkit/builders.ts';
import { contract } from '../../support/app.ts';
import { series } from '../../support/series.ts';
import { loadInto } from '../../support/store.ts';

type Import = Schemas['ContactImport'];

let db: ReturnType<typeof openForWriting>;
beforeEach(() => {
  db = openForWriting(':memory:');
});
afterEach(() => {
  db.close();
});

const load = (records: readonly Import[], replace = false): Promise<unknown> =>
  loadInto(createSqliteWriter(db), 'contactImports', records, { contract, replace });
const held = (): unknown[] =>
  db
    .prepare<[], string>('SELECT json FROM records ORDER BY created_us DESC, id DESC')
    .pluck()
    .all()
    .map((it) => JSON.parse(it) as unknown);

const [newer, middle, older] = series(3, contactImport) as [Import, Import, Import];

test('the pages of the table are filled', async () => {
  const records = series(3000, contactImport);
  const pages = async (of: readonly Import[]): Promise<number> => {
    const other = openForWriting(':memory:');
    await loadInto(createSqliteWriter(other), 'contactImports', of, { contract });
    const count = other.pragma('page_count', { simple: true }) as number; // A count.
    other.close();
    return count;
  };
  // In another order than that of the list they stay half empty: 1.8 times as many.
  expect((await pages(records.toReversed())) / (await pages(records))).toBeLessThan(1.1);
});

describe('the indexes', () => {
  const indexes = (): unknown =>
    db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' ORDER BY name").all();
  const version = (): unknown => db.pragma('schema_version', { simple: true });
  const changed = { ...newer, counts: { ...newer.counts, total: newer.counts.total + 1 } };

  const many = series(1000, contactImport);

  test.each([
    ['a first load', [], many, false],
    ['a load that replaces all', many, [older], true],
  ])('are recreated by %s, as they were', async (_, old, records, replace) => {
    if (old.length > 0) await load(old);
    const [before, madeBefore] = [indexes(), version()];
    await load(records, replace);
    expect(version()).not.toBe(madeBefore);
    expect(indexes()).toEqual(before);
    expect(held()).toEqual(records);
  });

  test.each([
    ['to others of the collection', 'main', [older], [newer, middle, older]],
    ['in place of others', 'main', [changed], [changed, middle]],
    ['that are fewer than those of other accounts', 'another', [older], [newer, middle, older]],
  ] as const)('stay when records are added %s', async (_, account, records, all) => {
    await load([newer, middle]);
    const before = version();
    await loadInto(createSqliteWriter(db), 'contactImports', records, { contract, account });
    expect(version()).toBe(before);
    expect(held()).toEqual(all);
  });

  test('stay when a first load is small', async () => {
    const before = version();
    await load([newer, middle]);
    expect(version()).toBe(before);
    expect(held()).toEqual([newer, middle]);
  });

  test('are as they were after a load that was called off', async () => {
    await load(many);
    const before = indexes();
    db.exec("CREATE TRIGGER refuse BEFORE INSERT ON records BEGIN SELECT RAISE(ABORT, 'refused'); END");
    await expect(load([newer], true)).rejects.toThrow('refused');
    expect(indexes()).toEqual(before);
    expect(held()).toEqual(many);
  });
});

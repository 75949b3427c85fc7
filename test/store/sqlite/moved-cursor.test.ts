/** A page never contains the item it follows, even if another connection gives that item another place meanwhile. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import Database from 'better-sqlite3';
import type { Statement } from 'better-sqlite3';
import { schemaHashes } from '../../../server/contract/schema.ts';
import { toMicroseconds } from '../../../server/contract/timestamp.ts';
import type { Account } from '../../../server/contract/types.ts';
import { openStore, openWriter } from '../../../server/store/sqlite/open.ts';
import { automation } from '../../../server/testing/builders.ts';
import { afterTest } from '../../support/after-test.ts';
import { contract } from '../../support/app.ts';
import { file } from '../../support/own-folder.ts';
import { series } from '../../support/series.ts';
import { loadInto } from '../../support/store.ts';

const ACCOUNT = 1 as Account; // The only one.

test.each(['after', 'before'] as const)(
  'the item at the cursor moves after any statement of a page %s it',
  async (direction) => {
    const records = series(5, automation);
    const writer = openWriter(file);
    await loadInto(writer, 'automations', records, { contract });
    await writer.close();
    const store = openStore(file, schemaHashes(contract));
    const other = new Database(file);
    afterTest(async () => {
      await store.close();
      other.close();
    });

    const [newest, , moved, , oldest] = records;
    const id = String(moved?.id);
    const [first = 0n, last = 0n] = [newest, oldest].map((it) => toMicroseconds(it?.created_at ?? ''));
    const place = other.prepare('UPDATE records SET created_us = ? WHERE id = ?');
    const moveTo = (instant: bigint): unknown => place.run(instant, Buffer.from(id.replaceAll('-', ''), 'hex'));

    let onStatement = (): void => undefined;
    const prototype = Object.getPrototypeOf(place) as Statement;
    for (const method of ['run', 'get', 'all'] as const) {
      const spy = jest.spyOn(prototype, method);
      const execute = spy.getMockImplementation();
      spy.mockImplementation(function (this: Statement, ...parameters) {
        const result: unknown = execute?.apply(this, parameters);
        if (this.database !== other) onStatement();
        return result as never; // As the method itself.
      });
      afterTest(() => {
        spy.mockRestore();
      });
    }
    /** @returns the items of a page during which the item moves after the nth statement, and how many statements it took. */
    const page = async (
      from: bigint,
      to: bigint,
      nth: number,
    ): Promise<{ items: readonly string[]; count: number }> => {
      await nextTurn(); // Another snapshot.
      moveTo(from);
      let count = 0;
      onStatement = () => {
        count += 1;
        if (count === nth) moveTo(to);
      };
      const found = await store.list(ACCOUNT, 'automations', { limit: 10, cursor: { direction, id } });
      onStatement = () => undefined;
      return { items: found?.items ?? [], count };
    };
    const lengths = new Set<number>();
    for (const [from, to] of [
      [first + 1n, last - 1n],
      [last - 1n, first + 1n],
    ] as const) {
      for (let [nth, statements] = [1, 1]; nth <= statements; nth += 1) {
        const { items, count } = await page(from, to, nth);
        statements = count;
        expect([nth, items.filter((it) => it.includes(id))]).toEqual([nth, []]);
        lengths.add(items.length);
      }
    }
    expect(lengths).toEqual(new Set([0, 4])); // Seen at both of its places, with the four others on one side of it.
  },
);

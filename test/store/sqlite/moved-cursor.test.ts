/** A page never contains the item it follows, even if another connection gives that item another place meanwhile. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { schemaHashes } from '../../../contract/schema.ts';
import { toMicroseconds } from '../../../contract/timestamp.ts';
import type { Account } from '../../../contract/types.ts';
import { openStore, openWriter } from '../../../server/store/sqlite/open.ts';
import { automation } from '../../../testkit/builders.ts';
import { afterTest } from '../../support/after-test.ts';
import { contract } from '../../support/app.ts';
import { interruptStatements } from '../../support/between-statements.ts';
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

    const interrupted = interruptStatements(other);
    const lengths = new Set<number>();
    for (const [from, to] of [
      [first + 1n, last - 1n],
      [last - 1n, first + 1n],
    ] as const) {
      await interrupted({
        prepare: async () => {
          await nextTurn(); // Another snapshot.
          moveTo(from);
        },
        work: () => store.list(ACCOUNT, 'automations', { limit: 10, cursor: { direction, id } }),
        interrupt: () => moveTo(to),
        check: (page, nth) => {
          const items = page?.items ?? [];
          expect([nth, items.filter((it) => it.includes(id))]).toEqual([nth, []]);
          lengths.add(items.length);
        },
      });
    }
    expect(lengths).toEqual(new Set([0, 4])); // Seen at both of its places, with the four others on one side of it.
  },
);

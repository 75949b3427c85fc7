/** A page never contains the item it follows, even if another process gives that item another place meanwhile. */
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, test } from '@jest/globals';
import { schemaHashes } from '../../../server/contract/schema.ts';
import { toMicroseconds } from '../../../server/contract/timestamp.ts';
import type { Account } from '../../../server/contract/types.ts';
import { openStore, openWriter } from '../../../server/store/sqlite/open.ts';
import { automation } from '../../../server/testing/builders.ts';
import { contract } from '../../support/app.ts';
import { file } from '../../support/own-folder.ts';
import { series } from '../../support/series.ts';
import { loadInto } from '../../support/store.ts';
import type { Move } from './mover.ts';

const MOVES = 1000;
/** All moves may be over before the first page is read. So many are waited for until the record was seen at both of its places. */
const MOST_MOVES = 50 * MOVES;

test('the item at the cursor moves from the head of the list to its end and back', async () => {
  const records = series(5, automation);
  const writer = openWriter(file);
  await loadInto(writer, 'automations', records, { contract });
  await writer.close();
  const store = openStore(file, schemaHashes(contract));

  const [newest, , moved, , oldest] = records;
  const id = String(moved?.id);
  const [first = 0n, last = 0n] = [newest, oldest].map((it) => toMicroseconds(it?.created_at ?? ''));
  const moves = new Int32Array(new SharedArrayBuffer(4));
  const workerData: Move = {
    file,
    id: Buffer.from(id.replaceAll('-', ''), 'hex'),
    instants: [first + 1n, last - 1n],
    moves,
  };
  const mover = new Worker(new URL('mover.ts', import.meta.url), { workerData });
  const ended = once(mover, 'exit');
  await once(mover, 'message');

  const lengths = new Set<number>();
  let pagesWithIt = 0;
  while (Atomics.load(moves, 0) < (lengths.size < 2 ? MOST_MOVES : MOVES)) {
    await setImmediate(); // Lets the thread's end be noticed.
    for (const direction of ['after', 'before'] as const) {
      const account = 1 as Account; // The only one.
      const page = await store.list(account, 'automations', { limit: 10, cursor: { direction, id } });
      const items = page?.items ?? [];
      lengths.add(items.length);
      if (items.some((it) => it.includes(id))) pagesWithIt += 1;
    }
  }
  Atomics.store(moves, 0, -MOVES);
  await ended;
  await store.close();
  expect(pagesWithIt).toBe(0);
  // Seen at both of its places, with the four others on one side of it.
  expect(lengths).toEqual(new Set([0, 4]));
});

/** What the console shows, in whatever order answers come. */
import { expect, test } from '@jest/globals';
import { Failure } from '../../server/pages/assets/console/api.js';
import type { Answer } from '../../server/pages/assets/console/api.js';
import { placeOf } from '../../server/pages/assets/console/location.js';
import type { Place } from '../../server/pages/assets/console/location.js';
import { Session } from '../../server/pages/assets/console/session.js';
import { automation, contactImport } from '../../server/testing/index.ts';
import { collections } from './collections.ts';

interface Asked {
  readonly target: string;
  readonly etag: string | undefined;
  readonly signal: AbortSignal;
  readonly answer: (answer: Answer | undefined) => Promise<void>;
  readonly fail: (failure: Failure) => Promise<void>;
}

/** Until all that follows from an answer has happened. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A session whose requests are answered by hand, and whose pauses end by hand. */
function open(): {
  session: Session;
  asked: Asked[];
  refused: Failure[];
  pauses: number[];
  wake: () => Promise<void>;
} {
  const asked: Asked[] = [];
  const refused: Failure[] = [];
  const pauses: number[] = [];
  let resume: (() => void)[] = [];
  const session = new Session({
    ask: (target, { signal, etag }) => {
      const { promise, resolve, reject } = Promise.withResolvers<Answer | undefined>();
      const answer = async (it: Answer | undefined): Promise<void> => {
        resolve(it);
        await settled();
      };
      const fail = async (failure: Failure): Promise<void> => {
        reject(failure);
        await settled();
      };
      asked.push({ target, etag, signal, answer, fail });
      return promise;
    },
    pause: (signal) => async (ms) => {
      pauses.push(ms);
      await new Promise<void>((resolve) => resume.push(resolve));
      signal.throwIfAborted();
    },
    changed: () => undefined,
    refused: (failure) => refused.push(failure),
  });
  const wake = async (): Promise<void> => {
    const waiting = resume;
    resume = [];
    for (const it of waiting) it();
    await settled();
  };
  return { session, asked, refused, pauses, wake };
}

const place = (hash: string): Place => {
  const found = placeOf(hash, collections);
  if (found === undefined) throw new Error(`${hash} is no place.`);
  return found;
};
const page = (data: readonly object[], hasMore = false, etag = '"1"'): Answer => ({
  body: { object: 'list', has_more: hasMore, data: data.map((it) => ({ ...it })) },
  etag,
});
const one = (record: object, etag = '"1"'): Answer => ({ body: { ...record }, etag });

test('a page asked for later is shown, and no late answer comes over it, even of a request that does not end', async () => {
  const { session, asked } = open();
  const [first, second] = [automation(), automation()];
  session.go(place('#/automations?limit=1'));
  session.go(place('#/automations?limit=2'));
  expect([...session.waiting]).toEqual(['/automations?limit=1', '/automations?limit=2']);
  expect(asked.map((it) => it.signal.aborted)).toEqual([true, false]);
  await asked[1]?.answer(page([second]));
  await asked[0]?.answer(page([first]));
  expect(session.page?.items).toEqual([second]);
  expect([...session.waiting]).toEqual([]);

  session.go(place('#/automations?limit=1'));
  session.go(place('#/automations?limit=2'));
  await asked[3]?.answer(page([second]));
  await asked[2]?.fail(new Failure('late', 'late'));
  expect(session.failures).toEqual({});
});

test('what is shown already is not asked for again, unless that is wanted', async () => {
  const { session, asked } = open();
  const [only] = [automation()];
  session.go(place('#/automations'));
  await asked[0]?.answer(page([only]));
  session.go(place(`#/automations/${only.id}`));
  await settled();
  expect(session.record?.item).toEqual(only);
  session.go(place('#/automations'));
  expect(session.record).toBeUndefined();
  expect(asked).toHaveLength(1);
  session.reload(place('#/automations'));
  expect(asked).toHaveLength(2);
  // What was there stays until there is something new, or when there is not.
  await asked[1]?.fail(new Failure('down', 'down', { status: 500 }));
  expect(session.page?.items).toEqual([only]);
  expect(session.failures.page?.title).toBe('down');
});

test('a record that was left is not shown', async () => {
  const { session, asked } = open();
  const [a, b] = [contactImport(), contactImport()];
  session.go(place(`#/contacts/imports/${a.id}`));
  session.go(place(`#/contacts/imports/${b.id}`));
  const ask = (id: string): Asked | undefined => asked.find((it) => it.target.endsWith(id));
  await ask(b.id)?.answer(one(b));
  await ask(a.id)?.answer(one(a));
  expect(session.record?.item).toEqual(b);
});

test('a running import is asked for with its tag until it has ended', async () => {
  const { session, asked, pauses, wake } = open();
  const [running, other] = [contactImport({ status: 'in_progress' }), contactImport()];
  session.go(place(`#/contacts/imports/${running.id}?limit=1`));
  await asked[0]?.answer(page([other]));
  await asked[1]?.answer(one(running, '"7"'));
  expect(pauses).toEqual([1000]);
  await wake();
  expect(asked.slice(2).map((it) => [it.target, it.etag])).toEqual([[`/contacts/imports/${running.id}`, '"7"']]);
  await asked[2]?.answer(undefined);
  expect(session.record?.item).toEqual(running);
  await wake();
  await asked[3]?.answer(one({ ...running, status: 'completed', completed_at: '2026-04-16 13:49:40+00' }));
  await wake();
  expect(asked).toHaveLength(4);
});

test('a running import that its page has is asked for once, with the page', async () => {
  const { session, asked, wake } = open();
  const [running, other] = [contactImport({ status: 'in_progress' }), contactImport()];
  session.go(place(`#/contacts/imports/${running.id}`));
  await asked[0]?.answer(page([running, other], false, '"8"'));
  await asked[1]?.answer(one(running));
  await wake();
  expect(asked.slice(2).map((it) => [it.target, it.etag])).toEqual([['/contacts/imports', '"8"']]);
  const moved = { ...running, counts: { ...running.counts, created: 1 } };
  await asked[2]?.answer(page([moved, other]));
  expect(session.record?.item).toEqual(moved);
});

test('what has been left is not followed', async () => {
  const { session, asked, wake } = open();
  session.go(place('#/contacts/imports'));
  await asked[0]?.answer(page([contactImport({ status: 'queued' })]));
  session.leave();
  await wake();
  expect(asked).toHaveLength(1);
  // And is asked for when somebody comes back.
  session.go(place('#/contacts/imports'));
  expect(asked).toHaveLength(2);
});

test('a key that is refused is told of, and is no error of a page', async () => {
  const { session, asked, refused } = open();
  session.go(place('#/automations'));
  const failure = new Failure('invalid_api_key', 'No.', { status: 401 });
  await asked[0]?.fail(failure);
  expect(refused).toEqual([failure]);
  expect(session.failures.page).toBeUndefined();
});

test('a fault of the page itself is shown too', async () => {
  const { session, asked } = open();
  session.go(place('#/automations'));
  await asked[0]?.answer({ body: { data: [{ id: 1 }] }, etag: undefined });
  expect(session.failures.page?.title).toBe('Not a record');
});

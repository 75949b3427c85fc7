/** Waiting while another process writes: what is said, and in which order, however long an attempt takes. */
import { expect, test } from '@jest/globals';
import { StoreBusy } from '../../server/store/store.ts';
import { whenFree } from '../../server/store/wait.ts';

test('the wait begins after the first attempt, and is said to begin, even if that attempt took longer than the wait', async () => {
  const said: string[] = [];
  const wait = { ms: 1, began: () => said.push('began') };
  const waited = whenFree(wait, () => {
    said.push('tried');
    for (const start = performance.now(); performance.now() - start < 2 * wait.ms;);
    throw new StoreBusy('busy');
  });
  await expect(waited).rejects.toThrow(
    'Another process was still writing to the database after 0.001 s. Try again, or wait longer.',
  );
  expect(said).toEqual(['tried', 'began', 'tried']);
});

test.each([
  ['without a wait there is one attempt', 0, new StoreBusy('busy'), 'busy'],
  ['any other error ends it', 60_000, new Error('broken'), 'broken'],
])('%s, and nothing is said', async (_, ms, error, message) => {
  const said: string[] = [];
  const waited = whenFree({ ms, began: () => said.push('began') }, () => {
    said.push('tried');
    throw error;
  });
  await expect(waited).rejects.toThrow(message);
  expect(said).toEqual(['tried']);
});

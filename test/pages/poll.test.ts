/** How often the console polls. */
import { expect, test } from '@jest/globals';
import { Failure, poll } from '../../server/pages/assets/console/api.ts';

type Outcome = 'changed' | 'unchanged' | 'over' | Error;

/** @returns the pauses and the reports, until the outcomes are used up. */
async function run(
  ...outcomes: Outcome[]
): Promise<{ pauses: number[]; reports: (string | undefined)[]; end: unknown }> {
  const pauses: number[] = [];
  const reports: (string | undefined)[] = [];
  const ended = new Error('It is to end.');
  const send = (): Promise<Exclude<Outcome, Error>> => {
    const next = outcomes.shift();
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next ?? 'unchanged');
  };
  const sleep = (ms: number): Promise<void> => {
    pauses.push(ms);
    return outcomes.length === 0 ? Promise.reject(ended) : Promise.resolve();
  };
  const end: unknown = await poll(send, (it) => reports.push(it?.message), sleep).catch((error: unknown) => error);
  return { pauses, reports, end: end === ended ? 'stopped' : end };
}
const failure = (status: number, retryAfter?: number): Failure =>
  new Failure('it', String(status), { status, retryAfter });

test('less and less often while nothing changes, at once when it does', async () => {
  const same = (count: number): Outcome[] => Array.from({ length: count }, () => 'unchanged');
  const { pauses, end } = await run(...same(6), 'changed', 'unchanged', 'over');
  expect(pauses).toEqual([1000, 1500, 2250, 3375, 5000, 5000, 5000, 1000, 1500]);
  expect(end).toBeUndefined();
});

test('goes on after what passes, and says when it has passed', async () => {
  const { pauses, reports, end } = await run(
    failure(503),
    failure(500),
    new Failure('network', 'cut'),
    'unchanged',
    'over',
  );
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 5000]);
  expect(reports).toEqual(['503', '500', 'cut', undefined]);
  expect(end).toBeUndefined();
});

test('waits as long as the server says', async () => {
  expect((await run(failure(429, 30), failure(429, 1), 'over')).pauses).toEqual([1000, 30_000, 60_000]);
  // But does not sleep for a day.
  expect((await run(failure(429, 86_400), 'over')).pauses).toEqual([1000, 300_000]);
});

test.each([401, 404, 422])('ends with a %i', async (status) => {
  const { reports, end } = await run(failure(status), 'over');
  expect(end).toEqual(failure(status));
  expect(reports).toEqual([]);
});

test('ends with what is no failure of a request', async () => {
  const bug = new TypeError('a bug');
  expect((await run(bug, 'over')).end).toBe(bug);
});

test('ends when it is told to', async () => {
  expect((await run('unchanged')).end).toBe('stopped');
});

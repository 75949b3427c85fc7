/** What every client of the matrix has to do with the server of the matrix: its driver is given tasks, and prints the results. */
import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { parsePrinted } from '../../server/examine/task.ts';
import type { Printed } from '../../server/examine/task.ts';
import type { Expected } from './records.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const TIMEOUT_MS = 60_000;

/** A driver that a row has built. */
export interface Driver {
  readonly command: readonly string[];
  /** The folder in which it runs. */
  readonly folder: string;
}

/** @throws Error for the first task whose result is not the expected one. */
export async function checkDriver(
  driver: Driver,
  server: { readonly url: string; readonly apiKey: string },
  expected: Expected,
): Promise<void> {
  const task = (args: readonly string[], apiKey = server.apiKey): Promise<Printed> =>
    runDriver(driver, args, { ROLLCALL_BASE_URL: server.url, ROLLCALL_API_KEY: apiKey });
  const lines = async (...args: readonly string[]): Promise<readonly string[]> => {
    const { lines, error, broken } = await task(args);
    assert.deepEqual({ error, broken }, { error: undefined, broken: undefined }, args.join(' '));
    return lines;
  };

  assert.equal((await lines('list', 'automations'))[0], expected.firstAutomationId);
  for (const [filter, count] of [
    [[], expected.automations],
    [['--status', 'enabled'], expected.enabled],
  ] as const) {
    const ids = await lines('list-all', 'automations', '--limit', '100', ...filter);
    assert.deepEqual([ids.length, new Set(ids).size], [count, count], `list-all ${filter.join(' ')}`);
  }

  const [record = 'null'] = await lines('get', expected.importId);
  // It is checked here.
  const { counts, completed_at } = JSON.parse(record) as { counts?: { created?: unknown }; completed_at?: unknown };
  assert.deepEqual({ created: counts?.created, completed_at }, { created: expected.importCreated, completed_at: null });

  // Not a task of `examine`, which knows only whether a page of them is read.
  const values = (await lines('fallback-values')).map((it): unknown => JSON.parse(it));
  assert.deepEqual(values, expected.fallbackValues);

  const notFound = await task(['get', UNKNOWN_ID]);
  assert.deepEqual(notFound.error, { status: 404, name: 'not_found' });
  const wrongKey = await task(['get', UNKNOWN_ID], `${server.apiKey}x`);
  assert.deepEqual(wrongKey.error, { status: 401, name: 'invalid_api_key' });
}

function runDriver(
  { command: [file = '', ...first], folder }: Driver,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<Printed> {
  return new Promise((resolve) => {
    const options = { cwd: folder, env: { ...process.env, ...variables }, timeout: TIMEOUT_MS } as const;
    execFile(file, [...first, ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      const ending =
        typeof code === 'number'
          ? ({ kind: 'exited', code } as const)
          : ({ kind: 'killed', signal: String(code ?? error?.signal) } as const);
      resolve(parsePrinted({ ending, stdout, stderr, ms: 0 }, TIMEOUT_MS));
    });
  });
}

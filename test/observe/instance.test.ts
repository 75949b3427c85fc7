/** The metrics of an instance: read when they are requested, cached for a moment, and without samples while they cannot be read. */
import { describe, expect, test } from '@jest/globals';
import { CACHE_MS, cacheResult } from '../../server/observe/instance.ts';
import type { Instance } from '../../server/observe/instance.ts';
import type { Usage } from '../../server/store/usage.ts';
import { createMetrics, gatherMetrics } from '../../server/observe/metrics.ts';
import { EXPIRING_DAYS, MAX_ACCOUNTS, MAX_COUNT } from '../../server/store/usage.ts';

const build: Instance['build'] = {
  version: '0.1.0',
  contract_version: '1.0.0',
  node_version: '24.0.0',
  engine: 'sqlite',
};
const USAGE: Usage = {
  bytes: 4096,
  expiringKeys: 2,
  expiredKeys: 3,
  lastImports: [
    { account: 'acme', at: '2026-11-25T12:00:00.500Z' },
    { account: 'a "b"\\\n', at: '2026-11-24T12:00:00.000Z' },
  ],
};
const SAMPLES = [
  'rollcall_build_info{version="0.1.0",contract_version="1.0.0",node_version="24.0.0",engine="sqlite"} 1',
  'rollcall_database_size_bytes 4096',
  'rollcall_keys_expiring 2',
  'rollcall_keys_expired 3',
  'rollcall_last_import_timestamp_seconds{account="acme"} 1795608000.5',
  'rollcall_last_import_timestamp_seconds{account="a \\"b\\"\\\\\\n"} 1795521600',
];
/** @returns the samples of the instance, and no histograms. */
const samplesIn = (text: string): readonly string[] =>
  text.split('\n').filter((it) => /^rollcall_(build|database|keys|last|worker)/.test(it));

test('they have what is read', async () => {
  const { read } = createMetrics({ build, usage: () => Promise.resolve(USAGE) });
  expect(samplesIn(await read())).toEqual(SAMPLES);
  // Once it is read, what was before is gone.
  expect(samplesIn(await read())).toEqual(SAMPLES);
});

test.each([
  [
    'throws',
    () => () => {
      throw new Error('injected');
    },
  ],
  ['rejects', () => () => Promise.reject(new Error('injected'))],
  ['never ends', () => () => new Promise<never>(() => undefined)],
])('they have no samples of a database whose reading %s, and all others', async (_, usageOf) => {
  const text = await createMetrics({ build, usage: usageOf() }).read();
  expect(samplesIn(text)).toEqual(SAMPLES.slice(0, 1));
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  expect(text).toMatch(/^# TYPE rollcall_database_size_bytes gauge$/m);
});

test('their descriptions name the limits of the store', async () => {
  const text = await createMetrics({ build, usage: () => USAGE }).read();
  const help = (name: string): string => new RegExp(`^# HELP ${name} (.*)$`, 'm').exec(text)?.[1] ?? '';
  const most = `at most ${MAX_COUNT.toLocaleString('en')}.`;
  expect(help('rollcall_keys_expiring')).toBe(`Live keys that expire within ${String(EXPIRING_DAYS)} days, ${most}`);
  expect(help('rollcall_keys_expired')).toContain(most);
  expect(help('rollcall_last_import_timestamp_seconds')).toContain(`of the ${String(MAX_ACCOUNTS)} accounts with`);
});

test('no gauge has the name of a counter', async () => {
  const text = await createMetrics({ build, usage: () => USAGE }).read();
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => ({ name, type }));
  expect(types.length).toBeGreaterThan(30);
  expect(types.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter'))).toEqual([]);
});

test('with workers, restarts are counted by their reason, from 0', async () => {
  const { read, workerEnded } = gatherMetrics(2, { build, usage: () => USAGE });
  const restarts = async (): Promise<readonly string[]> =>
    samplesIn(await read()).filter((it) => it.includes('worker'));
  const sample = (worker: number, reason: string, count: number): string =>
    `rollcall_worker_restarts_total{worker="${String(worker)}",reason="${reason}"} ${String(count)}`;
  expect(samplesIn(await read()).slice(0, SAMPLES.length)).toEqual(SAMPLES);
  expect(await restarts()).toEqual([
    ...[sample(1, 'stopped', 0), sample(1, 'failed', 0)],
    ...[sample(2, 'stopped', 0), sample(2, 'failed', 0)],
  ]);
  workerEnded(2, 'failed');
  workerEnded(2, 'failed');
  workerEnded(1, 'stopped');
  expect(await restarts()).toEqual([
    ...[sample(1, 'stopped', 1), sample(1, 'failed', 0)],
    ...[sample(2, 'stopped', 0), sample(2, 'failed', 2)],
  ]);
});

describe('a result', () => {
  test('is read once in the time, for all that request it', async () => {
    let [now, reads] = [0, 0];
    const read = cacheResult(
      () => (reads += 1),
      () => now,
    );
    expect(await Promise.all([read(), read()])).toEqual([1, 1]);
    now = CACHE_MS - 1;
    expect(await read()).toBe(1);
    now = CACHE_MS;
    expect(await Promise.all([read(), read()])).toEqual([2, 2]);
  });

  test('is a failure for as long', async () => {
    let [now, reads] = [0, 0];
    const read = cacheResult(
      () => {
        reads += 1;
        if (reads === 1) throw new Error('injected');
        return reads;
      },
      () => now,
    );
    expect(await read()).toBeUndefined();
    now = CACHE_MS - 1;
    expect(await read()).toBeUndefined();
    now = CACHE_MS;
    expect(await read()).toBe(2);
  });

  test('is awaited once, however long it takes', async () => {
    let [now, reads] = [0, 0];
    const { promise, resolve } = Promise.withResolvers<string>();
    const read = cacheResult(
      () => {
        reads += 1;
        return promise;
      },
      () => now,
    );
    const first = read();
    now = 10 * CACHE_MS;
    const second = read();
    resolve('late');
    expect([await first, await second, reads]).toEqual(['late', 'late', 1]);
    now += CACHE_MS - 1;
    expect([await read(), reads]).toEqual(['late', 1]);
  });
});

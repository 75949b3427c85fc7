/** Requests while another process writes: no response is older than what had been committed when its request was sent. */
import { afterAll, expect, test } from '@jest/globals';
import { openFolder } from '../support/cli.ts';
import { parseResponse } from '../support/raw.ts';
import type { Change } from './writer-process.ts';
import { startOtherProcess } from './other-process.ts';
import { startServer } from './server.ts';
import { createStores, IDS, KEYS, load } from './store.ts';

const VERSIONS = 15;
const CALLERS = 4;
const [ID, KEY] = [String(IDS[0]), String(KEYS[0])];
const LOADED = ['automations', 'contactImports'] as const;
type Loaded = (typeof LOADED)[number];
const TARGETS: readonly [target: string, collection: Loaded][] = [
  ['/automations', 'automations'],
  ['/automations?limit=1', 'automations'],
  ['/contacts/imports?limit=1', 'contactImports'],
  [`/contacts/imports/${ID}`, 'contactImports'],
];
// Of the newest item.
const VERSION = /13:49:50\.0(\d+)/;

const keyOf = (version: number): string => `key of version ${String(version)}`;
/** The changes of a version, a commit each. */
const commitsOf = (version: number): Change[] => [
  ...LOADED.map((it) => load('main', it, [{ id: ID, position: 40, variant: version }])),
  { kind: 'revokeKey', key: keyOf(version) },
];
const COMMITS = commitsOf(0).length;

const folder = openFolder();
const other = startOtherProcess();
afterAll(async () => {
  await other.stop();
  folder.remove();
});

interface Received {
  readonly target: string;
  readonly key: string;
  readonly status: number;
  /** NaN if the response has none. */
  readonly version: number;
  /** The version of the records that had been committed before, and that of the keys. */
  readonly records: number;
  readonly keys: number;
}

test('every response is as new as what was committed before its request', async () => {
  const { address } = await (await createStores(folder, other))();
  const versions = Array.from({ length: VERSIONS }, (_, at) => at);
  const keys = versions.map((it): Change => ({ kind: 'createKey', key: keyOf(it), account: 'main' }));
  await other.change(address, [...keys, ...commitsOf(0)]);
  const server = await startServer(address, { cacheBytes: 1_000_000 });

  const responses: Received[] = [];
  let committed = COMMITS;
  /** @returns the latest version of which the other process has reported the nth commit. */
  const versionOf = (nth: number): number => Math.floor((committed - nth) / COMMITS);
  const send = async (target: string, collection: Loaded, key: string): Promise<void> => {
    const before = { records: versionOf(LOADED.indexOf(collection) + 1), keys: versionOf(COMMITS) };
    const headers = `Authorization: Bearer ${key}\r\nConnection: close`;
    const { status, text } = parseResponse(await server.send(`GET ${target} HTTP/1.1\r\n${headers}\r\n\r\n`));
    responses.push({ target, key, status, version: Number(VERSION.exec(text)?.[1]), ...before });
  };

  const call = async (): Promise<void> => {
    for (const [target, collection] of TARGETS) {
      await send(target, collection, KEY);
      await send(target, collection, keyOf(versionOf(COMMITS)));
      await send(target, collection, keyOf(versionOf(COMMITS) + 1));
    }
  };
  for (const version of versions.slice(1)) {
    const before = committed;
    const change = other.change(address, commitsOf(version), (count) => (committed = before + count));
    await Promise.all([change, ...Array.from({ length: CALLERS }, call)]);
  }
  await server.stop();

  const isRevoked = ({ key, keys }: Received): boolean => versions.slice(0, keys + 1).some((it) => key === keyOf(it));
  expect(responses.filter((it) => isRevoked(it) && it.status !== 401)).toEqual([]);
  const served = responses.filter((it) => it.status === 200);
  expect(responses.filter((it) => it.key === KEY && it.status !== 200)).toEqual([]);
  expect(served.filter((it) => !(it.version >= it.records))).toEqual([]);
  // Responses had most versions and keys, and the cache served many of them.
  expect(new Set(served.map((it) => it.version)).size).toBeGreaterThan(VERSIONS / 2);
  expect(new Set(served.map((it) => it.key)).size).toBeGreaterThan(VERSIONS / 2);
  expect(server.calls.records).toBeLessThan(0.7 * served.length);
  expect(server.calls.keys).toBeLessThan(0.7 * responses.length);
});

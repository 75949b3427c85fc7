/** A settings file of the previous release: every name that it has, with a value that can be seen in the server. */
import { deepEqual, equal } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { freePort } from '../../server/http/listener.ts';
import { COLLECTIONS, pathOf } from '../../server/contract/collections.ts';
import { noStore } from '../../server/store/errors.ts';
import { SETTING_NAMES, keyOf } from '../../server/cli/settings.ts';
import type { Folder } from '../support/cli.ts';
import { childrenOf, until } from '../support/processes.ts';
import type { Releases } from './databases.ts';
import { get, ran, serve } from './servers.ts';

const [FIRST = ''] = COLLECTIONS.map(pathOf);
const ORIGIN = 'https://app.example.com';
// The bounds of connections and the cache are not seen from outside; a server that does not know them does not start.
const UNSEEN = { cache: 8, 'max-connections': 500, 'max-connections-per-address': 100 };
/** Requests are logged as JSON; SQLite has no replicas. */
const LOG = /^(\{.*\}\n)+$/;

/** @returns the names of settings and variables in a release's help of `serve`. */
async function namesIn(
  folder: Folder,
): Promise<{ readonly keys: readonly string[]; readonly variables: readonly string[] }> {
  const { stdout } = await ran(folder, ['serve', '--help']);
  const keys = [...stdout.matchAll(/^ {2}--(?:no-)?([a-z-]+)/gm)].map(([, it = '']) => it);
  // The help breaks lines anywhere between words.
  const variables = [...stdout.matchAll(/\b(?:ROLLCALL_[A-Z_]+|PORT)\b/g)].map(([it]) => it);
  return { keys: keys.filter((it) => it !== 'config'), variables: [...new Set(variables)] };
}

/** What a server does by its settings, seen from outside. */
async function effectsOf(folder: Folder, key: string, adminPort: number): Promise<unknown> {
  const server = await serve(folder, ['--config', folder.path('settings.json')]);
  const response = await fetch(`${server.url}${FIRST}`, {
    headers: { authorization: `Bearer ${key}`, origin: ORIGIN },
  });
  const header = (name: string): string | null => response.headers.get(name);
  const effects = {
    url: server.url,
    status: response.status,
    rateLimit: header('ratelimit-policy'),
    allowedOrigin: header('access-control-allow-origin'),
    console: (await get(`${server.url}/`)).status,
    reference: (await get(`${server.url}/docs`)).status,
    ready: (await get(`http://localhost:${String(adminPort)}/readyz`)).status,
    workers: childrenOf(server.running.process.pid).length,
  };
  await response.arrayBuffer();
  await server.stop(LOG);
  return effects;
}

/**
 * The same file means the same to both releases. The previous one rejects what this release has added, by its name.
 * @param releases without settings in their environment; here and below.
 * @param backup the database before the upgrade, for the previous release; here and below.
 */
export async function checkSettings({ previous, current, db }: Releases, backup: string, key: string): Promise<void> {
  const [before, now] = [await namesIn(previous), await namesIn(current)];
  deepEqual(
    SETTING_NAMES.map(keyOf).filter((it) => !now.keys.includes(it)),
    [],
  ); // The help is read well.
  deepEqual(before.variables.filter((it) => !now.variables.includes(it)), []); // prettier-ignore
  const [port, adminPort] = [await freePort({ host: '127.0.0.1', port: 0 }), await freePort({ host: 'localhost', port: 0 })]; // prettier-ignore
  const settings = {
    ...{ db, port, host: '127.0.0.1', workers: 2, log: 'json', 'admin-port': adminPort, 'admin-host': 'localhost' },
    ...{ 'rate-limit': '5000/h', 'cors-origin': ORIGIN, console: 'off', reference: 'off', ...UNSEEN },
  };
  // Replicas are of PostgreSQL alone; checkReplicas has it.
  deepEqual(before.keys.toSorted(), [...Object.keys(settings), keyOf('dbRead')].toSorted());
  writeFileSync(previous.path('settings.json'), JSON.stringify({ ...settings, db: backup }));
  writeFileSync(current.path('settings.json'), JSON.stringify(settings));
  const effects = await effectsOf(previous, key, adminPort);
  deepEqual(effects, {
    ...{ url: `http://127.0.0.1:${String(port)}`, status: 200, rateLimit: '5000;w=3600', allowedOrigin: ORIGIN },
    ...{ console: 404, reference: 404, ready: 200, workers: 2 },
  });
  deepEqual(await effectsOf(current, key, adminPort), effects);

  // The previous release created it.
  const missing = current.path('missing.db');
  writeFileSync(current.path('settings.json'), JSON.stringify({ db: missing, port: 0 }));
  const { code, stderr } = await ran(current, ['serve', '--config', current.path('settings.json')]);
  deepEqual([code, stderr], [1, `rollcall: ${noStore(missing).message}\n`]);

  const added = SETTING_NAMES.filter((it) => !before.keys.includes(keyOf(it)));
  for (const name of added) {
    writeFileSync(previous.path('settings.json'), JSON.stringify({ ...settings, [keyOf(name)]: '1' }));
    const { code, stderr } = await ran(previous, ['serve', '--config', previous.path('settings.json')]);
    deepEqual([code, stderr.includes(`'${keyOf(name)}'`)], [2, true], stderr);
  }
  process.stdout.write(
    `Settings: ${String(before.keys.length)} names and ${String(before.variables.length)} variables of the previous release are ` +
      `accepted; it rejects ${added.map(keyOf).join(', ')} by name\n`,
  );
}

export interface Standby {
  /** @returns the address of a database on it. @param db the address on the primary. */
  readonly address: (db: string) => string;
  /** Counts the connections to it. */
  readonly connections: () => Promise<number>;
}

/** `db-read` in a settings file: both releases read from the standby that it names. */
export async function checkReplicas(
  { previous, current, db }: Releases,
  backup: string,
  key: string,
  { address, connections }: Standby,
): Promise<void> {
  for (const [folder, own] of [
    [previous, backup],
    [current, db],
  ] as const) {
    writeFileSync(folder.path('settings.json'), JSON.stringify({ db: own, port: 0, 'db-read': address(own) }));
    equal(await connections(), 0);
    const server = await serve(folder, ['--config', folder.path('settings.json')]);
    equal((await get(`${server.url}${FIRST}`, key)).status, 200);
    equal((await connections()) > 0, true);
    await server.stop();
    await until(async () => (await connections()) === 0);
  }
  process.stdout.write('PostgreSQL: both releases read from a standby by the same settings\n');
}

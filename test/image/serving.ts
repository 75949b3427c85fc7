/** What a container of the image does: it is healthy, serves what the contract says, writes only to its volume, and stops. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import { CONFIG } from '../../scripts/image/description.ts';
import { COLLECTIONS, commandName, pathOf } from '../../server/contract/collections.ts';
import type { Collection } from '../../server/contract/collections.ts';
import { openFolder } from '../support/cli.ts';
import { execute } from '../support/postgres-database.ts';
import type { PostgresServer } from '../support/postgres.ts';
import { ROOT } from '../support/project.ts';
import { GRACE_MS, createSandbox } from './sandbox.ts';
import type { Sandbox, Served } from './sandbox.ts';

const ACCOUNT = 'acme';
const SAMPLES = '/usr/local/lib/node_modules/rollcall/server/samples';

/** The variables of the image, and those of a container. Ports are free ones: the network is that of the machine. */
const environment = (own: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(CONFIG.Env.map((it) => it.split(/=(.*)/s, 2) as [string, string])), // Each has a value.
  ROLLCALL_PORT: '0',
  ROLLCALL_ADMIN_PORT: '0',
  ...own,
});

async function list(url: string, key: string): Promise<{ readonly status: number; readonly items: number }> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${url}${pathOf('contactImports')}`, { headers });
  const { data = [] } = (await response.json()) as { readonly data?: readonly unknown[] };
  return { status: response.status, items: data.length };
}

const checkLive = async ({ adminUrl }: Served): Promise<void> => {
  const response = await fetch(`${adminUrl}/livez`);
  assert.deepEqual([response.status, await response.text()], [200, 'ok\n']);
};

const rollcall = (sandbox: Sandbox, ...words: readonly string[]): Promise<string> =>
  sandbox.run([...CONFIG.Entrypoint, ...words]);

/** Fills the database with the samples that the image has. @returns a key. */
async function load(sandbox: Sandbox, collections: readonly Collection[] = COLLECTIONS): Promise<string> {
  for (const file of readdirSync(join(ROOT, 'server/samples'))) {
    if (!collections.some((it) => commandName(it) === parse(file).name)) continue;
    await rollcall(sandbox, 'import', parse(file).name, `${SAMPLES}/${file}`, '--account', ACCOUNT);
  }
  return (await rollcall(sandbox, 'keys', 'create', '--account', ACCOUNT)).trim();
}

async function checkStop(served: Served): Promise<number> {
  const { code, ms } = await served.stop();
  assert.equal(code, 0);
  assert(ms < GRACE_MS);
  return ms;
}

/** How long a container took, in milliseconds. */
export interface Times {
  readonly first: number;
  readonly stop: number;
}

/**
 * Everything that an operator relies on, on SQLite: the command and the health check are those of the image.
 * @param healthCheck the command of the Containerfile.
 */
export async function checkServing(root: string, scratch: string, healthCheck: readonly string[]): Promise<Times> {
  const sandbox = createSandbox(root, scratch, environment());
  await assert.rejects(sandbox.run(['node', '-e', 'fs.writeFileSync("/tmp/file", "")']), /EROFS/);
  const capabilities = await sandbox.run(['node', '-p', 'fs.readFileSync("/proc/self/status", "utf8")']);
  assert.match(capabilities, /^CapEff:\t0+$/m);
  const key = await load(sandbox);
  const checkHealth = (port: string): Promise<string> => sandbox.run(healthCheck.map((it) => it.replace('9090', port)));

  const served = await sandbox.serve([...CONFIG.Entrypoint, ...CONFIG.Cmd]);
  const port = new URL(served.adminUrl).port;
  let stop: number;
  let first: number;
  const folder = openFolder();
  try {
    assert.equal((await list(served.url, key)).status, 200);
    first = performance.now() - served.startedMs;
    await checkLive(served);
    await checkHealth(port);
    const { code, stdout, stderr } = await folder.run(['conform', served.url, '--key', key]);
    assert.equal(code, 0, `${stdout}${stderr}`);
  } finally {
    folder.remove();
    stop = await checkStop(served);
  }
  await assert.rejects(checkHealth(port), /fails/);
  assert.deepEqual(readdirSync(sandbox.data), ['rollcall.db', 'rollcall.db-last-used']);
  return { first, stop };
}

/** The service of the compose file, with the database on this machine. */
export async function checkPostgres(
  root: string,
  scratch: string,
  service: Readonly<Record<string, string>>,
  postgres: PostgresServer,
): Promise<void> {
  const address = new URL(service['ROLLCALL_DB'] ?? '');
  await execute(postgres.address(), `CREATE DATABASE ${address.pathname.slice(1)}`);
  address.host = `127.0.0.1:${String(postgres.port)}`;
  const sandbox = createSandbox(root, scratch, environment({ ...service, ROLLCALL_DB: address.href }));
  const key = await load(sandbox);
  const served = await sandbox.serve([...CONFIG.Entrypoint, ...CONFIG.Cmd]);
  try {
    const { status, items } = await list(served.url, key);
    assert.deepEqual([status, items > 0], [200, true]);
  } finally {
    await checkStop(served);
  }
  assert.deepEqual(readdirSync(sandbox.data), []);
}

/** Starts and serves under an emulator. */
export async function checkEmulated(root: string, scratch: string, emulator: string): Promise<Times> {
  const sandbox = createSandbox(root, scratch, environment(), emulator);
  assert.equal((await sandbox.run(['node', '-p', 'process.arch'])).trim(), 'arm64');
  const key = await load(sandbox, ['contactImports']); // An emulated command takes seconds.
  const served = await sandbox.serve([...CONFIG.Entrypoint, ...CONFIG.Cmd]);
  let first: number;
  let stop: number;
  try {
    await checkLive(served);
    const { status, items } = await list(served.url, key);
    assert.deepEqual([status, items > 0], [200, true]);
    first = performance.now() - served.startedMs;
  } finally {
    stop = await checkStop(served);
  }
  return { first, stop };
}

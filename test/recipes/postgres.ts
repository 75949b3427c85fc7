/**
 * The commands of `docs/postgresql.md`, as they stand there, with Debian's PostgreSQL: the quick start, and `copy`. They have
 * a server of their own, made as Debian makes it, on a port of its own: one of Debian's may run.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { freePort } from '../../server/http/listener.ts';
import { codeBelow } from '../support/docs.ts';
import { ROOT } from '../support/project.ts';
import { allPages } from './backup.ts';

const START_MS = 60_000;
const SOCKETS = '/var/run/postgresql'; // Where Debian's psql looks.
const IS_ROOT = process.getuid?.() === 0;
const asRoot = IS_ROOT ? [] : ['sudo', '-n'];
const asPostgres = IS_ROOT ? ['runuser', '-u', 'postgres', '--'] : ['sudo', '-n', '-u', 'postgres'];

// What the words of the docs are here: a container has no sudo, packages were installed before, and so was Rollcall.
const WORDS = `set -e
sudo() { if [ "$1" = -u ]; then ${IS_ROOT ? 'runuser -u "$2" --' : 'command sudo -n --preserve-env=PGPORT -u "$2"'} "\${@:3}"; else "$@"; fi; }
apt-get() { [ "$1 $2" = 'install --yes' ] && dpkg-query --status "\${@:3}" > /dev/null; }
rollcall() { "$NODE" "$ROOT/server/main.ts" "$@"; }
`;

/** @returns the commands of the first block below a heading. */
function commandsOf(heading: string): readonly string[] {
  const [block] = codeBelow('docs/postgresql.md', heading);
  assert(block, `docs/postgresql.md has no commands below "${heading}".`);
  return block.trim().split('\n');
}

const call = ([command = '', ...argv]: readonly string[], cwd = '/'): string =>
  execFileSync(command, argv, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

// psql and the address of the docs name no port.
const port = String(await freePort({ host: '127.0.0.1', port: 0 }));
const env = { ...process.env, ROOT, NODE: process.execPath, ROLLCALL_PORT: '0', PGPORT: port };
/** Executes commands in one shell, as somebody does who reads them. @returns what they print. */
function execute(commands: readonly string[], cwd: string): string {
  return execFileSync('bash', ['-c', WORDS + commands.join('\n')], {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

export async function checkPostgres(scratch: string): Promise<void> {
  const docs = readFileSync(join(ROOT, 'docs/postgresql.md'), 'utf8');
  const first = commandsOf('Quick start');
  checkContainerLine(docs, first);
  const programs = globSync('/usr/lib/postgresql/*/bin').at(-1);
  assert(programs, "Debian's package postgresql is not installed.");
  const folder = call([...asPostgres, 'mktemp', '--directory', '--tmpdir', 'rollcall-recipes-XXXXXX']).trim();
  const control = (...words: readonly string[]): string =>
    call([...asPostgres, join(programs, 'pg_ctl'), '--silent', `--pgdata=${folder}/data`, ...words]);
  try {
    call([...asRoot, 'install', '--directory', '--owner=postgres', '--group=postgres', '--mode=2775', SOCKETS]);
    control('init', '--options', '--auth-local=peer --auth-host=scram-sha-256 --encoding=UTF8 --no-sync');
    control('start', '--wait', `--log=${folder}/log`, '--options', `-p ${port} -k ${SOCKETS} -c fsync=off`);
    try {
      const key = await reachPage(first);
      await restoreDump(first, key, scratch);
      copyThereAndBack(first, scratch);
    } finally {
      control('stop', '--mode=immediate');
    }
  } finally {
    call([...asPostgres, 'rm', '-rf', folder]);
  }
}

/** The last command serves until it is stopped; the others come to their end. @returns the key that they create. */
async function reachPage(commands: readonly string[]): Promise<string> {
  const [key] = /rollcall_[0-9a-f]{40}/.exec(execute(commands.slice(0, -1), ROOT)) ?? [];
  assert(key, 'The commands print no key.');
  await serving(commands, async (url) => {
    const response = await fetch(`${url}/contacts/imports`, { headers: { authorization: `Bearer ${key}` } });
    const page = (await response.json()) as { readonly data: readonly unknown[]; readonly has_more: boolean };
    assert.deepEqual([response.status, page.data.length > 0, page.has_more], [200, true, true]);
    const sample = readFileSync(join(ROOT, 'server/samples/contact-imports.ndjson'), 'utf8');
    for (const it of page.data) assert(sample.includes(JSON.stringify(it)));
  });
  return key;
}

/** Runs the last of the commands, which serves, while `work` runs. */
async function serving<T>(commands: readonly string[], work: (url: string) => Promise<T>): Promise<T> {
  const lines = commands.filter((it) => it.startsWith('export ')).concat(commands.slice(-1));
  const server = spawn('bash', ['-c', WORDS + lines.join('\n')], { cwd: ROOT, env, detached: true });
  const ended = once(server, 'close');
  let text = '';
  server.stdout.setEncoding('utf8').on('data', (it: string) => (text += it));
  server.stderr.pipe(process.stderr);
  try {
    const late = AbortSignal.timeout(START_MS);
    while (!text.includes('listens on ')) await once(server.stdout, 'data', { signal: late });
    return await work(/listens on (http\S+)/.exec(text)?.[1] ?? '');
  } finally {
    if (server.pid !== undefined) process.kill(-server.pid, 'SIGTERM'); // npm, and what it runs.
    await ended;
  }
}

/** The dump of `docs/backups.md`, made while a server runs; the database is lost, and the dump restored in its place. */
async function restoreDump(commands: readonly string[], key: string, scratch: string): Promise<void> {
  const address = commands.filter((it) => it.startsWith('export '));
  const [dump = '', restore = '', ...others] = codeBelow('docs/backups.md', 'PostgreSQL');
  assert.deepEqual(others, []);
  const before = await serving(commands, async (url) => {
    execute([...address, dump], scratch);
    return allPages(url, key);
  });
  execute([...address, 'rollcall accounts delete acme --yes'], scratch);
  assert.match(execute([...address, restore], scratch), /No errors found/);
  await serving(commands, async (url) => {
    assert.deepEqual(await allPages(url, key), before);
    const [account = ''] = address;
    const checked = execute([account, `rollcall conform ${url} --key ${key} || [ $? -eq 3 ]`], scratch);
    assert.match(checked, / 0 failed/); // The quick start imports one collection only, so that some rules cannot be tested.
  });
  execute(["sudo -u postgres psql --quiet -c 'DROP DATABASE rollcall_before'"], scratch);
  process.stdout.write(`A restored dump has the same ${String(before.length)} pages.\n`);
}

function copyThereAndBack(first: readonly string[], scratch: string): void {
  const address = first.filter((it) => it.startsWith('export '));
  execute([...address, 'rollcall accounts delete acme --yes'], scratch);
  execute(['rollcall import automations "$ROOT/server/samples/automations.json" --account acme'], scratch);
  const printed = execute(commandsOf('Copy between SQLite and PostgreSQL'), scratch);
  const digests = printed.match(/sha256 [0-9a-f]{64}/g);
  assert.equal(digests?.length, 2);
  assert.equal(digests[0], digests[1]);
  for (const it of ['rollcall.db', 'back.db']) rmSync(join(scratch, it));
}

/** It is not run here: its variables are those of the image's documentation, and it is what the address names. */
function checkContainerLine(docs: string, commands: readonly string[]): void {
  const [line = ''] = /docker run [^`]*/.exec(docs) ?? [];
  const variables = Object.fromEntries(
    [...line.matchAll(/--env (\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  );
  const address = new URL(/ROLLCALL_DB=(\S+)/.exec(commands.join('\n'))?.[1] ?? '');
  // The database is called like the user unless POSTGRES_DB says otherwise.
  assert.deepEqual(variables, { POSTGRES_USER: address.username, POSTGRES_PASSWORD: address.password });
  assert.equal(address.pathname, `/${address.username}`);
  assert.match(line, /^docker run --detach --publish 5432:5432 [^]* postgres$/);
}

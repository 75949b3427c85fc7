/** `rollcall serve`: starting, being configured, stopping. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { CliError } from '../../command/command-errors.ts';
import { createKey } from '../../cli/keys.ts';
import { listenError } from '../../command/listen-error.ts';
import { openForWriting } from '../../server/store/sqlite/database.ts';
import { SCHEMA } from '../../server/store/sqlite/schema.ts';
import { openWriter } from '../../server/store/sqlite/open.ts';
import { automation } from '../../testkit/builders.ts';
import { afterTest } from '../support/after-test.ts';
import { file, folder } from '../support/own-folder.ts';
import { childrenOf } from '../support/processes.ts';

test('makes a fresh database, listens on loopback, and leaves all records in the one file', async () => {
  const { url, process, ended } = await folder.serve();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await fetch(`${url}/automations`)).status).toBe(401);
  await folder.call(['import', 'automations', '--account', 'acme'], { input: JSON.stringify(automation()) });
  process.kill('SIGINT');
  expect(await ended).toEqual({
    code: 0,
    signal: null,
    stdout: `Rollcall listens on ${url}\n`,
    stderr:
      'The database has no active key. To create one, run: rollcall keys create --account <account> --db ./rollcall.db\n',
  });
  expect(readdirSync(folder.path('.'))).toEqual(['rollcall.db']);
  const db = new Database(file, { readonly: true });
  expect(db.prepare('SELECT count(*) FROM records').pluck().get()).toBe(1);
  db.close();
});

test('says how to create a key where none opens it', async () => {
  const writer = openWriter(file);
  const past = '2026-01-01T00:00:00.000Z';
  await createKey(writer, 'acme', '', past);
  await writer.revokeKey((await createKey(writer, 'acme', '')).id, past);
  const errorsOf = async (): Promise<string> => {
    const { process, ended } = await folder.serve();
    process.kill('SIGTERM');
    return (await ended).stderr;
  };
  expect(await errorsOf()).toMatch(/^The database has no active key\. /);
  await createKey(writer, 'acme', '');
  expect(await errorsOf()).toBe('');
  await writer.close();
});

test('settings of every source reach the server', async () => {
  const { stdout } = await folder.call(['keys', 'create', '--account', 'acme']);
  writeFileSync(
    folder.path('c.json'),
    JSON.stringify({ host: '127.0.0.2', port: 0, 'public-url': 'https://a.example/r/', 'keep-alive': 620 }),
  );
  const flags = ['--rate-limit', '2/h', '--max-connections', '9', '--no-reference', '--config', 'c.json'];
  const origins = 'https://a.example,https://b.example,https://c.example';
  const server = folder.start(['serve', ...flags], { ROLLCALL_CORS_ORIGIN: origins, ROLLCALL_CONSOLE: 'off' });
  const [, url = ''] = await server.printed(/listens on (http:\/\/127\.0\.0\.2:\d+)\n/);
  const headers = { authorization: `Bearer ${stdout.trim()}`, origin: 'https://c.example' };
  const responses = [];
  for (let at = 0; at < 3; at += 1) responses.push(await fetch(`${url}/automations`, { headers }));
  expect(
    responses.map((it) => [
      it.status,
      ...['ratelimit-policy', 'access-control-allow-origin', 'keep-alive'].map((name) => it.headers.get(name)),
    ]),
  ).toEqual([200, 200, 429].map((status) => [status, '2;w=3600', 'https://c.example', 'timeout=620']));
  for (const it of ['/', '/docs']) {
    expect((await fetch(url + it, { headers: { accept: 'text/html' }, redirect: 'manual' })).status).not.toBe(200);
  }
  const contract = (await (await fetch(`${url}/openapi.json`)).json()) as { servers: { url: string }[] };
  expect(contract.servers.map((it) => it.url)).toEqual(['https://a.example/r']);
});

test.each([
  ['one process', []],
  ['workers', ['--workers', '2']],
])('%s: SIGUSR1 opens no debugger, and SIGUSR2 drains, however long idle connections stay open', async (_, argv) => {
  await folder.call(['keys', 'create', '--account', 'acme']); // Else it is said that there is none.
  const { url, process: server, ended } = await folder.serve([...argv, '--keep-alive', '86400']);
  for (const pid of [server.pid ?? 0, ...childrenOf(server.pid)]) process.kill(pid, 'SIGUSR1');
  expect((await fetch(`${url}/automations`)).status).toBe(401);
  server.kill('SIGUSR2');
  expect(await ended).toEqual({ code: 0, signal: null, stdout: `Rollcall listens on ${url}\n`, stderr: '' });
});

test('an address that it cannot listen on is named, with the flag to choose another', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  afterTest(() => taken.close());
  await once(taken, 'listening');
  const port = String((taken.address() as AddressInfo).port); // It listens on a port.
  const inUse = (flag: string): string =>
    `Port ${port} on 127.0.0.1 is already in use. Choose another port with ${flag} <n>, or a free one with ${flag} 0.`;
  await folder.call(['keys', 'create', '--account', 'acme']);
  for (const [argv, message] of [
    [['--port', port], inUse('--port')],
    [['--port', '0', '--admin-port', port], inUse('--admin-port')],
    [
      ['--port', '0', '--host', '192.0.2.1'],
      '192.0.2.1 is not an address of this machine. Choose another address with --host <host>.',
    ],
  ] as const) {
    const expected = { code: 1, signal: null, stdout: '', stderr: `rollcall: ${message}\n` };
    expect(await folder.run(['serve', ...argv])).toEqual(expected);
  }
});

test('an address of a family that the system does not have is named too', () => {
  const error = Object.assign(new Error('listen EAFNOSUPPORT'), { code: 'EAFNOSUPPORT' });
  expect(listenError(error, { host: '::1', port: 0 }, 'admin-')).toEqual(
    new CliError('::1 is not an address of this machine. Choose another address with --admin-host <host>.'),
  );
});

(process.platform === 'linux' ? describe : describe.skip)('fewer open files than connections need', () => {
  const warning = (connections: number, needed: number, allowed: number, lower: string): string =>
    `WARNING: --max-connections ${String(connections)} may require ${String(needed)} open files, but the limit is ` +
    `${String(allowed)}. Connections beyond it are closed without a response. Raise the limit (ulimit -n, or LimitNOFILE in systemd)${lower}.\n`;
  const above = warning(2901, 4001, 4000, ', or lower --max-connections to 2900');

  test.each([
    [['--max-connections', '2901'], 'ulimit -n 4000', above],
    [['--max-connections', '2900'], 'ulimit -n 4000', ''],
    [['--max-connections', '2900'], 'ulimit -S -n 100', ''], // Node raises it as far as it may.
    [['--max-connections', '1'], 'ulimit -n 1100', warning(1, 1101, 1100, '')],
  ])('%j after %s: what is said before the database is opened', async (argv, setUp, message) => {
    const { code, stderr } = await folder.run(['serve', ...argv], { setUp });
    expect([code, stderr.replace(/^rollcall: There is no Rollcall database .*\n/m, '')]).toEqual([1, message]);
  });

  test('are warned of once for all workers, which serve', async () => {
    await folder.call(['keys', 'create', '--account', 'acme']); // Else it is said that there is none.
    const argv = ['serve', '--port', '0', '--workers', '2', '--max-connections', '2901'];
    const server = folder.start(argv, {}, 'ulimit -n 4000');
    await server.printed(/listens on/);
    server.process.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0, stderr: above });
  });
});

test('workers do not read variables that an option overrides', async () => {
  await folder.call(['keys', 'create', '--account', 'acme']);
  const argv = ['serve', '--port', '0', '--workers', '2', '--rate-limit', '10/s'];
  const server = folder.start(argv, { PORT: 'x', ROLLCALL_PORT: 'y', ROLLCALL_RATE_LIMIT: 'z', ROLLCALL_WORKERS: 'w' });
  await server.printed(/listens on/);
  server.process.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
});

test('ignores what Kubernetes sets for the Services `rollcall` and `rollcall-admin`, and empty variables, and says so once', async () => {
  const ignored = (name: string, why: string): string =>
    `The environment variable ${name} is ignored, because it is ${why}.`;
  const address = 'tcp://10.0.0.11:3000';
  const ofServices = { ROLLCALL_PORT: address, ROLLCALL_ADMIN_PORT: address, ROLLCALL_SERVICE_PORT: '3000' };
  const env = { ...ofServices, ROLLCALL_HOST: '', ROLLCALL_CONSOLE: '', ROLLCALL_LOG: 'json', PORT: '0' };
  const { process, printed, ended } = folder.start(['serve', '--create', '--workers', '2'], env);
  const [, url = ''] = await printed(/^Rollcall listens on (http:\/\/127\.0\.0\.1:\S+)\n$/);
  expect((await fetch(url, { headers: { accept: 'text/html' } })).status).toBe(200); // The console.
  process.kill('SIGTERM');
  const lines = (await ended).stderr.trim().split('\n');
  const events = lines.map((line) => JSON.parse(line) as { readonly event: string; readonly message?: string });
  const messages = events.filter((it) => it.event === 'message').map((it) => it.message);
  const ofService = `${address}, the address of a service and not a port`;
  expect(messages.filter((it) => it?.includes('variable'))).toEqual([
    ignored('ROLLCALL_PORT', ofService),
    ignored('ROLLCALL_HOST', 'empty'),
    ignored('ROLLCALL_ADMIN_PORT', ofService),
    ignored('ROLLCALL_CONSOLE', 'empty'),
  ]);
});

describe('databases that cannot be served', () => {
  const path = (): string => folder.path('x.db');
  test.each<[string, () => unknown, string]>([
    ['a text file', () => { writeFileSync(path(), 'x'.repeat(5000)); }, 'x.db is not a database. Choose another file.'], // prettier-ignore
    [
      'a newer store',
      () => openForWriting(path()).exec('PRAGMA user_version = 99').close(),
      `x.db was written by a newer version of Rollcall (store version 99; this version supports up to ${String(SCHEMA.length)}). Use the newer version.`,
    ],
    ['a pipe', () => execFileSync('mkfifo', [path()]), 'x.db is not a regular file. Choose a file.'],
  ])('%s', async (_, make, message) => {
    make();
    const expected = { code: 1, signal: null, stdout: '', stderr: `rollcall: ${message}\n` };
    expect(await folder.call(['serve', '--port', '0', '--db', 'x.db'])).toEqual(expected);
  });

  test('one of another program, which is left as it was, also by an import', async () => {
    new Database(path()).exec('CREATE TABLE t (a)').close();
    for (const argv of [['serve'], ['import', 'automations', '-', '--account', 'a']]) {
      expect(await folder.call([...argv, '--db', 'x.db'])).toMatchObject({
        code: 1,
        stdout: '',
        stderr: 'rollcall: x.db is the database of another program. Choose another file.\n',
      });
    }
    const db = new Database(path());
    expect(db.pragma('user_version', { simple: true })).toBe(0);
    expect(db.pragma('journal_mode', { simple: true })).toBe('delete');
    db.close();
  });

  test('a file in a folder that does not exist', async () => {
    expect(await folder.call(['serve', '--create', '--db', 'no/x.db'])).toMatchObject({
      code: 1,
      stderr:
        'rollcall: no/x.db cannot be opened: Cannot open database because the directory does not exist. Check the path.\n',
    });
  });
});

describe('is wrong usage', () => {
  const ADDRESS = 'It must be a file path or a URL such as postgres://user@host/database.';
  const ORIGIN =
    'It must be *, or origins such as https://app.example (scheme, host and port only), separated by commas.';
  test.each([
    [['--port', '70000'], {}, "error: option '--port <n>' argument '70000' is invalid. It must be a whole number from"],
    [['--port', '-1'], {}, 'It must be a whole number from 0 to 65535.'],
    [['extra'], {}, 'error: too many arguments'],
    ...['', ' ', ':memory:', '-', 'file:x.db?mode=memory'].map((it) => [['--db', it], {}, `'--db <database>' argument '${it}' is invalid. ${ADDRESS}`] as const), // prettier-ignore
    [
      ['--rate-limit', '0/s'],
      {},
      'It must be a whole number from 1 to 999999999, a slash, and s, m or h, such as 10/s.',
    ],
    [['--rate-limit', '10'], {}, 'such as 10/s'],
    [[], { ROLLCALL_RATE_LIMIT: '10/d' }, "value '10/d' from env 'ROLLCALL_RATE_LIMIT' is invalid."],
    [['--cors-origin', 'app.example'], {}, ORIGIN],
    [['--cors-origin', 'https://app.example/'], {}, ORIGIN],
    [[], { ROLLCALL_CORS_ORIGIN: 'https://a.example,' }, ORIGIN],
    [
      ['--public-url', 'api.example.com/rollcall'],
      {},
      "option '--public-url <url>' argument 'api.example.com/rollcall' is invalid. It must be an absolute http or https URL " +
        'without credentials, query or fragment, such as https://api.example.com/rollcall. Its path may have only letters, digits and /-._~%.',
    ],
    ...['0', '65', '1.5', 'x'].map((it) => [['--workers', it], {}, 'It must be a whole number from 1 to 64.'] as const),
    [['--max-connections', '0'], {}, 'It must be a whole number from 1 to 999999.'],
    [['--keep-alive', '0'], {}, 'It must be a whole number of seconds from 1 to 86400.'],
    [['--drain-delay', '601'], {}, 'It must be a whole number of seconds from 0 to 600.'],
    [['--max-connections-per-address', 'x'], {}, 'It must be a whole number from 1 to 999999.'],
    [['--log', 'xml'], {}, "option '--log <format>' argument 'xml' is invalid. It must be one of: off, text, json."],
  ])('%j %j', async (argv, env, message) => {
    const ran = await folder.call(['serve', ...argv], { env });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(message);
    expect(ran.stderr).toMatch(/See: rollcall serve --help\n$/);
  });

  test.each([
    [[], {}],
    [['--host', 'localhost'], {}],
    [['--host', '0.0.0.0'], {}],
    [['--admin-host', '::', '--workers', '2'], {}],
    [[], { PORT: '3999', ROLLCALL_ADMIN_PORT: '3999' }],
  ])('an admin port that is the port of the API: %j %j', async (argv, env) => {
    const ports = Object.keys(env).length > 0 ? [] : ['--port', '3999', '--admin-port', '3999'];
    expect(await folder.call(['serve', ...ports, ...argv], { env })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'error: --port and --admin-port are both 3999; they must be different\nSee: rollcall serve --help\n',
    });
  });

  const SECRET = 'correct-horse';
  const urlOf = (host: string): string => `postgres://me:${SECRET}@${host}/it`;
  const needs = (what: string): string =>
    `error: ${what} PostgreSQL URL. Replicas require PostgreSQL: --db and --db-read must be URLs such as postgres://user@host/database.`;
  const ofFile = needs('--db-read is set, but --db is not a');

  test.each([
    [['--db', 'it.db', '--db-read', urlOf('a')], {}, ofFile],
    [[], { ROLLCALL_DB_READ: urlOf('a') }, ofFile],
    [['--config', 'c.json'], {}, ofFile],
    [
      ['--db', urlOf('a'), '--db-read', `${urlOf('b')},mysql://me:${SECRET}@c/it`],
      {},
      needs('address 2 of --db-read is not a'),
    ],
    [['--db', urlOf('a'), '--db-read', 'it.db'], {}, needs('address 1 of --db-read is not a')],
    [
      ['--db', urlOf('a'), '--db-read', ' '],
      {},
      "error: option '--db-read <urls>' argument ' ' is invalid. It must be one or more URLs such as " +
        'postgres://user@host/database, separated by commas.',
    ],
  ])('replicas of something else, whose passwords are not shown: %j %j', async (argv, env, message) => {
    writeFileSync(folder.path('c.json'), JSON.stringify({ 'db-read': urlOf('a') }));
    const { code, stdout, stderr } = await folder.call(['serve', ...argv], { env });
    expect([code, stdout, stderr.split('\n')[0]]).toEqual([2, '', message]);
    expect(stderr).not.toContain(SECRET);
  });
});

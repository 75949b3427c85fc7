/** The address of a PostgreSQL database on the command line: its password is nowhere to be seen. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { folder } from '../support/own-folder.ts';

const SECRET = 'correct-horse';

test.each([
  ['serve', '--db-read', `postgres://me:${SECRET}@a/it,postgres://me:${SECRET}@b/it?password=${SECRET}`, '--db'],
  ['keys', 'list', '--db='],
  ['db', 'copy', 'rollcall.db'],
])('not in the list of processes: %s %s', async (...words) => {
  await folder.call(['keys', 'create', '--account', 'acme']);
  const server = createServer((socket) => {
    socket.on('error', () => undefined).resume(); // Without reading there is no end: the connection would stay after its peer has left.
  }).listen(0, '127.0.0.1'); // It takes connections, and says nothing.
  await once(server, 'listening');
  const at = `127.0.0.1:${String((server.address() as AddressInfo).port)}/rollcall`; // It listens on a port.
  const last = words.at(-1) ?? '';
  const address = `postgres://me:${SECRET}@${at}`;
  const connected = once(server, 'connection');
  const { process, ended } = folder.start(
    last.endsWith('=') ? [...words.slice(0, -1), last + address] : [...words, address],
  );
  await connected;
  const shown = readFileSync(`/proc/${String(process.pid)}/cmdline`, 'utf8');
  expect(shown).toContain(`postgres://me:...@${at}`);
  expect(shown).not.toContain(SECRET);
  const { code, stdout, stderr } = await ended; // It gives up by itself.
  await once(server.close(), 'close'); // Only when its connections have ended: one that stays would hold the worker of Jest.
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^rollcall: PostgreSQL at 127\.0\.0\.1:\d+ \(database "rollcall", user "me"\) /);
  expect(stderr).not.toContain(SECRET);
});

test.each([
  [
    ['keys', 'list', '--db', `mysql://me:${SECRET}@127.0.0.1/rollcall`],
    'mysql:// addresses are not supported. Use a file, or a URL such as postgres://user@host/database.',
  ],
  [
    ['db', 'backup', 'it.dump', '--db', `postgres://me:${SECRET}@127.0.0.1/rollcall`],
    'Back up a PostgreSQL database with its own tools: pg_dump --format=custom --file=FILE postgres://me:...@127.0.0.1/rollcall',
  ],
  [
    ['keys', 'list', '--db', `me:${SECRET}@h/x`],
    'This address is neither a file nor a URL. Use a file, or a URL such as postgres://user@host/database.',
  ],
])('nor in the error of %j', async (argv, message) => {
  expect(await folder.call(argv)).toEqual({ code: 1, signal: null, stdout: '', stderr: `rollcall: ${message}\n` });
});

test('a URL without a user or a valid port is an error where the environment has none either', async () => {
  const hint = 'Use a URL such as postgres://user:password@host:5432/database, or set PGUSER.';
  const noUser = 'The address postgres://127.0.0.1:1/it has no user.';
  const noPort = `The address postgres://me@127.0.0.1/it has no valid port. ${hint.replace('USER', 'PORT')}`;
  const refused =
    'PostgreSQL at 127.0.0.1:1 (database "it", user "me") cannot be reached: connect ECONNREFUSED 127.0.0.1:1.';
  for (const [db, env, message] of [
    ['postgres://127.0.0.1:1/it', {}, `${noUser} ${hint}`],
    ['postgres://127.0.0.1:1/it', { PGUSER: 'me' }, refused],
    ['postgres://127.0.0.1:1/it', { USER: 'me' }, refused],
    ['postgres://127.0.0.1:1/it?user=me', {}, refused],
    ['postgres://me@127.0.0.1:1', {}, refused.replace('"it"', '"me"')],
    ['postgres://me@127.0.0.1/it', { PGPORT: '1' }, refused],
    ...['x', '0', '65536', '-1'].map((PGPORT) => ['postgres://me@127.0.0.1/it', { PGPORT }, noPort] as const),
  ] as const) {
    const ran = await folder.run(['keys', 'list', '--db', db], { env: { USER: '', PGUSER: '', ...env } });
    expect(ran).toMatchObject({ code: 1, stdout: '', stderr: `rollcall: ${message}\n` });
  }
});

test.each([
  [['keys', 'list', `postgres://me:${SECRET}@h/x`]],
  [['keys', 'list', `--dbb=postgres://me:${SECRET}@h/x`]],
  [[`postgres://me:${SECRET}@h/x`]],
])('nor in the usage error of %j', async (argv) => {
  const { code, stdout, stderr } = await folder.call(argv);
  expect([code, stdout, stderr.includes(SECRET)]).toEqual([2, '', false]);
});

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
  ['copy', 'rollcall.db'],
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
    ['backup', 'it.dump', '--db', `postgres://me:${SECRET}@127.0.0.1/rollcall`],
    'Back up a PostgreSQL database with its own tools: pg_dump --format=custom --file=FILE postgres://me:...@127.0.0.1/rollcall',
  ],
  [
    ['keys', 'list', '--db', `me:${SECRET}@h/x`],
    'This address is neither a file nor a URL. Use a file, or a URL such as postgres://user@host/database.',
  ],
])('nor in the error of %j', async (argv, message) => {
  expect(await folder.call(argv)).toEqual({ code: 1, signal: null, stdout: '', stderr: `rollcall: ${message}\n` });
});

test.each([
  [['keys', 'list', `postgres://me:${SECRET}@h/x`]],
  [['keys', 'list', `--dbb=postgres://me:${SECRET}@h/x`]],
  [[`postgres://me:${SECRET}@h/x`]],
])('nor in the usage error of %j', async (argv) => {
  const { code, stdout, stderr } = await folder.call(argv);
  expect([code, stdout, stderr.includes(SECRET)]).toEqual([2, '', false]);
});

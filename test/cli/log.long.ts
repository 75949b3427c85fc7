/** The log of a server: what stands in it, and that nobody has to read it. */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { openLogOutput } from '../../cli/log-writer.ts';
import type { Ran } from '../support/cli.ts';
import { folder } from '../support/own-folder.ts';
import { exchange } from '../support/raw.ts';

const parse = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((it) => it.startsWith('{'))
    .map((it) => JSON.parse(it) as Record<string, unknown>);

test('--log text has a line a request, and the states of the server', async () => {
  const { url, process, ended } = await folder.serve(['--log', 'text']);
  await request(url);
  process.kill('SIGTERM');
  const { code, stderr } = await ended;
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/^\S+Z GET \/automations 401 \S+ ms \d+ B invalid_api_key from 127\.0\.0\.1 mine$/m),
  ]);
  expect(stderr).not.toContain('secret');
  for (const state of ['listening', 'stopping', 'stopped']) expect(stderr).toContain(state);
});

test('no line is a command of a CI, or more than a line', async () => {
  const fd = openSync(folder.path('log'), 'w');
  const output = openLogOutput(fd, () => 'dropped');
  for (const line of ['GET /##[error]x 404', '  ::error::x', 'a\u001b\nb', 'GET /a::b#[c] 200']) output.write(line);
  await output.end();
  closeSync(fd);
  expect(readFileSync(folder.path('log'), 'utf8').split('\n')).toEqual([
    ...[
      String.raw`GET /\u0023#[error]x 404`,
      String.raw`  \u003a:error::x`,
      String.raw`a\u001b\u000ab`,
      'GET /a::b#[c] 200',
    ],
    '',
  ]);
});

test('--log json has messages to people too, and nothing but JSON', async () => {
  const { url, process, ended } = await folder.serve(['--log', 'json']);
  await request(url);
  process.kill('SIGTERM');
  const { code, stderr } = await ended;
  expect(code).toBe(0);
  expect(stderr).not.toContain('secret');
  const lines = stderr
    .trimEnd()
    .split('\n')
    .map((it) => JSON.parse(it) as Record<string, unknown>);
  const message =
    'The database has no active key. To create one, run: rollcall keys create --account <account> --db ./rollcall.db';
  const completed = { level: 'info', event: 'completed', id: 'mine', method: 'GET', path: '/automations', status: 401 };
  expect(lines).toHaveLength(5);
  expect(lines).toEqual(
    expect.arrayContaining([
      ...['listening', 'stopping', 'stopped'].map((state): unknown =>
        expect.objectContaining({ event: 'lifecycle', state }),
      ),
      expect.objectContaining(completed),
      { time: expect.any(String) as unknown, level: 'warn', event: 'message', message },
    ]),
  );

  writeFileSync(folder.path('x.db'), 'x'.repeat(5000));
  const ran = await folder.call(['serve', '--log', 'json', '--db', 'x.db']);
  expect(ran).toMatchObject({ code: 1, stdout: '' });
  expect(JSON.parse(ran.stderr)).toMatchObject({
    ...{ level: 'error', event: 'message', message: 'rollcall: x.db is not a database. Choose another file.' },
  });
});

/** Sends a request with secrets. */
const request = (url: string): Promise<Response> =>
  fetch(`${url}/automations?after=secret`, { headers: { 'x-request-id': 'mine', authorization: 'Bearer secret' } });

test('without a terminal and without --log, faults alone are logged', async () => {
  const { url, process, ended } = await folder.serve();
  await fetch(`${url}/automations`);
  new Database(folder.path('rollcall.db')).exec('DROP TABLE keys').close();
  const { headers } = await fetch(`${url}/automations`, { headers: { authorization: 'Bearer x' } });
  process.kill('SIGTERM');
  expect(parse((await ended).stderr)).toEqual([
    expect.objectContaining({ level: 'error', event: 'failed', id: headers.get('x-request-id') }),
  ]);
});

describe('a pipe that nobody reads', () => {
  const REQUESTS = 4000;
  const AT_ONCE = 50;
  let pipe: number;
  beforeEach(() => {
    execFileSync('mkfifo', [folder.path('log')]);
    pipe = openSync(folder.path('log'), constants.O_RDWR | constants.O_NONBLOCK);
  });
  afterEach(() => {
    closeSync(pipe);
  });

  /** Starts a server that logs into the pipe, and makes it log more than it may keep. */
  async function overfill(): Promise<{ url: string; end: () => Promise<Ran> }> {
    const argv = ['serve', '--create', '--port', '0', '--log', 'json'];
    const server = folder.start(argv, {}, `exec 2<> ${folder.path('log')}`);
    const [, url = ''] = await server.printed(/listens on (\S+)\n/);
    const line = `GET /${'x'.repeat(250)} HTTP/1.1\r\nHost: x\r\n`;
    const requests = `${`${line}\r\n`.repeat(AT_ONCE - 1)}${line}Connection: close\r\n\r\n`;
    const expected = Array(AT_ONCE).fill('HTTP/1.1 404');
    for (let at = 0; at < REQUESTS / AT_ONCE; at += 1)
      expect((await exchange(url, requests)).match(/HTTP\/1\.1 \d+/g)).toEqual(expected);
    const end = (): Promise<Ran> => {
      server.process.kill('SIGTERM');
      return server.ended;
    };
    return { url, end };
  }

  function readAll(): string {
    const buffer = Buffer.alloc(1024 * 1024);
    let text = '';
    try {
      for (;;) text += buffer.toString('latin1', 0, readSync(pipe, buffer));
    } catch (error) {
      expect(error).toMatchObject({ code: 'EAGAIN' }); // It is empty.
    }
    return text;
  }

  test('stops neither responses nor the end of the server', async () => {
    const { end } = await overfill();
    expect(await end()).toMatchObject({ code: 0, signal: null });
  });

  test('loses lines that it counts, and keeps a megabyte', async () => {
    const { url, end } = await overfill();
    let text = '';
    while (!text.includes('"dropped"')) {
      text += readAll();
      await fetch(`${url}/automations`); // Time for the next write.
    }
    let ended: Ran | undefined;
    void end().then((it) => (ended = it));
    while (ended === undefined) {
      text += readAll(); // More may be left than the pipe holds.
      await nextTurn();
    }
    expect(ended).toMatchObject({ code: 0, signal: null });
    const lines = parse(text + readAll());
    const long = lines.filter((it) => String(it['path']).startsWith('/xxx'));
    const [dropped] = lines.filter((it) => it['event'] === 'dropped');
    expect(long.length + Number(dropped?.['lines'])).toBeGreaterThanOrEqual(REQUESTS);
    expect(Number(dropped?.['lines'])).toBeGreaterThan(500);
    expect(JSON.stringify(long).length).toBeGreaterThan(1024 * 1024);
    expect(lines.at(-1)).toMatchObject({ event: 'lifecycle', state: 'stopped' });
  });

  test('counts all lines that were lost, though no room is left to say so', async () => {
    const output = openLogOutput(pipe, (count) => `dropped ${String(count)}`);
    const full = (): void => {
      for (;;) writeSync(pipe, ' '.repeat(4096)); // Spaces mean nothing.
    };
    expect(full).toThrow(expect.objectContaining({ code: 'EAGAIN' }));
    output.write('first');
    await nextTurn(); // Nothing of it could be written.
    output.write('x'.repeat(1024 * 1024 - 'first\n'.length));
    for (const line of ['second', 'third', 'fourth']) output.write(line);
    let text = '';
    while (!/dropped \d+\n$/.test(text.slice(-20))) {
      text += readAll();
      await nextTurn();
    }
    await output.end();
    expect(text.trimStart().replace(/x+/, 'x')).toBe('first\nx\ndropped 3\n');
  });
});

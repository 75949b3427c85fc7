/** `rollcall serve` and `rollcall demo`: starting, being configured, stopping. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { openForWriting } from '../../server/store/sqlite/database.ts';
import { automation } from '../../server/testing/builders.ts';
import { openFolder } from '../support/cli.ts';
import type { Folder } from '../support/cli.ts';

let folder: Folder;
beforeEach(() => {
  folder = openFolder();
});
afterEach(() => {
  folder.remove();
});

describe('serve', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'makes a fresh database, listens on loopback, and ends with 0 on %s',
    async (signal) => {
      const { url, process, ended } = await folder.serve();
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect((await fetch(`${url}/automations`)).status).toBe(401);
      process.kill(signal);
      expect(await ended).toEqual({
        code: 0,
        signal: null,
        stdout: `Rollcall listens on ${url}\n`,
        stderr: 'No key opens it yet. Create one: rollcall keys create --account NAME --db ./rollcall.db\n',
      });
      expect(existsSync(folder.path('rollcall.db'))).toBe(true);
      expect(existsSync(folder.path('rollcall.db-wal'))).toBe(false);
    },
  );

  test('leaves all records in the one file, also those that came while it ran', async () => {
    const { process, ended } = await folder.serve();
    await folder.call(['import', 'automations', '--account', 'acme'], { input: JSON.stringify([automation()]) });
    process.kill('SIGTERM');
    await ended;
    const db = new Database(folder.path('rollcall.db'), { readonly: true });
    expect(db.prepare('SELECT count(*) FROM records').pluck().get()).toBe(1);
    db.close();
  });

  test.each([
    [
      ['--port', '70000'],
      {},
      "error: option '--port <n>' argument '70000' is invalid. It must be a whole number from 0 to 65535.",
    ],
    [['--port', '-1'], {}, 'It must be a whole number from 0 to 65535.'],
    [['extra'], {}, 'error: too many arguments'],
    [
      ['--db', ''],
      {},
      "error: option '--db <database>' argument '' is invalid. It must be the path of a file, or a URL such as postgres://user@host/database.",
    ],
    [
      ['--db', ' '],
      {},
      "error: option '--db <database>' argument ' ' is invalid. It must be the path of a file, or a URL such as postgres://user@host/database.",
    ],
    [
      [],
      { ROLLCALL_DB: '' },
      "error: option '--db <database>' value '' from env 'ROLLCALL_DB' is invalid. It must be the path of a file, or a URL such as postgres://user@host/database.",
    ],
  ])('%j %j is wrong usage', async (argv, env, message) => {
    const ran = await folder.call(['serve', ...argv], { env });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(message);
    expect(ran.stderr).toMatch(/See: rollcall serve --help\n$/);
  });

  test('a port that is taken is said so', async () => {
    const { url } = await folder.serve();
    const port = new URL(url).port;
    expect(await folder.run(['serve', '--port', port])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `rollcall: Port ${port} on 127.0.0.1 is taken. Choose another with --port N, or any free one with --port 0.\n`,
    });
  });

  test('a host that is not here is said so', async () => {
    expect(await folder.run(['serve', '--create', '--host', '192.0.2.1', '--port', '0'])).toMatchObject({
      code: 1,
      stderr: 'rollcall: 192.0.2.1 is not an address of this machine. Choose another with --host H.\n',
    });
  });
});

(process.platform === 'linux' ? describe : describe.skip)('fewer open files than connections need', () => {
  const warning = (connections: number, needed: number, allowed: number, lower: string): string =>
    `WARNING: With --max-connections ${String(connections)} a server may need ${String(needed)} open files, and it may have ` +
    `${String(allowed)}: connections beyond that are closed without a response. Raise the limit (ulimit -n, LimitNOFILE of systemd)${lower}.\n`;

  test.each([
    [[], 'ulimit -n 4000', warning(10_000, 11_100, 4000, ', or lower --max-connections to 2900')],
    [
      ['--max-connections', '2901'],
      'ulimit -n 4000',
      warning(2901, 4001, 4000, ', or lower --max-connections to 2900'),
    ],
    [['--max-connections', '2900'], 'ulimit -n 4000', ''],
    [['--max-connections', '2900'], 'ulimit -S -n 100', ''], // Node raises it as far as it may.
    [['--max-connections', '1'], 'ulimit -n 1100', warning(1, 1101, 1100, '')],
    [
      ['--workers', '2', '--max-connections', '2901'],
      'ulimit -n 4000',
      warning(2901, 4001, 4000, ', or lower --max-connections to 2900'),
    ],
  ])('%j after %s is warned of, once', async (argv, setUp, message) => {
    await folder.call(['keys', 'create', '--account', 'acme']); // Else it is said that there is none.
    const server = folder.start(['serve', '--port', '0', ...argv], {}, setUp);
    await server.printed(/listens on/);
    server.process.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0, stderr: message });
  });
});

describe('databases that cannot be served', () => {
  test.each([
    [
      'a text file',
      () => {
        writeFileSync(folder.path('x.db'), 'x'.repeat(5000));
      },
      'x.db is not a database. Name another file.',
    ],
    [
      'the database of another program',
      () => {
        new Database(folder.path('x.db')).exec('CREATE TABLE t (a)').close();
      },
      'x.db is a database of another program, not of Rollcall. Name another file.',
    ],
    [
      'a newer store',
      () => {
        openForWriting(folder.path('x.db')).exec('PRAGMA user_version = 99').close();
      },
      'x.db was written by a newer Rollcall (store version 99; this one knows up to 4). Use that version.',
    ],
    [
      'a folder',
      () => {
        mkdirSync(folder.path('x.db'));
      },
      'x.db is a directory. Name a file.',
    ],
    [
      'a pipe',
      () => {
        execFileSync('mkfifo', [folder.path('x.db')]);
      },
      'x.db is not a regular file. Name a file.',
    ],
  ])('%s', async (_, make, message) => {
    make();
    expect(await folder.call(['serve', '--port', '0', '--db', 'x.db'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `rollcall: ${message}\n`,
    });
  });

  test('a file in a folder that does not exist', async () => {
    expect(await folder.call(['serve', '--create', '--db', 'no/x.db'])).toMatchObject({
      code: 1,
      stderr:
        'rollcall: no/x.db cannot be opened: Cannot open database because the directory does not exist. Check its name and its folder.\n',
    });
  });

  test('another program’s database is left as it was', async () => {
    new Database(folder.path('x.db')).exec('CREATE TABLE t (a)').close();
    await folder.call(['import', 'automations', '-', '--account', 'a', '--db', 'x.db']);
    const db = new Database(folder.path('x.db'));
    expect(db.pragma('user_version', { simple: true })).toBe(0);
    expect(db.pragma('journal_mode', { simple: true })).toBe('delete');
    db.close();
  });
});

describe('the program', () => {
  test.each([
    ['--help'],
    ['serve', '--help'],
    ['import', '--help'],
    ['keys', '--help'],
    ['keys', 'create', '--help'],
    ['keys', 'list', '--help'],
    ['keys', 'revoke', '--help'],
    ['demo', '--help'],
  ])('%s %s %s prints its usage and exits with 0', async (...argv) => {
    const ran = await folder.call(argv.filter((it) => typeof it === 'string'));
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/^Usage: rollcall/);
  });

  test('without a command it prints its usage and exits with 2', async () => {
    expect(await folder.call([])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Usage: rollcall/) as unknown,
    });
  });

  test('--version', async () => {
    expect(await folder.call(['--version'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as unknown,
    });
  });
});

describe('settings for callers', () => {
  test.each([
    [['--rate-limit', '0/s'], {}, 'It must be a whole number from 1 to 999999999 and s, m or h, such as 10/s.'],
    [['--rate-limit', '10'], {}, 'such as 10/s'],
    [[], { ROLLCALL_RATE_LIMIT: '10/d' }, "value '10/d' from env 'ROLLCALL_RATE_LIMIT' is invalid."],
    [
      ['--cors-origin', 'app.example'],
      {},
      'It must be scheme, host and port alone, such as https://app.example, or *.',
    ],
    [['--cors-origin', 'https://app.example/'], {}, 'It must be scheme, host and port alone'],
    [[], { ROLLCALL_CORS_ORIGIN: 'https://a.example,' }, 'It must be scheme, host and port alone'],
    [
      ['--public-url', 'api.example.com/rollcall'],
      {},
      "option '--public-url <url>' argument 'api.example.com/rollcall' is invalid. It must be an absolute http or https URL " +
        'without credentials, query or fragment, its path of letters, digits and -._~% alone, such as https://api.example.com/rollcall.',
    ],
    [[], { ROLLCALL_PUBLIC_URL: '/' }, "value '/' from env 'ROLLCALL_PUBLIC_URL' is invalid. It must be an absolute"],
    [['--max-connections', '0'], {}, 'It must be a whole number from 1 to 999999.'],
    [['--drain-delay', '601'], {}, 'It must be a whole number of seconds from 0 to 600.'],
    [['--max-connections-per-address', 'x'], {}, 'It must be a whole number from 1 to 999999.'],
  ])('%j %j is wrong usage', async (argv, env, message) => {
    const ran = await folder.call(['serve', ...argv], { env });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(message);
  });

  test('reaches the server', async () => {
    const { stdout } = await folder.call(['keys', 'create', '--account', 'acme']);
    const { url } = await folder.serve([
      ...['--rate-limit', '2/h', '--max-connections', '9', '--no-reference'],
      ...['--cors-origin', 'https://a.example,https://b.example,https://c.example'],
      ...['--public-url', 'https://api.example.com/rollcall/'],
    ]);
    const headers = { authorization: `Bearer ${stdout.trim()}`, origin: 'https://c.example' };
    const responses = [];
    for (let at = 0; at < 3; at += 1) responses.push(await fetch(`${url}/automations`, { headers }));
    expect(responses.map((it) => it.status)).toEqual([200, 200, 429]);
    expect(responses.map((it) => it.headers.get('ratelimit-policy'))).toEqual(Array(3).fill('2;w=3600'));
    expect(responses.map((it) => it.headers.get('access-control-allow-origin'))).toEqual(
      Array(3).fill('https://c.example'),
    );
    expect((await fetch(`${url}/docs`)).status).toBe(404);
    const contract = (await (await fetch(`${url}/openapi.json`)).json()) as { servers: { url: string }[] };
    expect(contract.servers.map((it) => it.url)).toEqual(['https://api.example.com/rollcall']);
  });
});

/** The settings of a server: where they come from, which source wins, which values are rejected, and that they are documented. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parsePublicUrl } from '../../server/cli/options.ts';
import { SETTING_NAMES, defaultSettings, flagOf, keyOf, settingOf, variableOf } from '../../server/cli/settings.ts';
import { openFolder } from '../support/cli.ts';
import type { Folder } from '../support/cli.ts';

let folder: Folder;
beforeEach(() => {
  folder = openFolder();
});
afterEach(() => {
  folder.remove();
});

const write = (content: unknown): void => {
  writeFileSync(folder.path('c.json'), typeof content === 'string' ? content : JSON.stringify(content));
};

describe('the first source that has a setting wins', () => {
  const listening = async (argv: readonly string[], env: Record<string, string>): Promise<string> =>
    (await folder.start(['serve', '--create', ...argv], env).printed(/listens on (\S+)\n/))[1] ?? '';
  const LOOPBACK = /^http:\/\/127\.0\.0\.1:\d+$/;
  const SIXTH = /^http:\/\/\[::1\]:\d+$/;

  test.each([
    ['the file, before the default', [], {}, SIXTH, 'file.db'],
    ['the environment, before the file', [], { ROLLCALL_HOST: '127.0.0.1', ROLLCALL_DB: 'env.db' }, LOOPBACK, 'env.db'],
    [
      'flags, before the environment',
      ['--host', '127.0.0.1', '--db', 'flag.db'],
      { ROLLCALL_HOST: '192.0.2.1', ROLLCALL_DB: 'env.db' },
      LOOPBACK,
      'flag.db',
    ],
    ['HOST says nothing: shells set it', [], { HOST: '192.0.2.1' }, SIXTH, 'file.db'],
  ])('%s', async (_, argv, env, address, db) => {
    write({ host: '::1', port: 0, db: 'file.db' });
    expect(await listening(['--config', 'c.json', ...argv], env)).toMatch(address);
    expect(['file.db', 'env.db', 'flag.db'].filter((it) => existsSync(folder.path(it)))).toEqual([db]);
  });

  test('the file itself may come from the environment', async () => {
    write({ port: 0, host: '::1' });
    expect(await listening([], { ROLLCALL_CONFIG: 'c.json' })).toMatch(SIXTH);
  });

  test('a byte order mark before it, as editors write one, says nothing', async () => {
    write(`\uFEFF${JSON.stringify({ port: 0, host: '::1' })}`);
    expect(await listening(['--config', 'c.json'], {})).toMatch(SIXTH);
  });

  test.each([
    ['ROLLCALL_PORT before PORT', {}, { ROLLCALL_PORT: '0', PORT: 'x' }],
    ['PORT before the file', { port: 'x' }, { PORT: '0' }],
  ])('%s', async (_, content, env) => {
    write(content);
    expect(await listening(['--config', 'c.json'], env)).toMatch(LOOPBACK);
  });

  test('the demo reads PORT too', async () => {
    const demo = folder.start(['demo'], { PORT: '0' });
    expect((await demo.printed(/address +(\S+)\n/))[1]).toMatch(LOOPBACK);
  });
});

describe('a public URL', () => {
  test.each([
    ['https://api.example.com/rollcall', 'https://api.example.com/rollcall'],
    ['HTTPS://API.example.com:443/v1/roll%20call.1/', 'https://api.example.com/v1/roll%20call.1'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['http://[::1]:8080/', 'http://[::1]:8080'],
    ['https://bücher.example/<é>', 'https://xn--bcher-kva.example/%3C%C3%A9%3E'],
  ])('%s is taken', (given, url) => {
    expect(parsePublicUrl(given)).toBe(url);
  });

  test.each([
    ...['', '/', '/rollcall', 'api.example.com', '//a.example', 'https:a.example', 'https://', 'ftp://a.example'],
    ...[
      ' https://a.example',
      'https://a.example ',
      'https://a b',
      'https://a.example/\n',
      'javascript://a/%0Aalert(1)',
    ],
    ...['https://a.example?', 'https://a.example/x?y=1', 'https://a.example/#', 'https://a.example#x'],
    ...['https://u@a.example', 'https://u:p@a.example', 'https://a.example:x', 'https://a.example:70000'],
    ...['https://a.example//x', 'https://a.example/x//', "https://a.example/it's", 'https://a.example/$(id)'],
    ...['https://a.example/a:', 'https://a"b', "https://a'b", 'https://a{b', 'https://$a'],
  ])('%j is rejected', (given) => {
    expect(() => parsePublicUrl(given)).toThrow(
      'It must be an absolute http or https URL without credentials, query or fragment, its path of letters, digits and -._~% alone, such as https://api.example.com/rollcall.',
    );
  });
});

describe('a switch', () => {
  const hasPages = async (argv: readonly string[], env: Record<string, string> = {}): Promise<readonly boolean[]> => {
    const served = folder.start(['serve', '--create', '--port', '0', ...argv], env);
    const [, url = ''] = await served.printed(/listens on (\S+)\n/);
    const responses = await Promise.all(
      ['/', '/docs'].map((it) => fetch(url + it, { headers: { accept: 'text/html' }, redirect: 'manual' })),
    );
    return responses.map((it) => it.status === 200);
  };

  test.each([
    ['is on', [], {}, [true, true]],
    ['is off by its flag', ['--no-console'], {}, [false, true]],
    ['is off by its flag', ['--no-reference'], {}, [true, false]],
    ['is off by its variable', [], { ROLLCALL_CONSOLE: 'off', ROLLCALL_REFERENCE: 'off' }, [false, false]],
    ['stays on by its variable', [], { ROLLCALL_CONSOLE: 'on' }, [true, true]],
    ['is off by its flag, whatever its variable says', ['--no-console'], { ROLLCALL_CONSOLE: 'on' }, [false, true]],
  ])('%s: %j %j', async (_, argv, env, pages) => {
    expect(await hasPages(argv, env)).toEqual(pages);
  });

  test('is set in a file', async () => {
    write({ console: 'off', reference: 'on' });
    expect(await hasPages(['--config', 'c.json'])).toEqual([false, true]);
    expect(await hasPages(['--config', 'c.json'], { ROLLCALL_CONSOLE: 'on' })).toEqual([true, true]);
  });
});

describe('an invalid value is rejected with the name of its source', () => {
  test.each([
    [{ port: 'http' }, "error: option '--port <n>' value 'http' from 'port' in c.json is invalid. It must be a whole"],
    [{ port: 1.5 }, "value '1.5' from 'port' in c.json is invalid. It must be a whole number from 0 to 65535."],
    [{ 'max-connections': -1 }, 'It must be a whole number from 1 to 999999.'],
    [{ port: null }, "error: 'port' in c.json is invalid. It must be a string or a number."],
    [{ prot: 1 }, "error: c.json has an unknown setting 'prot'. Allowed are: db, db-read, create, port, host, workers"],
    [{ constructor: 1 }, "error: c.json has an unknown setting 'constructor'. Allowed are: db, db-read, "],
    ['{', 'error: c.json, of --config, is not JSON: '],
    ['\uFEFF\uFEFF{}', 'error: c.json, of --config, is not JSON: '],
    ['{"port":0,"host":"::1",\n"port":1}', "error: c.json, of --config, has 'port' more than once."],
    ['[]', 'error: c.json, of --config, must be one JSON object, such as {"port": 3000}.'],
    ['null', 'error: c.json, of --config, must be one JSON object, such as {"port": 3000}.'],
  ])('%j', async (content, message) => {
    write(content);
    const ran = await folder.call(['serve', '--config', 'c.json']);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(message);
    expect(ran.stderr).toMatch(/See: rollcall serve --help\n$/);
    expect(existsSync(folder.path('rollcall.db'))).toBe(false);
  });

  test.each([
    ['a directory', 'mkdir', [], 'is a directory.'],
    ['a FIFO that nobody writes to', 'mkfifo', [], 'cannot be read: it is a FIFO or a device, not a file.'],
    [
      'a file that is no config, by its size',
      'truncate',
      ['--size', '65537'],
      'cannot be read: it has more than 65536 bytes.',
    ],
  ])('%s, at once', async (_, make, words, reason) => {
    execFileSync(make, [...words, folder.path('c.json')]);
    const ran = await folder.call(['serve', '--config', 'c.json']);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(`error: c.json, of --config, ${reason}\n`);
    expect(existsSync(folder.path('rollcall.db'))).toBe(false);
  });

  test.each([
    [{ PORT: 'http' }, "error: option '--port <n>' value 'http' from env 'PORT' is invalid. It must be a whole number"],
    [
      { ROLLCALL_CONSOLE: 'no' },
      "error: option '--no-console' value 'no' from env 'ROLLCALL_CONSOLE' is invalid. It must be one of: on, off.",
    ],
    [{ ROLLCALL_HOST: '' }, "error: option '--host <host>' value '' from env 'ROLLCALL_HOST' is invalid. It must be 1"],
  ])('%j', async (env, message) => {
    const ran = await folder.call(['serve'], { env });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(message);
  });
});

describe('the table', () => {
  test('has defaults that its own rules allow', () => {
    expect(defaultSettings()).toMatchObject({ db: './rollcall.db', port: 3000, host: '127.0.0.1', cache: 32 });
  });

  test('is what docs/settings.md has, row by row', () => {
    const page = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8');
    const code = (text: string): string => `\`${text}\``;
    const rows = SETTING_NAMES.map((name) => {
      const { description, default: text, fallbackVariable } = settingOf(name);
      const variables = [variableOf(name), ...(fallbackVariable === undefined ? [] : [fallbackVariable])];
      const cells = [code(flagOf(name)), variables.map(code).join(', '), code(keyOf(name))];
      return [...cells, text === undefined ? '-' : code(text), description].join(' | ');
    });
    const written = [...page.matchAll(/^\| (`--.*?) +\|$/gm)].map((it) => it[1]?.replaceAll(/ +/g, ' '));
    expect(written).toEqual(rows);
  });

  test('is what the help has', async () => {
    const help = (await folder.call(['serve', '--help'])).stdout.replaceAll(/\s+/g, ' '); // Wrapped to the terminal's width.
    for (const name of SETTING_NAMES) {
      expect(help).toContain(`${flagOf(name)} ${settingOf(name).description}`);
      expect(help).toContain(`env: ${variableOf(name)}`);
    }
  });
});

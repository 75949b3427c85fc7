/** The settings of a server: where they come from, which source wins, and which values are rejected. */
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Command } from 'commander';
import { parsePublicUrl } from '../../cli/options.ts';
import { SETTING_NAMES, addAllSettings, defaultSettings, flagOf, settingOf, variableOf } from '../../cli/settings.ts';
import type { Settings } from '../../cli/settings.ts';
import { folder } from '../support/own-folder.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

const write = (content: unknown): void => {
  writeFileSync(folder.path('c.json'), typeof content === 'string' ? content : JSON.stringify(content));
};

describe('the first source that has a setting wins', () => {
  /** @returns what `serve` takes from its command line and its environment. */
  async function settingsOf(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<Settings> {
    jest.replaceProperty(process, 'env', env);
    const command = addAllSettings(new Command('serve'));
    await command.action(() => undefined).parseAsync(argv, { from: 'user' });
    return command.opts();
  }

  interface Source {
    readonly argv?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly file?: object;
  }
  // The sources in their order, and what each of them says; last the default.
  test.each<[keyof Settings, readonly Source[], readonly unknown[]]>([
    [
      'host',
      [{ argv: ['--host', 'a'] }, { env: { ROLLCALL_HOST: 'b' } }, { file: { host: 'c' } }],
      ['a', 'b', 'c', '127.0.0.1'],
    ],
    [
      'port',
      [{ argv: ['--port', '1'] }, { env: { ROLLCALL_PORT: '2' } }, { env: { PORT: '3' } }, { file: { port: 4 } }],
      [1, 2, 3, 4, 3000],
    ],
    ...(['console', 'reference'] as const).map((name): [keyof Settings, readonly Source[], readonly unknown[]] => [
      name,
      [
        ...[{ argv: [`--no-${name}`] }, { env: { [variableOf(name)]: 'on' } }],
        { file: { [name]: name === 'console' ? false : 'off' } },
      ],
      [false, true, false, true],
    ]),
    [
      'create',
      [{ argv: ['--create'] }, { env: { ROLLCALL_CREATE: 'off' } }, { file: { create: true } }],
      [true, false, true, false],
    ],
  ])('%s, whichever sources have it', async (name, sources, values) => {
    for (let subset = 0; subset < 2 ** sources.length; subset += 1) {
      const isGiven = (at: number): boolean => at === sources.length || ((subset >> at) & 1) === 1;
      const given = sources.filter((_, at) => isGiven(at));
      write(Object.assign({}, ...given.map((it) => it.file)));
      const argv = ['--config', folder.path('c.json'), ...given.flatMap((it) => it.argv ?? [])];
      const env: NodeJS.ProcessEnv = { HOST: '192.0.2.1' }; // Shells set it: it says nothing.
      for (const it of given) Object.assign(env, it.env);
      const expected = values.find((_, at) => isGiven(at));
      expect([given, (await settingsOf(argv, env))[name]]).toEqual([given, expected]);
    }
  });

  test('the file may come from the environment, with the byte order mark of an editor', async () => {
    write(`\uFEFF${JSON.stringify({ host: '::1' })}`);
    expect(await settingsOf([], { ROLLCALL_CONFIG: folder.path('c.json') })).toMatchObject({ host: '::1' });
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
    ' https://a.example',
    'https://a.example ',
    'https://a b',
    'https://a.example/\n',
    'javascript://a/%0Aalert(1)',
    ...['https://a.example?', 'https://a.example/x?y=1', 'https://a.example/#', 'https://a.example#x'],
    ...['https://u@a.example', 'https://u:p@a.example', 'https://a.example:x', 'https://a.example:70000'],
    ...['https://a.example//x', 'https://a.example/x//', "https://a.example/it's", 'https://a.example/$(id)'],
    ...['https://a.example/a:', 'https://a"b', "https://a'b", 'https://a{b', 'https://$a'],
  ])('%j is rejected', (given) => {
    expect(() => parsePublicUrl(given)).toThrow('It must be an absolute http or https URL without credentials, ');
  });
});

describe('an invalid value is rejected with the name of its source', () => {
  async function expectRejected(message: string, env: Record<string, string>, ...argv: string[]): Promise<void> {
    const ran = await folder.call(argv, { env });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(message);
    expect(ran.stderr).toMatch(new RegExp(`See: rollcall ${String(argv[0])} --help\n$`));
    expect(existsSync(folder.path('rollcall.db'))).toBe(false);
  }

  test.each([
    [{ port: 'http' }, "error: option '--port <n>' value 'http' from 'port' in c.json is invalid. It must be a whole"],
    [{ port: 1.5 }, "value '1.5' from 'port' in c.json is invalid. It must be a whole number from 0 to 65535."],
    [{ 'max-connections': -1 }, 'It must be a whole number from 1 to 999999.'],
    [{ port: true }, "error: 'port' in c.json is invalid. It must be a string or a number."],
    [{ console: null }, "error: 'console' in c.json is invalid. It must be true, false, on or off."],
    [
      { prot: 1 },
      "error: unknown setting 'prot' in c.json. The settings are: db, db-read, create, port, host, workers",
    ],
    [{ constructor: 1 }, "error: unknown setting 'constructor' in c.json. The settings are: db, db-read, "],
    ['{', 'error: --config file c.json is not JSON: '],
    ['\uFEFF\uFEFF{}', 'error: --config file c.json is not JSON: '],
    ['{"port":0,"host":"::1",\n"port":1}', "error: --config file c.json has 'port' more than once."],
    ['[]', 'error: --config file c.json must contain one JSON object, such as {"port": 3000}.'],
    ['null', 'error: --config file c.json must contain one JSON object, such as {"port": 3000}.'],
  ])('%j', async (content, message) => {
    write(content);
    await expectRejected(message, {}, 'serve', '--config', 'c.json');
  });

  test.each([
    [['mkfifo'], 'cannot be read: it is a FIFO or a device, not a file.'],
    [['truncate', '--size', '65537'], 'cannot be read: it is larger than 65536 bytes.'],
  ])('what %j makes, at once', async ([make = '', ...words], reason) => {
    execFileSync(make, [...words, folder.path('c.json')]);
    await expectRejected(`error: --config file c.json ${reason}\n`, {}, 'serve', '--config', 'c.json');
  });

  const port = "error: option '--port <n>' value 'http' from env 'PORT' is invalid. It must be a whole number";
  test.each([
    ['serve', { PORT: 'http' }, port],
    ['demo', { PORT: 'http' }, port],
    [
      'serve',
      { ROLLCALL_CONSOLE: 'no' },
      "error: option '--no-console' value 'no' from env 'ROLLCALL_CONSOLE' is invalid. It must be one of: on, off.",
    ],
  ])('%s: %j', async (command, env, message) => {
    await expectRejected(message, env, command);
  });
});

describe('a variable that nobody has set on purpose is ignored, and a line says so:', () => {
  const ignored = (name: string, why: string): string =>
    `The environment variable ${name} is ignored, because it is ${why}.`;

  test.each([
    [
      ['db', 'check'],
      { ROLLCALL_DB: '', ROLLCALL_PORT: '' },
      'ROLLCALL_DB',
      'There is no Rollcall database at ./rollcall.db.',
    ],
    [['serve'], { ROLLCALL_CONFIG: '' }, 'ROLLCALL_CONFIG', 'There is no Rollcall database at ./rollcall.db.'],
    [['serve'], { PORT: '' }, 'PORT', 'There is no Rollcall database at ./rollcall.db.'],
    [
      ['conform', 'http://x'],
      { ROLLCALL_API_KEY: '' },
      'ROLLCALL_API_KEY',
      "required option '--key <key>' not specified",
    ],
  ])('an empty one of %j: %j', async (argv, env, name, then) => {
    const { stderr } = await folder.call(argv, { env });
    const [first, second] = stderr.split('\n');
    expect([first, second]).toEqual([ignored(name, 'empty'), expect.stringContaining(then)]);
  });
});

describe('the table', () => {
  test('has defaults that its own rules allow', () => {
    expect(defaultSettings()).toMatchObject({ db: './rollcall.db', port: 3000, host: '127.0.0.1', cache: 32 });
  });

  test('is what the help has', async () => {
    const help = (await folder.call(['serve', '--help'])).stdout.replaceAll(/\s+/g, ' '); // Wrapped to the terminal's width.
    for (const name of SETTING_NAMES) {
      expect(help).toContain(`${flagOf(name)} ${settingOf(name).description}`);
      expect(help).toContain(`env: ${variableOf(name)}`);
    }
  });
});

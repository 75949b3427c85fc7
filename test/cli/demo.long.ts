/** `rollcall demo`: sample records to try, and for tests in any language a known key, records of their own and the control API. */
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { isKey } from '../../server/store/keys.ts';
import { createBuilders } from '../../testkit/index.ts';
import { COLLECTIONS } from '../../contract/collections.ts';
import { COMMAND_NAMES, namedCountsOf } from '../support/collections.ts';
import { expectDeclared } from '../support/declared.ts';
import { folder } from '../support/own-folder.ts';
import { ROOT } from '../support/project.ts';
import type { Running } from '../support/cli.ts';

const { automation, contactImport, contactProperty } = createBuilders();

/** A machine or a container may have switched it off. */
const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

interface Started {
  readonly url: string;
  readonly key: string;
  readonly records: Readonly<Record<string, number>>;
  /** With `--control`. */
  readonly control: { readonly url: string; readonly key: string };
}
/** Starts a demo as a test suite does. */
const start = (...argv: readonly string[]): Promise<Running & Started> => startWith({}, ...argv);
async function startWith(env: Record<string, string>, ...argv: readonly string[]): Promise<Running & Started> {
  const demo = folder.start(['demo', '--port', '0', '--json', ...argv], env);
  const [line] = await demo.printed(/^.*\n/);
  return { ...demo, ...(JSON.parse(line) as Started) };
}
/** What a process runs first: it prints each response that is destroyed; a connection that is too late is destroyed without its response. */
const PRINT_DESTROYED = `import { ServerResponse } from 'node:http';
  const { destroy } = ServerResponse.prototype;
  ServerResponse.prototype.destroy = function (...args) {
    console.error('destroyed:', this.req.url);
    return destroy.apply(this, args);
  };`;
const get = (url: string, key: string): Promise<Response> =>
  fetch(url, { headers: { authorization: `Bearer ${key}` } });

test('for people it prints what to open, and a call whose response is a page of the contract', async () => {
  const demo = folder.start(['demo', '--port', '0']);
  const [, key = '', target = ''] = await demo.printed(/curl -H 'Authorization: Bearer (\S+)' '(\S+)'/);
  const response = await get(target, key);
  const { status } = response;
  const text = await response.text();
  // Scripts of every site may call it; a request without an origin gets these of the headers for that.
  const {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposed,
    ...headers
  } = Object.fromEntries(response.headers);
  expect([origin, exposed]).toEqual(['*', expect.stringMatching(/^etag,/i)]);
  expectDeclared('listContactImports', { status, headers, text });
  expect(JSON.parse(text)).toMatchObject({ has_more: true, data: [{ object: 'contact_import' }] });

  demo.process.kill('SIGINT');
  const { code, stdout, stderr } = await demo.ended;
  expect([code, stderr]).toEqual([0, '']);
  const [, url = ''] = /base URL +(\S+)\n/.exec(stdout) ?? [];
  const [, account = ''] = /records +(.+)\n/.exec(stdout) ?? [];
  expect(account).toMatch(/^136 automations, 128 contact properties, 260 contact imports/);
  // After each address there is nothing that a terminal would take for a part of it.
  expect(stdout.split('\n')).toEqual([
    ...['', 'Rollcall demo', ''],
    ...[`  console    ${url}/#key=${key}`, `  reference  ${url}/docs`, `  base URL   ${url}`],
    ...[`  key        ${key}`, `  records    ${account}`, ''],
    ...['The link to the console signs you in. To call the API, run this command in another terminal:', ''],
    ...[`  curl -H 'Authorization: Bearer ${key}' '${url}/contacts/imports?limit=1'`, ''],
    'The next demo has a new key, unless you set one with --key.',
    ...['Press Ctrl-C to stop the server.', '', ''],
  ]);
  expect(readdirSync(folder.path('.'))).toEqual([]);
});

test('each demo has a new key, of the format of keys', async () => {
  const keys = [(await start()).key, (await start()).key];
  expect(keys.map(isKey)).toEqual([true, true]);
  expect(keys[0]).not.toBe(keys[1]);
});

describe('for tests', () => {
  test('one line of JSON says where it listens, with a known key and its own records', async () => {
    const [newest, older] = [automation({ name: 'Newest' }), automation({ name: 'Older' })];
    mkdirSync(folder.path('seed'));
    for (const [name, content] of Object.entries({
      'automations.json': JSON.stringify({ object: 'list', has_more: true, data: [newest] }),
      'automations.2.ndjson': `${JSON.stringify(older)}\n`,
      'contact-imports': JSON.stringify([contactImport()]),
      '.DS_Store': '\0',
    })) {
      writeFileSync(folder.path(join('seed', name)), content);
    }
    const demo = await start('--seed', 'seed', '--key', 'a.known-key');
    expect(demo).toMatchObject({
      key: 'a.known-key',
      records: namedCountsOf({ automations: 2, contactImports: 1 }),
    });
    expect(await (await get(`${demo.url}/automations`, 'a.known-key')).json()).toMatchObject({ data: [newest, older] });
    expect(await (await get(`${demo.url}/contact-properties`, 'a.known-key')).json()).toMatchObject({ data: [] });
    expect((await get(`${demo.url}/automations`, 'another')).status).toBe(401);
    demo.process.kill('SIGTERM');
    const { code, stdout, stderr } = await demo.ended;
    expect({ code, stderr, lines: stdout.split('\n').length }).toEqual({ code: 0, stderr: '', lines: 2 });
    expect(Object.keys(JSON.parse(stdout) as object)).toEqual(['url', 'key', 'records']);
  });

  test('--control is another address with a key of its own; at its end it waits for no request that meets with a long delay', async () => {
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(PRINT_DESTROYED)}` };
    const { url, control, process, ended } = await startWith(env, '--key', 'k', '--control');
    expect(control.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(control.key).toMatch(/^rollcall_/);
    const headers = { authorization: `Bearer ${control.key}` };
    const post = async (path: string, body: object): Promise<number> =>
      (await fetch(`${control.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status;
    const fault = { status: 503, operation: 'listAutomations' };
    expect(await post('/accounts/demo/faults', { fault, always: true })).toBe(204);
    const statuses = async (): Promise<number[]> =>
      Promise.all(['/automations', '/contact-properties'].map(async (it) => (await get(url + it, 'k')).status));
    expect(await statuses()).toEqual([503, 200]);
    expect(await post('/reset', {})).toBe(204);
    expect(await statuses()).toEqual([200, 200]);
    expect((await get(`${url}/accounts`, control.key)).status).toBe(404);
    expect((await get(`${url}/automations`, control.key)).status).toBe(401);

    await post('/faults', { fault: { body: 'stalled', ms: 600_000 } });
    const cut = expect((await get(`${url}/automations`, 'k')).text()).rejects.toThrow('terminated');
    process.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, stderr: 'destroyed: /automations\n' });
    await cut;
  });

  test('--seed reads a snapshot, whose first account has the key', async () => {
    const [mine, theirs] = [automation(), automation()];
    const snapshot = { version: 1, accounts: { first: { automations: [mine] }, second: { automations: [theirs] } } };
    writeFileSync(folder.path('snapshot.json'), JSON.stringify(snapshot));
    const argv = ['--seed', 'snapshot.json', '--key', 'k', '--control', '--control-key', 'c'];
    const { url, control, records } = await start(...argv);
    expect(records).toEqual(namedCountsOf({ automations: 1 }));
    expect(await (await get(`${url}/automations`, 'k')).json()).toMatchObject({ data: [mine] });
    const taken: unknown = await (await get(`${control.url}/snapshot`, 'c')).json();
    expect(taken).toEqual({
      version: 1,
      accounts: Object.fromEntries(
        Object.entries(snapshot.accounts).map(([name, it]) => [name, { ...NO_RECORDS, ...it }]),
      ),
    });
    const { data } = (await (await get(`${control.url}/accounts`, 'c')).json()) as { data: { apiKey: string }[] };
    expect(await (await get(`${url}/automations`, data[1]?.apiKey ?? '')).json()).toMatchObject({ data: [theirs] });
  });

  const NO_RECORDS = Object.fromEntries(COLLECTIONS.map((it) => [it, []]));
  const WARNING = 'WARNING: anyone who can reach any address of this machine can read these records with the key.\n';
  const ON = 'it says who can read it, and the control API stays on loopback';
  const listens = async (host: string, loopback: string, stderr: string): Promise<void> => {
    const { url, control, process, ended } = await start('--host', host, '--key', 'k', '--control');
    expect(url.replace(/\d+$/, '')).toBe(`http://${loopback}:`);
    expect(control.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect((await get(`${url}/automations`, 'k')).status).toBe(200);
    process.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, stderr });
  };
  // Of all addresses it names one that can be opened.
  test.each([
    ['0.0.0.0', '127.0.0.1', WARNING],
    ['::', hasIpv6 ? '[::1]' : '127.0.0.1', WARNING],
    ['127.0.0.2', '127.0.0.2', ''],
  ])(`on %s ${ON}`, listens);
  (hasIpv6 ? test : test.skip)(`on ::1 ${ON}${hasIpv6 ? '' : ' (not run: this machine has no IPv6)'}`, () =>
    listens('::1', '[::1]', ''),
  );
});

describe('is rejected', () => {
  const KNOWN = `Name each file after its collection, with any extension: ${COMMAND_NAMES}.`;
  const seed = (): ReturnType<typeof folder.call> => folder.call(['demo', '--port', '0', '--seed', 'seed']);

  test.each([['a b'], [''], ['k\n'], ['=k'], ['ä'], ['x'.repeat(201)]])(
    'the key %j, which is not repeated',
    async (key) => {
      expect(await folder.call(['demo', '--seed', '.', '--key', key])).toMatchObject({
        code: 2,
        stdout: '',
        stderr:
          "error: option '--key <key>' is invalid. It must be 1 to 200 letters, digits or characters of -._~+/, optionally followed by =.\n" +
          'See: rollcall demo --help\n',
      });
    },
  );

  test.each(['serve --key k', 'serve --control', 'serve --seed .', 'keys create --account a --key k'])(
    '%s: only the demo has it',
    async (line) => {
      const { code, stderr } = await folder.call(line.split(' '));
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: unknown option '--(key|control|seed)'\n/)]);
    },
  );

  test('a folder without records, or with a file of another name', async () => {
    mkdirSync(folder.path('seed'));
    expect(await seed()).toMatchObject({ code: 1, stdout: '', stderr: `rollcall: seed contains no files. ${KNOWN}\n` });
    const file = join('seed', 'automation.json');
    writeFileSync(folder.path(file), '[]');
    const stderr = `rollcall: ${file} is not named after a collection. ${KNOWN}\n`;
    expect(await seed()).toMatchObject({ code: 1, stdout: '', stderr });
  });

  const PROPERTY = JSON.stringify(contactProperty({ type: 'number', fallback_value: 7 }));
  test.each([
    ['{oops', 'The --seed file s.json is not a snapshot: it is not JSON.'],
    ['"\xff"', 'The --seed file s.json is not a snapshot: it is not UTF-8 text.'],
    [
      '{"version":1,"accounts":{"a":{},"a":{}}}',
      'The --seed file s.json is not a snapshot: /accounts/a appears more than once.',
    ],
    [
      '{"version":1.0000000000000000001,"accounts":{}}',
      'The --seed file s.json is not a snapshot: /version must be a number that a double can represent exactly; ' +
        '1.0000000000000000001 would become 1.',
    ],
    [
      `{"version":1,"accounts":{"a":{"contactProperties":[${PROPERTY.replace(':7', ':-0.0')}]}}}`,
      'The snapshot s.json is invalid: contactProperties[0] does not match the contract: ' +
        '/fallback_value: must not be -0, which would become 0',
    ],
  ])('a snapshot that is not one, or that would be changed: %j', async (text, message) => {
    writeFileSync(folder.path('s.json'), text, 'latin1');
    const ran = await folder.call(['demo', '--port', '0', '--seed', 's.json']);
    expect(ran).toMatchObject({ code: 1, stdout: '', stderr: `rollcall: ${message}\n` });
  });

  test('a record that does not match the contract', async () => {
    cpSync(join(ROOT, 'server/samples'), folder.path('seed'), { recursive: true });
    const file = join('seed', 'automations.ndjson');
    const text = readFileSync(folder.path(file), 'utf8');
    writeFileSync(folder.path(file), text.replace('"enabled"', '"paused"'));
    const { code, stdout, stderr } = await seed();
    expect([code, stdout, stderr.split('\n')]).toEqual([
      1,
      '',
      [
        `${file}:1: /status: must be one of "enabled", "disabled"`,
        `${file}: 1 of 136 records is invalid; not loaded`,
        'rollcall: The records in seed are invalid. See above.',
        '',
      ],
    ]);
  });
});

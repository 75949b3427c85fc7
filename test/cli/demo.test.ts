/** `rollcall demo`: sample records to try, and for tests in any language a known key, records of their own and faults. */
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createBuilders } from '../../server/testing/index.ts';
import { COMMAND_NAMES, namedCountsOf } from '../support/collections.ts';
import { expectDeclared } from '../support/declared.ts';
import { folder } from '../support/own-folder.ts';
import { ROOT } from '../support/project.ts';
import type { Running } from '../support/cli.ts';

const { automation, contactImport } = createBuilders();
const HOLDS = /(251) automations, (114) contact properties, (1,202) contact imports/;

interface Started {
  readonly url: string;
  readonly key: string;
  readonly records: Readonly<Record<string, number>>;
  readonly faults?: string;
}
/** Starts a demo as a test suite does. */
async function start(...argv: readonly string[]): Promise<Running & Started> {
  const demo = folder.start(['demo', '--port', '0', '--json', ...argv]);
  const [line] = await demo.printed(/^.*\n/);
  return { ...demo, ...(JSON.parse(line) as Started) };
}
const get = (url: string, key: string): Promise<Response> =>
  fetch(url, { headers: { authorization: `Bearer ${key}` } });

describe('for people', () => {
  test('prints a call whose response is a page of the contract', async () => {
    const demo = folder.start(['demo', '--port', '0']);
    const [, key = '', target = ''] = await demo.printed(/curl -H 'Authorization: Bearer (\S+)' '(\S+)'/);
    const response = await get(target, key);
    const { status } = response;
    const text = await response.text();
    // Every response to every origin, as with `--cors-origin '*'`; a request without an origin gets these of the headers for that.
    const {
      'access-control-allow-origin': origin,
      'access-control-expose-headers': exposed,
      ...headers
    } = Object.fromEntries(response.headers);
    expect([origin, exposed]).toEqual(['*', expect.stringMatching(/^etag,/i)]);
    expectDeclared('listContactImports', { status, headers, text });
    expect(JSON.parse(text)).toMatchObject({ has_more: true, data: [{ object: 'contact_import' }, {}] });
    demo.process.kill('SIGINT');
    expect(await demo.ended).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(HOLDS) as unknown });
  });

  test('names what to open, each address with nothing that a terminal would take for a part of it', async () => {
    const demo = folder.start(['demo', '--port', '0']);
    await demo.printed(/Ctrl-C/);
    demo.process.kill('SIGINT');
    const { stdout } = await demo.ended;
    const [, url = ''] = /address +(\S+)\n/.exec(stdout) ?? [];
    expect(stdout.match(/http:[^\s']+/g)).toEqual([`${url}/`, `${url}/docs`, url, `${url}/contacts/imports?limit=2`]);
    expect(stdout).toMatch(/^  console +\S+\/\n  reference +\S+\/docs\n/m);
    expect(stdout).toContain(`has the same key, from ${join('.rollcall-demo', 'key')}.\n`);
    expect(stdout.trim().split('\n').length).toBeLessThan(16);
  });

  test('several run side by side, and leave nothing behind but their key', async () => {
    const [first, second] = await Promise.all([start(), start('--key', 'other')]);
    expect((await get(`${second.url}/automations`, 'other')).status).toBe(200);
    expect((await get(`${second.url}/automations`, first.key)).status).toBe(401);
    expect(await folder.call(['accounts', 'list'])).toMatchObject({ code: 1 }); // There is no database.
    expect(readdirSync(folder.path('.'))).toEqual(['.rollcall-demo']);
  });

  test('scripts of every site may call it', async () => {
    const { url } = await start();
    const response = await fetch(`${url}/automations`, { headers: { origin: 'http://localhost:5173' } });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('for tests', () => {
  const newest = automation({ name: 'Newest' });
  const older = automation({ name: 'Older' });
  function seed(): string {
    mkdirSync(folder.path('seed'));
    const page = { object: 'list', has_more: true, data: [newest] };
    writeFileSync(folder.path('seed/automations.json'), JSON.stringify(page));
    writeFileSync(folder.path('seed/automations.2.ndjson'), `${JSON.stringify(older)}\n`);
    writeFileSync(folder.path('seed/contact-imports'), JSON.stringify([contactImport()]));
    writeFileSync(folder.path('seed/.DS_Store'), '\0');
    return folder.path('seed');
  }

  test('one line of JSON says where it listens, with a known key and its own records', async () => {
    const demo = await start('--seed', seed(), '--key', 'a.known-key');
    expect(demo).toMatchObject({
      key: 'a.known-key',
      records: namedCountsOf({ automations: 2, contactImports: 1 }),
    });
    expect(await (await get(`${demo.url}/automations`, 'a.known-key')).json()).toMatchObject({ data: [newest, older] });
    expect(await (await get(`${demo.url}/contact-properties`, 'a.known-key')).json()).toMatchObject({ data: [] });
    demo.process.kill('SIGTERM');
    const { code, stdout, stderr } = await demo.ended;
    expect({ code, stderr, lines: stdout.split('\n').length }).toEqual({ code: 0, stderr: '', lines: 2 });
    expect(Object.keys(JSON.parse(stdout) as object)).toEqual(['url', 'key', 'records']);
  });

  test('--faults is an address to post faults to', async () => {
    const { url, key, faults = '' } = await start('--key', 'k', '--faults');
    expect(faults).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/faults$/);
    const headers = { authorization: 'Bearer k' };
    const post = async (body: object): Promise<number> =>
      (await fetch(faults, { method: 'POST', headers, body: JSON.stringify(body) })).status;
    expect(await post({ status: 503, operation: 'listAutomations', times: 'always' })).toBe(204);
    expect(await post({ status: 418 })).toBe(422);
    const statuses = async (): Promise<number[]> => [
      (await get(`${url}/automations`, key)).status,
      (await get(`${url}/contact-properties`, key)).status,
    ];
    expect(await statuses()).toEqual([503, 200]);
    await fetch(faults, { method: 'DELETE', headers });
    expect(await statuses()).toEqual([200, 200]);
    expect((await get(faults.replace(/\d+\/faults/, `${new URL(url).port}/faults`), key)).status).toBe(404);
  });

  test('it ends at once although a request meets with a long delay', async () => {
    const demo = await start('--key', 'k', '--faults');
    const headers = { authorization: 'Bearer k' };
    const fault = JSON.stringify({ body: 'stalled', ms: 600_000 });
    await fetch(demo.faults ?? '', { method: 'POST', headers, body: fault });
    const response = await get(`${demo.url}/automations`, 'k');
    const cut = expect(response.text()).rejects.toThrow('terminated');
    const stopping = performance.now();
    demo.process.kill('SIGTERM');
    expect(await demo.ended).toMatchObject({ code: 0, stderr: '' });
    expect(performance.now() - stopping).toBeLessThan(5000); // It would wait ten seconds for requests in flight.
    await cut;
  });

  // Of all addresses it names one that can be opened.
  test.each([
    ['0.0.0.0', /^http:\/\/127\.0\.0\.1:\d+$/],
    ['::', /^http:\/\/\[::1\]:\d+$/],
  ])('on %s it says who can read it, and faults stay on loopback', async (host, address) => {
    const { url, key, faults, ...demo } = await start('--host', host, '--key', 'k', '--faults');
    expect(url).toMatch(address);
    expect(faults).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect((await get(`${url}/automations`, key)).status).toBe(200);
    demo.process.kill('SIGTERM');
    expect((await demo.ended).stderr).toBe(
      'WARNING: anyone who can reach this machine, at any of its addresses, can read these records with the key.\n',
    );
  });

  test.each(['127.0.0.2', '::1', 'localhost'])('on %s nobody is warned', async (host) => {
    const demo = await start('--host', host, '--key', 'k');
    expect((await get(`${demo.url}/automations`, 'k')).status).toBe(200);
    demo.process.kill('SIGTERM');
    expect((await demo.ended).stderr).toBe('');
  });
});

describe('is rejected', () => {
  const KNOWN = `Name files after their collections, with any ending: ${COMMAND_NAMES}.`;

  test.each([['a b'], [''], ['k\n'], ['=k'], ['ä'], ['x'.repeat(201)]])(
    'the key %j, which is not repeated',
    async (key) => {
      const ran = await folder.call(['demo', '--seed', '.', '--key', key]);
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).toBe(
        "error: option '--key <key>' is invalid. It must be 1 to 200 letters, digits or characters of -._~+/, with = at its end.\n" +
          'See: rollcall demo --help\n',
      );
    },
  );

  test.each([
    ['serve', '--key', 'k'],
    ['serve', '--faults'],
    ['serve', '--seed', '.'],
    ['keys', 'create', '--account', 'a', '--key', 'k'],
  ])('%s %s %s: only the demo has it', async (...argv) => {
    const ran = await folder.call(argv.filter((it) => typeof it === 'string'));
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(/^error: unknown option '--(key|faults|seed)'\n/);
  });

  test('a folder without records, or with a file of another name', async () => {
    const errorOf = async (seed: string): Promise<string> => {
      const ran = await folder.call(['demo', '--port', '0', '--seed', seed]);
      expect(ran).toMatchObject({ code: 1, stdout: '' });
      return ran.stderr;
    };
    mkdirSync(folder.path('empty'));
    expect(await errorOf('empty')).toBe(`rollcall: empty has no records. ${KNOWN}\n`);
    writeFileSync(folder.path('empty/automation.json'), '[]');
    expect(await errorOf('empty')).toBe(
      `rollcall: ${join('empty', 'automation.json')} has the name of no collection. ${KNOWN}\n`,
    );
  });

  test('a record that is not as the contract has it', async () => {
    cpSync(join(ROOT, 'server/samples'), folder.path('seed'), { recursive: true });
    const file = folder.path('seed/automations.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"enabled"', '"paused"'));
    const ran = await folder.call(['demo', '--port', '0', '--seed', 'seed']);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr.split('\n')).toEqual([
      `${join('seed', 'automations.json')}:5: /status: must be one of "enabled", "disabled"`,
      `${join('seed', 'automations.json')}: 1 of 251 records is bad; nothing of it was loaded`,
      'rollcall: The records of seed cannot be served; see above.',
      '',
    ]);
  });
});

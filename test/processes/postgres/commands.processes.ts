/** The command line on PostgreSQL, from nothing to a page. No output has the password. */
import { beforeEach, expect, test } from '@jest/globals';
import { contactImport } from '../../../server/testing/builders.ts';
import { afterTest } from '../../support/after-test.ts';
import { openFolder } from '../../support/cli.ts';
import type { Folder, Ran } from '../../support/cli.ts';
import { openDatabase } from '../../support/engine.ts';
import { PASSWORD } from '../../support/postgres.ts';
import { series } from '../../support/series.ts';

const records = series(30, contactImport);
const ndjson = records.map((it) => `${JSON.stringify(it)}\n`).join('');

let folder: Folder;
let address: string;
beforeEach(async () => {
  ({ address } = await openDatabase());
  folder = openFolder();
  afterTest(folder.remove);
});

async function run(argv: readonly string[], input = ''): Promise<Ran> {
  const ran = await folder.run([...argv, '--db', address], { input });
  expect(ran.stdout + ran.stderr).not.toContain(PASSWORD);
  return ran;
}

test('imports, serves, lists, exports, checks, upgrades and removes', async () => {
  const shown = address.replace(PASSWORD, '...');
  expect(await run(['import', 'contact-imports', '--account', 'acme'], ndjson)).toMatchObject({ code: 0, stderr: '' });

  const server = folder.start(['serve', '--port', '0'], { ROLLCALL_DB: address });
  const [, url = ''] = await server.printed(/Rollcall listens on (http\S+)\n/);
  const created = await run(['keys', 'create', '--account', 'acme']);
  const ask = (): Promise<Response> =>
    fetch(`${url}/contacts/imports?limit=20`, { headers: { authorization: `Bearer ${created.stdout.trim()}` } });
  expect(await (await ask()).json()).toEqual({ object: 'list', has_more: true, data: records.slice(0, 20) });
  const [, id = ''] = /^Key (\w+) /.exec(created.stderr) ?? [];
  expect((await run(['keys', 'revoke', id])).code).toBe(0);
  expect((await ask()).status).toBe(401); // At once.
  server.process.kill('SIGTERM');
  const { code, stderr } = await server.ended;
  expect(code).toBe(0);
  expect(stderr).toContain(`No key opens it yet. Create one: rollcall keys create --account NAME --db ${shown}\n`);
  expect(stderr).not.toContain(PASSWORD);

  const listed = await run(['keys', 'list', '--json']);
  expect(JSON.parse(listed.stdout)).toMatchObject([{ id, lastUsedAt: expect.any(String) as unknown }]);
  expect((await run(['export', 'contact-imports', '--account', 'acme'])).stdout).toBe(ndjson);
  expect(await run(['check'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${shown} is sound.\n`) as unknown,
  });
  expect(await run(['upgrade'])).toMatchObject({ code: 0, stderr: '' });
  expect((await run(['remove', 'contact-imports', '--account', 'acme', String(records[0]?.id)])).code).toBe(0);
  const stats = await run(['accounts', 'stats', '--json']);
  expect(JSON.parse(stats.stdout)).toContainEqual({
    account: 'acme',
    collection: 'contact-imports',
    records: 29,
    bytes: Buffer.byteLength(ndjson) - Buffer.byteLength(`${JSON.stringify(records[0])}\n`) - 29,
    newest: records[1]?.created_at,
    oldest: records[29]?.created_at,
  });
  expect((await run(['accounts', 'delete', 'acme', '--yes'])).code).toBe(0);
  expect(JSON.parse((await run(['accounts', 'list', '--json'])).stdout)).toEqual([]);
});

test('a backup is refused, and says what makes one', async () => {
  const { code, stderr } = await run(['backup', 'it.dump']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^rollcall: A PostgreSQL database is backed up by its own tools: pg_dump /);
});

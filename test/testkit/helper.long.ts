/** `testkit/helpers/rollcall.ts` in a suite of another team, which has copied it. Those in Python and Go: `npm run --prefix lab languages`. */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { folder } from '../support/own-folder.ts';
import { ROOT, must } from '../support/project.ts';
import { openShell } from '../support/shell.ts';

const SUITE = `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { automation, contactImport, contactProperty, createAccount } from './rollcall.ts';
import type { Account } from './rollcall.ts';

const get = ({ url, key }: Account, target: string): Promise<Response> =>
  fetch(url + target, { headers: { authorization: \`Bearer \${key}\` } });
const listed = async (account: Account, path: string): Promise<unknown> =>
  ((await (await get(account, path)).json()) as { data: unknown }).data;

test('records of each kind, those that are put, and requests', async (t) => {
  const automations = [automation({ status: 'disabled' }), automation()];
  const contactProperties = [contactProperty(), contactProperty({ type: 'number' })];
  const contactImports = ['queued', 'in_progress', 'completed', 'failed'].map((status) => contactImport({ status }));
  const account = await createAccount(t, { automations, contactProperties, contactImports });
  assert.deepEqual(await listed(account, '/automations'), automations);
  assert.deepEqual(await listed(account, '/contact-properties'), contactProperties);
  assert.deepEqual(await listed(account, '/contacts/imports'), contactImports);
  const oldest = automation();
  await account.put({ collection: 'automations', records: [oldest] });
  assert.deepEqual(await listed(account, '/automations'), [...automations, oldest]);
  assert.deepEqual((await account.requests()).map(({ status }) => status), [200, 200, 200, 200]);
});

test('faults, cues and scenarios of an account, and no other', async (t) => {
  const [first, second] = [automation(), automation()];
  const account = await createAccount(t, { automations: [first, second] });
  const others = [automation(), automation(), automation()];
  const other = await createAccount(t, { automations: others });
  await account.fail({ status: 429, retryAfter: 7 }, 2);
  for (const status of [429, 429, 200]) assert.equal((await get(account, '/automations')).status, status);
  const then = [{ remove: { collection: 'automations', ids: [first.id] } }];
  const cue = await account.cue({ when: { operation: 'listAutomations', nth: 2 }, then });
  assert.equal(await cue.fired(), 0);
  assert.deepEqual(await listed(account, '/automations'), [first, second]);
  assert.deepEqual(await listed(account, '/automations'), [second]);
  assert.equal(await cue.fired(), 1);
  const scenario = await other.scenario({ name: 'insert-at-head-while-paginating' });
  assert.deepEqual(await listed(other, '/automations'), others);
  assert.equal(((await listed(other, '/automations')) as unknown[]).length, 4);
  assert.equal(await scenario.fired(), 1);
});

test('an action that fails', async (t) => {
  const account = await createAccount(t, {});
  const { id } = contactImport();
  const cue = await account.cue({ when: {}, then: [{ moveImport: { id } }] });
  await get(account, '/automations');
  assert.deepEqual(await cue.errors(), [\`There is no contact import \${id}.\`]);
  const message = \`Cue 1 has fired, but its actions failed: There is no contact import \${id}.\`;
  await assert.rejects(cue.fired(), { message });
});
`;
const STRICT =
  '--noEmit --strict --noUncheckedIndexedAccess --verbatimModuleSyntax --allowImportingTsExtensions --skipLibCheck';

let suite: string;
beforeEach(() => {
  suite = folder.path('suite');
  mkdirSync(suite);
  writeFileSync(join(suite, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(suite, 'suite.ts'), SUITE);
  cpSync(join(ROOT, 'testkit/helpers/rollcall.ts'), join(suite, 'rollcall.ts'));
  symlinkSync(join(ROOT, 'node_modules'), join(suite, 'node_modules'));
});

test('it compiles with the types of the contract, and does what it says', () => {
  must(suite, 'openapi-typescript', join(ROOT, 'control.yaml'), '--output', 'control.ts');
  must(suite, 'tsc', ...STRICT.split(' '), '--types', 'node', '--module', 'nodenext', '--target', 'es2023', 'suite.ts');
  const { sh } = openShell(folder);
  // Nothing listens there, and nothing must ask it.
  const proxy = 'export http_proxy=http://127.0.0.1:9 NODE_USE_ENV_PROXY=1';
  const printed = sh(`${proxy}\ncd suite\n'${process.execPath}' --no-warnings --test --test-reporter=tap suite.ts`);
  expect(printed).toMatch(/^# pass 3$/m);
  expect(printed).toMatch(/^# fail 0$/m);
});

test.each(['/missing/rollcall', import.meta.dirname])(
  'without a command, as %s, it says what to install',
  (command) => {
    const { sh } = openShell(folder);
    const script = `cd suite\nROLLCALL='${command}' '${process.execPath}' --no-warnings --test --test-reporter=tap suite.ts`;
    expect(() => sh(script)).toThrow(/Install Rollcall: see its docs\/install\.md\./);
  },
);

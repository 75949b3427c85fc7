/**
 * The action for GitHub, `action.yml`: runs its steps as a runner does, with the packed package. A conforming server passes, and a server
 * with a fault fails; and so do lists.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { loadContract } from '../../contract/document.ts';
import { startRollcall } from '../../testkit/index.ts';
import { recordsOf, seeded } from '../../test/audit/conform/records.ts';
import { FAULTS } from '../../test/audit/lists/faults.ts';
import { startList } from '../../test/audit/lists/server.ts';
import { inReply } from '../../test/audit/mutants/mutant.ts';
import { startProxy } from '../../test/audit/mutants/proxy.ts';
import { ROOT, must } from '../../test/support/project.ts';
import { readAction, runAction } from './composite.ts';

const PATH = `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`;

const action = readAction(join(ROOT, 'action.yml'));
const workspace = mkdtempSync(join(tmpdir(), 'rollcall-action-'));
try {
  must(ROOT, 'npm', 'pack', '--silent', '--pack-destination', workspace); // It is built first.
  const tarball = readdirSync(workspace).find((name) => name.endsWith('.tgz')) ?? '';
  await using server = await startRollcall(seeded(recordsOf('own'), loadContract()));
  const other = await server.account(recordsOf('other', 30));
  const inputs = {
    'api-key': server.apiKey,
    'other-api-key': other.apiKey,
    tarball,
    args: '--seeded\n  --random-seed 1',
  };

  const green = await runAction(action, workspace, { ...inputs, 'base-url': server.url }, PATH);
  assert.equal(green.ok, true, green.output);
  assert.match(green.output, /^\d{3} rules passed, 0 failed, .*\.$/m);
  for (const key of [server.apiKey, other.apiKey]) assert.equal(green.output.includes(key), false);
  process.stdout.write('A conforming server passes.\n');

  const noVary = inReply(({ headers }) => {
    delete headers['vary'];
  });
  await using faulty = await startProxy(server.url, [server.apiKey, other.apiKey], [new Map(), new Map()], noVary);
  const red = await runAction(action, workspace, { ...inputs, 'base-url': faulty.url }, PATH);
  assert.equal(red.ok, false, red.output);
  assert.match(red.output, /^::error [^\n]*header\.vary/m);
  process.stdout.write('A server with a fault fails, with an annotation.\n');

  const profile = `headers: { Authorization: 'Bearer \${ROLLCALL_API_KEY}' }
lists: { automations: { url: /automations }, imports: { url: /contacts/imports } }
`;
  writeFileSync(join(workspace, 'lists.yaml'), profile);
  const given = { command: 'audit', tarball };
  const lists = { ...given, 'api-key': server.apiKey, args: '--profile lists.yaml --junit audit.xml' };
  const sound = await runAction(action, workspace, { ...lists, 'base-url': server.url }, PATH);
  assert.equal(sound.ok, true, sound.output);
  assert.match(sound.output, /^automations +\d+ +0 .* ok$/m);
  assert.equal(sound.output.includes(server.apiKey), false);
  assert.match(readFileSync(join(workspace, 'audit.xml'), 'utf8'), /<testsuite name="imports"/);

  const loses = FAULTS.find((it) => it.name === 'url: an item is lost with the maximum size');
  assert.ok(loses);
  await using lossy = await startList(loses.options);
  const lost = await runAction(action, workspace, { ...given, 'base-url': lossy.url }, PATH);
  assert.equal(lost.ok, false, lost.output);
  assert.match(lost.output, /^::error [^\n]*items\.missing/m);
  process.stdout.write('Sound lists pass, and one that loses items fails, with an annotation.\n');
} finally {
  rmSync(workspace, { recursive: true, force: true });
}

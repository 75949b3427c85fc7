/**
 * The action for GitHub, `action.yml`: runs its steps as a runner does, with the packed package. A conforming server passes, and a server
 * with a fault fails.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { loadContract } from '../../contract/document.ts';
import { startRollcall } from '../../testkit/index.ts';
import { recordsOf, seeded } from '../../test/audit/conform/records.ts';
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
  const inputs = { 'api-key': server.apiKey, 'api-key2': other.apiKey, tarball, args: '--seeded\n  --random-seed 1' };

  const green = await runAction(action, workspace, { ...inputs, 'base-url': server.url }, PATH);
  assert.equal(green.ok, true, green.output);
  assert.match(green.output, /^\d{3} rules passed, 0 failed, \d+ not checked\.$/m);
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
} finally {
  rmSync(workspace, { recursive: true, force: true });
}

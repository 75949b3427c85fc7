/**
 * The action for GitHub, `action.yml`: `npm run action`. Runs its steps as a runner does, with the packed package: a conforming
 * server must pass, a server with a fault must fail unless the fault is in the baseline, and every other mistake has a clear error.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { parse } from 'yaml';
import { freePort } from '../../server/http/listener.ts';
import { loadContract } from '../../server/contract/document.ts';
import { startRollcall } from '../../server/testing/index.ts';
import { recordsOf, seeded } from '../../test/conform/records.ts';
import { inReply } from '../../test/mutants/mutant.ts';
import { startProxy } from '../../test/mutants/proxy.ts';
import { onlyCodeBelow, textOf } from '../../test/support/docs.ts';
import { ROOT, must } from '../../test/support/project.ts';
import { readAction, runAction } from './composite.ts';
import type { StepsRan } from './composite.ts';

const HOST = '127.0.0.1';
const PATH = `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`;
const GREEN = /^\d{3} rules passed, 0 failed, \d+ not checked\.$/m;

const action = readAction(join(ROOT, 'action.yml'));
const [checkInputs, install, wait, conform] = action.runs.steps.map((it) => it.name);
const workspace = mkdtempSync(join(tmpdir(), 'rollcall-action-'));

/** Runs the action in the workspace. */
const act = (inputs: Readonly<Record<string, string>>, path = PATH): Promise<StepsRan> =>
  runAction(action, workspace, inputs, path);

/** Asserts that a run ends in a step with an exit code and an annotation. */
function assertFailure(
  { steps, code, log }: StepsRan,
  step: string | undefined,
  expected: number,
  error: RegExp,
): void {
  assert.deepEqual([steps.at(-1), code], [step, expected], log);
  assert.match(log, error);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The page has every input with its default, and its example runs as it stands, with a server, keys and a tarball that exist. */
async function checkPage(right: Readonly<Record<string, string>>): Promise<void> {
  const rows = [...textOf('docs/github-action.md').matchAll(/^\| `([\w-]+)` +\| ([^|]*?) +\|/gm)];
  const declared = Object.entries(action.inputs).map(([name, it]) => [
    name,
    it.required === true ? '(required)' : (it.default ?? ''),
  ]);
  assert.deepEqual(
    rows.map(([, name, value = '']) => [name, value.replaceAll('`', '').trim()]),
    declared,
  );

  const steps = parse(onlyCodeBelow('docs/github-action.md', 'GitHub action', 'yaml')) as {
    readonly uses?: string;
    readonly with?: Readonly<Record<string, string>>;
  }[];
  const pins = steps.flatMap((it) => it.uses ?? []).filter((it) => it.startsWith('actions/'));
  const workflows = textOf('.github/workflows/pull-request.yml');
  assert.deepEqual(
    pins.filter((it) => !workflows.includes(`uses: ${it} #`)),
    [],
  );
  const example = steps.find((it) => it.uses?.startsWith('rollcall-api/'))?.with ?? {};
  writeFileSync(join(workspace, example['baseline'] ?? ''), '');
  const { code, log } = await act({ ...example, ...right });
  assert.equal(code, 0, log);
  assert.match(log, GREEN);
  assert.match(readFileSync(join(workspace, 'conform.xml'), 'utf8'), /^<\?xml/);
  say('docs/github-action.md has every input, and its example passes');
}

/** Wrong inputs end in the first step, before anything is installed. */
async function checkWrongInputs(right: Readonly<Record<string, string>>): Promise<void> {
  const wrong: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
    [{ 'base-url': '' }, /::error title=rollcall conform::The input base-url is missing\.\n/],
    [{ 'base-url': '127.0.0.1:3000' }, /base-url must begin with http:\/\/ or https:\/\/: 127\.0\.0\.1:3000\n/],
    [{ 'api-key': '' }, /The input api-key is missing\./],
    [{ 'wait-seconds': '1m' }, /wait-seconds must be a number of at most four digits: 1m\n/],
    [{ tarball: 'no.tgz' }, /The tarball does not exist: no\.tgz\n/],
    [{ version: '1.0.0' }, /Set only one of the inputs tarball and version\./],
    [{ tarball: '' }, /Set the input tarball, or version to an exact version/],
    [{ tarball: '', version: 'latest' }, /version to an exact version, such as 1\.2\.3: latest\n/],
    [{ baseline: 'no%\nfile' }, /The baseline does not exist: no%25%0Afile\n/],
    // No input is code.
    [{ 'base-url': '$(touch injected)"; touch injected; "' }, /must begin with http/],
    [{ 'wait-seconds': 'a[$(touch injected)]' }, /must be a number/],
    [{ tarball: '$(touch injected)' }, /The tarball does not exist: \$\(touch injected\)\n/],
  ];
  for (const [inputs, error] of wrong) assertFailure(await act({ ...right, ...inputs }), checkInputs, 2, error);
  assert.equal(readdirSync(workspace).includes('injected'), false);

  const old = join(workspace, 'old');
  mkdirSync(old);
  writeFileSync(join(old, 'node'), '#!/bin/sh\necho v20.19.5\n', { mode: 0o755 });
  const error = /Node [\d.]+ or later is required, not v20\.19\.5\. Run actions\/setup-node first\.\n/;
  assertFailure(await act(right, `${old}${delimiter}${PATH}`), checkInputs, 2, error);
  say(`${String(wrong.length + 1)} wrong inputs have clear errors`);
}

try {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { engines: { node: string } };
  assert.equal(engines.node, `>=${action.runs.steps[0]?.env?.['FLOOR'] ?? ''}.0`);
  must(ROOT, 'npm', 'pack', '--silent', '--pack-destination', workspace); // It is built first.
  const tarball = readdirSync(workspace).find((it) => it.endsWith('.tgz')) ?? '';

  const contract = loadContract();
  await using server = await startRollcall(seeded(recordsOf('own'), contract));
  const other = await server.account(recordsOf('other', 30));
  const keys = [server.apiKey, other.apiKey] as const;
  const right = { 'base-url': server.url, 'api-key': keys[0], 'api-key2': keys[1], tarball };
  await checkWrongInputs(right);

  await checkPage(right);
  const green = await act({ ...right, args: '--seeded\n  --random-seed 1' });
  assert.equal(green.code, 0, green.log);
  assert.match(green.log, GREEN);
  assert.deepEqual(green.steps, [checkInputs, install, wait, conform]);
  assert.deepEqual(green.outputs, { 'exit-code': '0' });
  for (const key of keys) assert.equal(green.log.includes(key), false);
  say('A conforming server passes');

  const noVary = inReply(({ headers }) => {
    delete headers['vary'];
  });
  await using faulty = await startProxy(server.url, [keys[0], keys[1]], [new Map(), new Map()], noVary);
  const red = await act({ ...right, 'base-url': faulty.url });
  assertFailure(red, conform, 1, /^::error [^\n]*header\.vary/m);
  assert.deepEqual(red.outputs, { 'exit-code': '1' });
  say('A server with a fault fails, with an annotation');

  mkdirSync(join(workspace, 'known'));
  writeFileSync(join(workspace, 'known/failures.txt'), 'every response header.vary\n');
  const inFolder = { ...right, 'working-directory': 'known', tarball: `../${tarball}`, baseline: 'failures.txt' };
  const known = await act({ ...inFolder, 'base-url': faulty.url, args: '--strict-baseline' });
  assert.deepEqual([known.code, known.outputs], [0, { 'exit-code': '0' }], known.log);
  const fixed = await act({ ...inFolder, args: '--strict-baseline' });
  assertFailure(fixed, conform, 1, /1 known failure passed/);
  say('The baseline accepts the fault, and reports when it is fixed');

  const nowhere = `http://${HOST}:${String(await freePort({ host: HOST, port: 0 }))}`;
  const none = await act({ ...right, 'base-url': nowhere, 'wait-seconds': '1' });
  assertFailure(
    none,
    wait,
    3,
    /::error title=rollcall conform::The server did not respond within 1 seconds: curl: \(7\)/,
  );
  assert.deepEqual(none.outputs, { 'exit-code': '' });
  say('Without a server, the wait ends with an error');

  const rejected = await act({ ...right, 'api-key': `${keys[0].slice(0, -4)}0000` });
  assertFailure(rejected, conform, 3, /401|key/);
  say('A rejected key ends with exit code 3');
} finally {
  rmSync(workspace, { recursive: true, force: true });
}

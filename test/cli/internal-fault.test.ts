/** A fault of this program while a response is read: the run ends with 3, with what was found so far, and asks for a report. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { RULES } from '../../audit/lists/audit.ts';
import { Target } from '../../audit/conform/target.ts';
import { open } from '../audit/conform/target.ts';
import { openTestApp } from '../support/app.ts';
import type { Ran } from '../support/cli.ts';
import { folder } from '../support/own-folder.ts';
import { audit, start, startFaulty } from './lists.ts';

const KEY = 'A-key-of-mine-0123456789';
/** @param shown what stands for the key. */
const askedWith = (shown: string): string =>
  `This command failed on a response: Maximum call stack size exceeded: ${shown}. Please report this, with what ROLLCALL_DEBUG=1 prints: https://github.com/rollcall-api/rollcall/issues`;
const ASKED = askedWith('…');
const ASKED_BY_CONFORM = askedWith('<key>');
/** What V8 throws, with what a server has said. */
const faultWith = (key: string): RangeError => new RangeError(`Maximum call stack size exceeded: ${key}`);

afterEach(() => {
  jest.restoreAllMocks();
});

/** Has a rule of `audit` fail in our own code. */
function breakRule(id: string): void {
  const rule = RULES.find((it) => it.id === id);
  if (rule === undefined) throw new Error(`there is no rule ${id}`);
  jest.spyOn(rule, 'check').mockRejectedValue(faultWith(KEY));
}
const idsIn = (ran: Ran): readonly string[] =>
  (JSON.parse(ran.stdout) as { readonly results: readonly { readonly rule: string }[] }).results.map((it) => it.rule);
const HEADER = `--header=X-Key: ${KEY}`;

describe('audit', () => {
  test('prints what was found so far, writes its reports, and one line that asks for a report', async () => {
    breakRule('link.origin');
    const url = await start({ style: 'token' });
    const ran = await audit(url, HEADER, '--junit=junit.xml', '--github');
    expect([ran.code, ran.stderr.split('\n').slice(1)]).toEqual([
      3,
      [`rollcall: The list could not be audited. ${ASKED}`, ''],
    ]);
    expect(ran.stdout).toMatch(/^120 items in `items`, .*\n[^]*\n\d+ passed, 0 failed, /);
    const junit = readFileSync(folder.path('junit.xml'), 'utf8');
    expect(junit).toContain('name="end.never"');
    expect(junit).toContain(ASKED);
    for (const text of [ran.stdout, ran.stderr, junit]) expect(text).not.toContain(KEY);
  });

  test('has the results in its JSON', async () => {
    breakRule('link.origin');
    const ran = await audit(await start({ style: 'token' }), HEADER, '--json');
    expect(ran.code).toBe(3);
    expect(JSON.parse(ran.stdout)).toMatchObject({ failed: 0, untestable: ASKED });
    expect(idsIn(ran)).toContain('end.never');
    expect(ran.stdout + ran.stderr).not.toContain(KEY);
  });

  test('ends with 1 if a rule has failed before', async () => {
    breakRule('link.origin');
    const ran = await audit(await startFaulty(), HEADER);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(`The audit was aborted: ${ASKED}`);
  });

  test('prints the details on request', async () => {
    breakRule('end.never');
    const ran = await folder.call(['audit', await start({ style: 'token' })], { env: { ROLLCALL_DEBUG: '1' } });
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('RangeError: Maximum call stack size exceeded');
  });
});

test('conform prints what was found so far, writes its reports, and one line that asks for a report', async () => {
  const { url, key } = await open(await openTestApp());
  jest.spyOn(Target.prototype, 'items').mockRejectedValue(faultWith(key));
  const argv = ['conform', url, `--key=${key}`, '--only=listAutomations'];
  const ran = await folder.call([...argv, '--junit=junit.xml']);
  expect([ran.code, ran.stderr]).toEqual([3, `rollcall: ${url} could not be tested. ${ASKED_BY_CONFORM}\n`]);
  expect(ran.stdout).toContain('operation.exists');
  const junit = readFileSync(folder.path('junit.xml'), 'utf8');
  expect(junit).toContain('operation.exists');
  const json = await folder.call([...argv, '--json']);
  expect(json.code).toBe(3);
  expect(JSON.parse(json.stdout)).toMatchObject({ untestable: ASKED_BY_CONFORM });
  expect(idsIn(json)).toEqual(['operation.exists']);
  for (const text of [ran.stdout, ran.stderr, junit, json.stdout]) expect(text).not.toContain(key);
});

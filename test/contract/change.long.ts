/** No change of the contract lands under a smaller step of its version than it needs. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { differenceOf, judge } from '../../scripts/contract-change.ts';
import type { Change } from '../../scripts/contract-change.ts';

const CHECK = fileURLToPath(new URL('../../scripts/contract-change.ts', import.meta.url));
const CONTRACT = readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8').replace(
  /^ {2}version: .*$/m,
  '  version: 1.4.2',
);
const folder = mkdtempSync(join(tmpdir(), 'change-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function written(name: string, contract: string): string {
  const path = join(folder, name);
  writeFileSync(path, contract);
  return path;
}
const released = written('released.yaml', CONTRACT);

type Edit = readonly [part: string | RegExp, instead: string];

/** The contract with parts of it written otherwise. */
function injected(edits: readonly Edit[]): string {
  return edits.reduce((contract, [part, instead]) => {
    const changed = contract.replace(part, () => instead);
    if (changed === contract) throw new Error(`The contract has no ${String(part)}`);
    return changed;
  }, CONTRACT);
}

type Case = readonly [name: string, said: string, ...edits: readonly Edit[]];
type Found = readonly [name: string, said: string, changes: () => readonly Change[]];

/** Cases in one contract, which is compared once: a comparison takes half a second. Each comes with all that was changed. */
function together(cases: readonly Case[], base = (): string => released): readonly Found[] {
  let changes: readonly Change[] | undefined;
  const edited = (): string => written('current.yaml', injected(cases.flatMap(([, , ...edits]) => edits)));
  const find = (): readonly Change[] => (changes ??= differenceOf(base(), edited()).changes);
  return cases.map(([name, said]) => [name, said, find]);
}

const VERSIONS = ['1.4.2', '1.4.3', '1.5.0', '2.0.0'];
const judgeAs = (revision: string, changes: readonly Change[]): ReturnType<typeof judge> =>
  judge({ changes, infoVersions: { base: '1.4.2', revision } });

/** @returns which versions are accepted for the changes that something is said of, and all that is said of these. */
function judged(said: string, all: readonly Change[]): { accepted: readonly string[]; text: string } {
  const changes = all.filter((it) => judgeAs('1.4.2', [it]).text.includes(said));
  expect(changes).not.toEqual([]);
  return { accepted: VERSIONS.filter((it) => judgeAs(it, changes).accepted), text: judgeAs('1.4.2', changes).text };
}

const REQUIRED = 'required: [id, name, status, created_at, updated_at]';
const UPDATED_AT = "        updated_at: { $ref: '#/components/schemas/Timestamp' }\n";
const STATUS = "        - $ref: '#/components/parameters/AutomationStatusFilter'\n";
const LIMIT = 'maximum: 100, default: 20';
const DEPRECATED = 'deprecated: true';
const after = (part: string, added: string): Edit => [part, `${part}${added}`];
const parameter = (required: boolean): readonly Edit[] => {
  const team = `    Team: { name: team, in: query, required: ${String(required)}, schema: { type: string } }\n`;
  return [after(STATUS, "        - $ref: '#/components/parameters/Team'\n"), after('\n  parameters:\n', team)];
};

const BREAKS: readonly Case[] = [
  ['a narrowed limit', "from '<= 100' to '<= 50'", [LIMIT, 'maximum: 50, default: 20']],
  ['a renamed path', '`/contact-properties` was renamed', ['  /contact-properties:', '  /properties:']],
  ['a removed enum value', "lost values: 'failed'", ['in_progress, completed, failed]', 'in_progress, completed]']],
  ['a new required parameter', 'Required `team` query parameter was added', ...parameter(true)],
  // What Redocly lets pass, or calls by another name than this project.
  ['another error name', "'conflict'", after('- service_unavailable\n', '        - conflict\n')],
  ['an error name of another status', '`x-problem-names`', ['[missing_api_key, invalid_api_key]', '[missing_api_key]']],
  ['another status in an answer', "'paused'", ['enum: [enabled, disabled]', 'enum: [enabled, disabled, paused]']],
  ['another operation id', '`operationId`', ['operationId: listAutomations', 'operationId: automations']],
  ['another schema name', '"FallbackValue"', [/\bFallbackValue\b/g, 'Fallback']],
  ['another tag', '`tags`', [/\bContact imports$/gm, 'Imports'], [/tags: \[Contact imports\]/g, 'tags: [Imports]']],
  ['a header not always sent', '`required` of Header', ['path supports.\n      required: true', 'path supports.']],
  ['a key no longer asked for', 'SecurityRequirement was removed', ['security:\n  - bearerKey: []', 'security: []']],
];
/** Other edits of the same places. */
const OTHER_BREAKS: readonly Case[] = [
  [
    'a property no longer required',
    'no longer required: `updated_at`',
    [REQUIRED, REQUIRED.replace(', updated_at', '')],
  ],
  ['a removed error name', '/ProblemName/enum', ['        - service_unavailable\n', '']],
  ['another default', '`default`', ['default: 20', 'default: 30']],
  ['an object without room', '`additionalProperties`', ['additionalProperties: true', 'additionalProperties: false']],
];

test.each([...together(BREAKS), ...together(OTHER_BREAKS)])('%s needs a major step', (_, said, changes) => {
  const { accepted, text } = judged(said, changes());
  expect(accepted).toEqual(['2.0.0']);
  expect(text).toMatch(/^major: .*\n +\S+\.yaml:\d+ #\//m);
  expect(text).toMatch(/still 1\.4\.2, but these changes require a major step/);
});

const REMOVALS: readonly Case[] = [
  [
    'a property',
    'Property `updated_at` of `Automation` was removed',
    [UPDATED_AT, ''],
    [REQUIRED, REQUIRED.replace(', updated_at', '')],
  ],
  [
    'an operation and its path',
    '/contacts/imports/{id}` was removed',
    [/  \/contacts\/imports\/\{id\}:\n[^]*?(?=\n(?:components:| {2}\/))/, ''],
  ],
  ['a parameter', '`status` query parameter was removed', [STATUS, '']],
  ['a header', 'Access-Control-Expose-Headers', [/        Access-Control-Expose-Headers: .*\n/g, '']],
];
/** How they are marked before. */
const MARKS: readonly Edit[] = [
  [UPDATED_AT, `        updated_at: { type: string, maxLength: 32, ${DEPRECATED} }\n`],
  after('      operationId: getContactImport\n', `      ${DEPRECATED}\n`),
  after('    AutomationStatusFilter:\n', `      ${DEPRECATED}\n`),
  after('    ExposeHeaders:\n', `      ${DEPRECATED}\n`),
];

describe('a removal', () => {
  test.each(together(REMOVALS, () => written('base.yaml', injected(MARKS))))(
    'of %s needs a major step, once a release has announced it',
    (_, said, changes) => {
      const { accepted, text } = judged(said, changes());
      expect(accepted).toEqual(['2.0.0']);
      expect(text).not.toContain('Not announced');
    },
  );

  test.each(together(REMOVALS))('of %s is accepted under no version if none has', (_, said, changes) => {
    const { accepted, text } = judged(said, changes());
    expect(accepted).toEqual([]);
    expect(text).toMatch(/^Not announced: .* First release a contract that marks it `deprecated: true`\.$/m);
  });
});

const ADDITIONS: readonly Case[] = [
  ['an optional parameter', '~1automations/get/parameters/4', ...parameter(false)],
  [
    'a response property',
    '/Automation/properties/run_at',
    after(UPDATED_AT, UPDATED_AT.replace('updated_at', 'run_at')),
    [REQUIRED, REQUIRED.replace(']', ', run_at]')],
  ],
  ['a wider limit', 'from 100 to 200', [LIMIT, 'maximum: 200, default: 20']],
  ['a deprecation', '`deprecated`', after('operationId: listAutomations\n', `      ${DEPRECATED}\n`)],
];
const WORDS: readonly Case[] = [
  [
    'a description',
    '/name/description',
    ['The name of the automation. Can', 'The name of the automation, as its owner gave it. Can'],
  ],
  ['an example', '/name/example', ['example: Welcome series', 'example: Farewell series']],
];
const compatible = together([...ADDITIONS, ...WORDS]);

test.each(compatible.slice(0, ADDITIONS.length))('%s needs a minor step', (_, said, changes) => {
  const { accepted, text } = judged(said, changes());
  expect(accepted).toEqual(['1.5.0', '2.0.0']);
  expect(judged('', changes()).accepted).toEqual(accepted);
  expect(text).toMatch(/still 1\.4\.2, but these changes require a minor step/);
});

test.each(compatible.slice(ADDITIONS.length))('%s needs none: words are free', (_, said, changes) => {
  const { accepted, text } = judged(said, changes());
  expect(accepted).toEqual(VERSIONS);
  expect(text).toMatch(/^patch: .*changed from/);
});

test('a version does not go back, and has three numbers', () => {
  const from = (base: string, revision: string) => () => judge({ changes: [], infoVersions: { base, revision } });
  expect(from('1.4.2', '1.3.9')).toThrow('must not decrease, but it changes from 1.4.2 to 1.3.9');
  expect(from('1.9.0', '1.10.0')).not.toThrow();
  expect(from('1.4.2', '1.5')).toThrow('Invalid version, not three numbers: 1.5');
});

describe('the command', () => {
  const run = (current: string): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, [CHECK, released, current], { encoding: 'utf8' });
  const narrowed = (version: string): string =>
    injected([[LIMIT, 'maximum: 50, default: 20']]).replace('version: 1.4.2', `version: ${version}`);

  test.each<[string, string, number, string]>([
    ['the same contract', CONTRACT, 0, 'sufficient'],
    ['a break under a minor step', narrowed('1.5.0'), 1, '1.4.2 to 1.5.0 is a minor step, but'],
    ['a break under a major step', narrowed('2.0.0'), 0, '1.4.2 to 2.0.0 is a major step, which is sufficient'],
  ])('%s', (_, current, status, said) => {
    const ran = run(written('command.yaml', current));
    expect(ran).toMatchObject({ status, stderr: '' });
    expect(ran.stdout).toContain(said);
  });

  test('a contract that cannot be read is no pass', () => {
    expect(run(join(folder, 'none.yaml'))).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('redocly diff failed') as unknown,
    });
  });
});

/** No change of the contract lands under a smaller step of its version than it needs. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { differenceOf, judge } from '../../scripts/contract-change.ts';
import type { Change } from '../../scripts/contract-change.ts';
import '../support/slow.ts';

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

type Case = readonly [name: string, edits: readonly Edit[], said: string];

/** Cases in one contract, which is compared once: a comparison takes half a second. Each comes with all that was changed. */
function together(...cases: readonly Case[]): readonly [...Case, changes: () => readonly Change[]][] {
  let changes: readonly Change[] | undefined;
  const edited = (): string => written('current.yaml', injected(cases.flatMap(([, edits]) => edits)));
  const find = (): readonly Change[] => (changes ??= differenceOf(released, edited()).changes);
  return cases.map((it) => [...it, find]);
}

/** Which versions are accepted for a contract that was released as 1.4.2 and changed, and what is said of it. */
function judged(changes: readonly Change[]): { accepted: readonly string[]; text: string } {
  const of = (version: string): ReturnType<typeof judge> =>
    judge({ changes, infoVersions: { base: '1.4.2', revision: version } });
  const accepted = ['1.4.2', '1.4.3', '1.5.0', '2.0.0'].filter((it) => of(it).accepted);
  return { accepted, text: of('1.4.2').text };
}
/** @returns the changes of which something is said. */
const about = (said: string, changes: readonly Change[]): readonly Change[] =>
  changes.filter((it) => judged([it]).text.includes(said));

const REQUIRED = 'required: [id, name, status, created_at, updated_at]';
const UPDATED_AT = "        updated_at: { $ref: '#/components/schemas/Timestamp' }\n";
const STATUS = "        - $ref: '#/components/parameters/AutomationStatusFilter'\n";
const parameter = (required: boolean): readonly Edit[] => [
  [STATUS, `${STATUS}        - $ref: '#/components/parameters/Team'\n`],
  [
    '    ContactImportId:\n',
    `    Team: { name: team, in: query, required: ${String(required)}, schema: { type: string } }\n    ContactImportId:\n`,
  ],
];

describe('what breaks a client needs a major step', () => {
  test.each([
    ...together(
      ['a narrowed limit', [['maximum: 100, default: 20', 'maximum: 50, default: 20']], "from '<= 100' to '<= 50'"],
      ['a renamed path', [['  /contact-properties:', '  /properties:']], '`/contact-properties` was renamed'],
      [
        'a removed enum value',
        [['in_progress, completed, failed]', 'in_progress, completed]']],
        "lost values: 'failed'",
      ],
      ['a new required parameter', parameter(true), 'Required `team` query parameter was added'],
      // What Redocly lets pass, or calls by another name than this project.
      [
        'another error name',
        [['- service_unavailable\n', '- service_unavailable\n        - conflict\n']],
        "'conflict'",
      ],
      [
        'an error name of another status',
        [['x-problem-names: [missing_api_key, invalid_api_key]', 'x-problem-names: [missing_api_key]']],
        '`x-problem-names`',
      ],
      ['another status in an answer', [['enum: [enabled, disabled]', 'enum: [enabled, disabled, paused]']], "'paused'"],
      ['another operation id', [['operationId: listAutomations', 'operationId: automations']], '`operationId`'],
      ['another schema name', [[/\bFallbackValue\b/g, 'Fallback']], '"FallbackValue"'],
      [
        'another tag',
        [
          [/\bContact imports$/gm, 'Imports'],
          [/tags: \[Contact imports\]/g, 'tags: [Imports]'],
        ],
        '`tags`',
      ],
      [
        'a header not always sent',
        [['path answers to.\n      required: true', 'path answers to.']],
        '`required` of Header',
      ],
      [
        'a key no longer asked for',
        [['security:\n  - bearerKey: []', 'security: []']],
        'SecurityRequirement was removed',
      ],
    ),
    ...together(
      [
        'a property no longer required',
        [[REQUIRED, 'required: [id, name, status, created_at]']],
        'no longer required: `updated_at`',
      ],
      ['a removed error name', [['        - service_unavailable\n', '']], '/ProblemName/enum'],
      ['another default', [['default: 20', 'default: 30']], '`default`'],
    ),
    ...together(
      ['an error name in place of another', [['- service_unavailable\n', '- conflict\n']], '/ProblemName/enum'],
      [
        'an object without room',
        [['additionalProperties: true', 'additionalProperties: false']],
        '`additionalProperties`',
      ],
    ),
  ])('%s', (_, _edits, said, changes) => {
    const { accepted, text } = judged(about(said, changes()));
    expect(accepted).toEqual(['2.0.0']);
    expect(text).toMatch(/^major: .*\n +\S+\.yaml:\d+ #\//m);
    expect(text).toMatch(/still 1\.4\.2, but these changes need a major step/);
  });
});

const DEPRECATED = 'deprecated: true';
const after = (part: string, added: string): Edit => [part, `${part}${added}`];
/** What is removed, how it is marked before, and what the removal is called. */
const REMOVALS: readonly (readonly [name: string, mark: Edit, removal: readonly Edit[], said: string])[] = [
  [
    'a property',
    [UPDATED_AT, `        updated_at: { type: string, maxLength: 32, ${DEPRECATED} }\n`],
    [
      [/        updated_at: .*\n/, ''],
      [REQUIRED, 'required: [id, name, status, created_at]'],
    ],
    'Property `updated_at` of `Automation` was removed',
  ],
  [
    'an operation and its path',
    after('      operationId: getContactImport\n', `      ${DEPRECATED}\n`),
    [[/  \/contacts\/imports\/\{id\}:\n[^]*?(?=\n(?:components:| {2}\/))/, '']],
    '/contacts/imports/{id}` was removed',
  ],
  [
    'a parameter',
    after('    AutomationStatusFilter:\n', `      ${DEPRECATED}\n`),
    [[STATUS, '']],
    '`status` query parameter was removed',
  ],
  [
    'a header',
    after('    ExposeHeaders:\n', `      ${DEPRECATED}\n`),
    [[/        Access-Control-Expose-Headers: .*\n/g, '']],
    'Access-Control-Expose-Headers',
  ],
];

describe.each(REMOVALS)('the removal of %s', (_, mark, removal, said) => {
  const judgedFrom = (base: string): ReturnType<typeof judged> => {
    const current = removal.reduce((contract, [part, instead]) => contract.replace(part, () => instead), base);
    return judged(differenceOf(written('base.yaml', base), written('current.yaml', current)).changes);
  };

  test('needs a major step, once a release has announced it', () => {
    const { accepted, text } = judgedFrom(injected([mark]));
    expect(accepted).toEqual(['2.0.0']);
    expect(text).toContain(said);
    expect(text).not.toContain('Not announced');
  });

  test('is accepted under no version if none has', () => {
    const { accepted, text } = judgedFrom(CONTRACT);
    expect(accepted).toEqual([]);
    expect(text).toMatch(/^Not announced: .* Release a contract first that has it with `deprecated: true`\.$/m);
    expect(text).toContain(said);
  });
});

describe('what adds to the contract needs a minor step', () => {
  test.each(
    together(
      ['an optional parameter', parameter(false), '~1automations/get/parameters/4'],
      [
        'a response property',
        [
          [UPDATED_AT, `${UPDATED_AT}${UPDATED_AT.replace('updated_at', 'run_at')}`],
          [REQUIRED, REQUIRED.replace(']', ', run_at]')],
        ],
        '/Automation/properties/run_at',
      ],
      ['a wider limit', [['maximum: 100, default: 20', 'maximum: 200, default: 20']], 'from 100 to 200'],
      [
        'a deprecation',
        [['operationId: listAutomations', 'operationId: listAutomations\n      deprecated: true']],
        '`deprecated`',
      ],
    ),
  )('%s', (_, _edits, said, changes) => {
    const { accepted, text } = judged(about(said, changes()));
    expect(accepted).toEqual(['1.5.0', '2.0.0']);
    expect(judged(changes()).accepted).toEqual(accepted);
    expect(text).toMatch(/still 1\.4\.2, but these changes need a minor step/);
  });
});

describe('words are free', () => {
  test.each(
    together(
      ['a description', [['The name its owner gave it.', 'The name that its owner gave it.']], '/name/description'],
      ['an example', [['example: Welcome series', 'example: Farewell series']], '/name/example'],
    ),
  )('%s', (_, _edits, said, changes) => {
    expect(judged(changes()).accepted).toEqual(['1.4.2', '1.4.3', '1.5.0', '2.0.0']);
    expect(judged(about(said, changes())).text).toMatch(/^patch: .*changed from/);
  });
});

test('a version does not go back, and has three numbers', () => {
  const from = (base: string, revision: string) => () => judge({ changes: [], infoVersions: { base, revision } });
  expect(from('1.4.2', '1.3.9')).toThrow('goes back from 1.4.2 to 1.3.9');
  expect(from('1.9.0', '1.10.0')).not.toThrow();
  expect(from('1.4.2', '1.5')).toThrow('Not a version of three numbers: 1.5');
});

describe('the command', () => {
  const run = (current: string): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, [CHECK, released, current], { encoding: 'utf8' });
  const narrowed: Edit = ['maximum: 100, default: 20', 'maximum: 50, default: 20'];

  test.each<[string, string, number, string]>([
    ['the same contract', '1.4.2', 0, 'enough'],
    ['a break under the same version', '1.4.2', 1, 'still 1.4.2'],
    ['a break under a minor step', '1.5.0', 1, '1.4.2 to 1.5.0 is a minor step, but'],
    ['a break under a major step', '2.0.0', 0, '1.4.2 to 2.0.0 is a major step, which is enough'],
  ])('%s', (name, version, status, said) => {
    const edits: readonly Edit[] = name === 'the same contract' ? [] : [narrowed];
    const current = injected(edits).replace('version: 1.4.2', `version: ${version}`);
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

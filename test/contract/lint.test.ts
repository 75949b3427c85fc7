/** The linters of the contract can fail: each names the fault planted for it. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CONTRACT = readFileSync(join(ROOT, 'openapi.yaml'), 'utf8');

// Configurations, tools and contract lie as they do in the project: what is waived is waived by the path to it.
const folder = mkdtempSync(join(tmpdir(), 'lint-'));
beforeAll(() => {
  mkdirSync(join(folder, '.ci'));
  for (const it of ['redocly.yaml', 'spectral.yaml']) cpSync(join(ROOT, '.ci', it), join(folder, '.ci', it));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Linted {
  readonly status: number | null;
  /** The names of the rules that the contract breaks. */
  readonly broken: readonly string[];
}
type Lint = (contract: string) => Linted;

const redocly: Lint = (contract) => {
  const { status, stdout } = run(contract, '@redocly/cli/bin/cli.js', ['lint', '--config', '.ci/redocly.yaml']);
  const { problems } = JSON.parse(stdout) as { problems: readonly { ruleId: string }[] };
  return { status, broken: problems.map((it) => it.ruleId) };
};

const spectral: Lint = (contract) => {
  const argv = ['lint', '--ruleset', '.ci/spectral.yaml', '--fail-severity', 'hint', '--quiet'];
  const { status, stdout } = run(contract, '@stoplight/spectral-cli/dist/index.js', argv);
  return { status, broken: (JSON.parse(stdout) as readonly { code: string }[]).map((it) => it.code) };
};

function run(contract: string, tool: string, argv: readonly string[]): { status: number | null; stdout: string } {
  writeFileSync(join(folder, 'openapi.yaml'), contract);
  const command = [join(ROOT, 'node_modules', tool), ...argv, '--format', 'json', 'openapi.yaml'];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8', env });
}

/** The contract with one part of it written otherwise. */
function planted(part: string, instead: string): string {
  if (!CONTRACT.includes(part)) throw new Error(`The contract has no ${part}`);
  return CONTRACT.replace(part, () => instead);
}

test.each([
  ['redocly', redocly],
  ['spectral', spectral],
])('%s finds nothing in the contract', (_, lint) => {
  expect(lint(CONTRACT)).toEqual({ status: 0, broken: [] });
});

describe('a planted fault is named', () => {
  test('by Redocly: an operation without a summary', () => {
    const faulty = planted('      summary: List automations\n', '');
    expect(redocly(faulty)).toEqual({ status: 1, broken: ['operation-summary'] });
  });

  test('by spectral:oas: an example that its schema refuses', () => {
    const faulty = planted('example: Welcome series', 'example: 1');
    expect(spectral(faulty)).toEqual({ status: 1, broken: ['oas3-valid-schema-example'] });
  });

  test('by the OWASP ruleset: a number without an end', () => {
    const faulty = planted('minimum: 1, maximum: 100, default: 20', 'minimum: 1, default: 20');
    expect(spectral(faulty)).toEqual({ status: 1, broken: ['owasp:api4:2023-integer-limit-legacy'] });
  });

  test('by the OWASP ruleset: a string without an end, where another rule is waived', () => {
    const faulty = planted('          maxLength: 10000\n', '');
    expect(spectral(faulty)).toEqual({ status: 1, broken: ['owasp:api4:2023-string-limit'] });
  });
});

/** The linters of the contract can fail: each names the fault injected for it, and no other. `npm run check -- contract` runs them on it. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CONTRACT = readFileSync(join(ROOT, 'openapi.yaml'), 'utf8');

// Configurations, tools and contract lie as they do in the project: what is waived is waived by the path to it.
const folder = mkdtempSync(join(tmpdir(), 'lint-'));
beforeAll(() => {
  for (const it of ['redocly.yaml', '.spectral.yaml']) cpSync(join(ROOT, it), join(folder, it));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Linted {
  readonly status: number | null;
  /** The names of the rules that the contract breaks; of Spectral's, also where. */
  readonly broken: readonly string[];
}
type Lint = (contract: string) => Linted;

const redocly: Lint = (contract) => {
  const { status, stdout } = run(contract, '@redocly/cli/bin/cli.js', ['lint']);
  const { problems } = JSON.parse(stdout) as { problems: readonly { ruleId: string }[] };
  return { status, broken: problems.map((it) => it.ruleId) };
};

const spectral: Lint = (contract) => {
  const argv = ['lint', '--fail-severity', 'hint', '--quiet'];
  const { status, stdout } = run(contract, '@stoplight/spectral-cli/dist/index.js', argv);
  const broken = JSON.parse(stdout) as readonly { code: string; path: readonly string[] }[];
  return { status, broken: broken.map(({ code, path }) => `${code}: ${path.join('/')}`) };
};

function run(contract: string, tool: string, argv: readonly string[]): { status: number | null; stdout: string } {
  writeFileSync(join(folder, 'openapi.yaml'), contract);
  const command = [join(ROOT, 'node_modules', tool), ...argv, '--format', 'json', 'openapi.yaml'];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8', env });
}

/** The contract with parts of it written otherwise. */
function injected(...edits: readonly (readonly [part: string, instead: string])[]): string {
  return edits.reduce((contract, [part, instead]) => {
    if (!contract.includes(part)) throw new Error(`The contract has no ${part}`);
    return contract.replace(part, () => instead);
  }, CONTRACT);
}

describe('an injected fault is named', () => {
  test('by Redocly: an operation without a summary', () => {
    const faulty = injected(['      summary: List automations\n', '']);
    expect(redocly(faulty)).toEqual({ status: 1, broken: ['operation-summary'] });
  });

  // In one contract: each start of Spectral takes seconds.
  test('by Spectral: an example that its schema rejects, a silent deprecation, and by OWASP’s rules what is not bounded', () => {
    const faulty = injected(
      ['example: Welcome series', 'example: 1'],
      ['minimum: 1, maximum: 100, default: 20', 'minimum: 1, default: 20'],
      ['          maxLength: 10000\n', ''], // Where another rule is waived.
      ['          maxItems: 100\n', ''],
      ['format: int32, minimum: 1, maximum: 100, default: 10', 'minimum: 1, maximum: 100, default: 10'],
      ['      operationId: getContactImport\n', '      operationId: getContactImport\n      deprecated: true\n'],
    );
    const responses = [
      ...['ContactImportFound', 'NotModified', 'Unauthorized', 'NotFound', 'UnprocessableContent'],
      ...['TooManyRequests', 'InternalServerError', 'ServiceUnavailable'],
    ];
    expect(spectral(faulty)).toEqual({
      status: 1,
      broken: [
        'owasp:api4:2023-integer-limit-legacy: components/parameters/Limit/schema',
        'owasp:api4:2023-integer-format: components/parameters/ContactImportsLimit/schema',
        'oas3-valid-schema-example: components/schemas/Automation/properties/name/example',
        'owasp:api4:2023-array-limit: components/schemas/AutomationList/properties/data',
        'owasp:api4:2023-string-limit: components/schemas/FallbackValue/oneOf/0',
        ...responses.map((it) => `announce-deprecation: components/responses/${it}/headers`),
      ],
    });
  });
});

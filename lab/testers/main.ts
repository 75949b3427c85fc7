/**
 * Schemathesis against Rollcall; `--examples N` changes how many examples of each operation it tries. It generates requests, valid and
 * invalid ones, and makes every check it has of responses. It must be green with the contract, and red with every copy of it that has a
 * fault: a hook or an option that leaves nothing to check would be green too.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadContract } from '../../contract/document.ts';
import { startRollcall } from '../../testkit/index.ts';
import { records } from '../codegen/records.ts';
import { seeded } from '../../test/audit/conform/records.ts';
import { onlyCodeBelow } from '../../test/support/docs.ts';
import { ROOT } from '../../test/support/project.ts';
import { must, run } from '../../test/support/tester.ts';
import type { Ran } from '../../test/support/tester.ts';

const VERSION = '4.32.5';
const SEED = '1';
const HOOKS = fileURLToPath(new URL('../../testkit/helpers/schemathesis_hooks.py', import.meta.url));
const CONTRACT = fileURLToPath(new URL('../../openapi.yaml', import.meta.url));
const { values: options } = parseArgs({ options: { examples: { type: 'string', default: '500' } } });
if (!/^[1-9]\d*$/.test(options.examples))
  throw new Error(`--examples must be a positive number, not ${options.examples}.`);
const EXAMPLES = Number(options.examples);
/** Phases, and how many examples of each operation they try. Those of stateful are several requests, and far slower to make up. */
const PHASES = [
  ['examples,coverage,fuzzing', EXAMPLES],
  ['stateful', Math.ceil(EXAMPLES / 10)],
] as const;
/** As much as finds a mutant. */
const QUICK = [['coverage', 100]] as const;

const LIMITS = 'minimum: 1, maximum: 100,';
/** Faults of the contract, each a replacement in its text, and what must be said: a failure for another reason proves nothing. */
const MUTANTS: readonly (readonly [name: string, part: string | RegExp, replacement: string, says: RegExp])[] = [
  [
    'has_more is a string',
    /(has_more:[^{}]*?type: )boolean(\s+example: )true/g,
    "$1string$2'true'",
    /Response violates schema/,
  ],
  ['no 422 is declared', /^ +'422': .*\n/gm, '', /Undocumented status code/],
  [
    'request ids are shorter',
    /(RequestId:[^]*?maxLength: )128(.*\s+example: ).*/g,
    '$18$2short',
    /Response header does not conform to the schema/,
  ],
  ['limits go to 1000', LIMITS, LIMITS.replace('100', '1000'), /Schema-valid request rejected/],
  ['limits end at 50', LIMITS, LIMITS.replace('100', '50'), /Schema-violating request accepted/],
];

const say = (text: string): void => void process.stdout.write(`${text}\n`);
function fail(text: string, output: string): void {
  process.exitCode = 1;
  say(`${output}\nFAILED: ${text}`);
}

const folder = await mkdtemp(join(tmpdir(), 'rollcall-schemathesis-'));
say(`Schemathesis ${VERSION}, seed ${SEED}, ${options.examples} examples of each operation`);
try {
  await must(['python3', '-m', 'venv', 'venv'], { cwd: folder });
  await must(['venv/bin/pip', 'install', '--quiet', `schemathesis==${VERSION}`], { cwd: folder });
  // Each example of an id is that of a record.
  await using server = await startRollcall(seeded(records, loadContract()));

  const test = async (contract: string, phases: typeof PHASES | typeof QUICK): Promise<Ran> => {
    const runs: Ran[] = [];
    for (const [names, examples] of phases) {
      const argv = [
        ...['run', contract, '--url', server.url, '--header', `Authorization: Bearer ${server.apiKey}`],
        ...['--checks', 'all', '--phases', names, '--max-examples', String(examples), '--seed', SEED],
        ...['--generation-database', 'none', '--no-color'],
      ];
      const env = { SCHEMATHESIS_HOOKS: HOOKS, PYTHONDONTWRITEBYTECODE: '1' };
      // A folder without settings, so that nothing hides anything.
      const cwd = await mkdtemp(join(folder, 'run-'));
      runs.push(await run([join(folder, 'venv/bin/schemathesis'), ...argv], { cwd, env }));
    }
    return { ok: runs.every(({ ok }) => ok), output: runs.map(({ output }) => output).join('\n') };
  };

  // As the page has it, but for the installation.
  const [install, ...command] = onlyCodeBelow('docs/codegen.md', 'Schemathesis', 'sh').trimEnd().split('\n');
  if (install !== `pip install schemathesis==${VERSION}`)
    throw new Error(`docs/codegen.md does not install ${VERSION}.`);
  const script = command
    .join('\n')
    .replace(/node_modules\/rollcall\/(\S+)/, join(ROOT, '$1'))
    .replace('http://127.0.0.1:3000', server.url)
    .replace('rollcall_…', server.apiKey);
  const path = `${join(folder, 'venv/bin')}:${process.env['PATH'] ?? ''}`;
  const page = await run(['bash', '-euc', script], { cwd: folder, env: { PATH: path, PYTHONDONTWRITEBYTECODE: '1' } });
  if (page.ok) say(`${page.output}\ngreen with the command of docs/codegen.md`);
  else fail('the command of docs/codegen.md finds a fault', page.output);

  const { ok, output } = await test(CONTRACT, PHASES);
  if (ok) say(`${output}\ngreen`);
  else fail('it finds a fault', output);
  if (server.errors.length > 0) fail('it made the server fail', server.errors.map(String).join('\n'));

  const contract = await readFile(CONTRACT, 'utf8');
  for (const [name, part, replacement, says] of MUTANTS) {
    const wrong = contract.replaceAll(part, replacement);
    if (wrong === contract) throw new Error(`Nothing to change in the contract for: ${name}.`);
    const file = join(folder, 'wrong.yaml');
    await writeFile(file, wrong);
    const red = await test(file, QUICK);
    if (!red.ok && says.test(red.output)) say(`red where ${name}`);
    else fail(`it does not find that ${name}`, red.output);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

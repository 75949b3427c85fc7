/**
 * The extension test. It adds a collection with a few records to a copy of the project: only the contract, one entry of the table and a
 * sample change. `npm run check` must pass there: without `--all`, its parts that no collection can break are left out, which are the
 * style of the code and the slow tests in INDEPENDENT. The compiler must reject a table that does not fit the contract, and the generator
 * must reject a contract that Rollcall cannot serve. `test/contract/servable.test.ts` has all reasons.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyProject, must, ROOT, run } from '../support/project.ts';

const PATCH = join(ROOT, 'test/extension/segments.patch');
/** All that a new collection may touch. */
const ALLOWED = ['openapi.yaml', 'server/contract/collections.ts', 'server/samples/segments.ndjson'];
const TABLE = 'server/contract/collections.ts';

/** Tests that take long and do not depend on which collections there are: of processes, peers, time and clients. */
const INDEPENDENT = [
  ...['cli/backup', 'cli/demo', 'cli/examine', 'cli/log', 'cli/opening', 'cli/postgres-address', 'cli/wait'],
  ...['conform/client', 'conform/session', 'conform/unsteady', 'docs/backups', 'docs/examine', 'docs/operations'],
  ...['docs/recipes', 'examine/child', 'examine/rules', 'store/postgres/load', 'tasks', 'testing/control-peers'],
  'testing/cues-model',
].map((it) => `test/${it}.test.ts`);

/** Edits of the table that do not fit the contract: a part, its replacement, and what the compiler says. */
const MISFITS: Record<string, readonly [part: string, replacement: string, message: string]> = {
  'an operation that no entry of the table serves': [
    "  segments: served('listSegments', 'getSegment'),\n",
    '',
    'listSegments, getSegment',
  ],
  'getting by id from another collection': [
    "served('listSegments', 'getSegment')",
    "served('listSegments', 'getContactImport')",
    `Argument of type '"getContactImport"' is not assignable to parameter of type '"getSegment"'`,
  ],
  'a get in the place of a list': [
    "served('listSegments', 'getSegment')",
    "served('getSegment')",
    `Argument of type '"getSegment"' is not assignable to parameter of type`,
  ],
};

const { all: isAll } = parseArgs({ options: { all: { type: 'boolean', default: false } } }).values;

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const touched = [...readFileSync(PATCH, 'utf8').matchAll(/^diff --git a\/(\S+) b\/(\S+)$/gm)].flatMap((it) =>
  it.slice(1),
);
const stray = touched.filter((it) => !ALLOWED.includes(it));
if (stray.length > 0) throw new Error(`The patch touches more than ${ALLOWED.join(', ')}: ${stray.join(', ')}`);

const gone = INDEPENDENT.filter((it) => !existsSync(join(ROOT, it)));
if (gone.length > 0) throw new Error(`There is no ${gone.join(', ')}.`);

const folder = copyProject();
try {
  // Tests ask git which files there are.
  must(folder, 'git', 'init', '--quiet');
  writeFileSync(join(folder, '.git/info/exclude'), 'node_modules\n');
  must(folder, 'git', 'apply', PATCH);
  must(folder, 'npm', 'run', 'generate');
  must(folder, 'tsc', '-p', 'test/extension');
  const tests = ['--selectProjects', 'sqlite', '--testMatch', '<rootDir>/test/extension/*.extension.ts'];
  say(must(folder, 'npm', 'test', '--', ...tests, '--runInBand'));

  for (const [name, [part, replacement, message]] of Object.entries(MISFITS)) {
    const path = join(folder, TABLE);
    const original = readFileSync(path, 'utf8');
    if (!original.includes(part)) throw new Error(`${TABLE} has no ${part}`);
    writeFileSync(path, original.replace(part, replacement));
    const { ok, output } = run(folder, ['tsc', '-p', 'server', '--noEmit']);
    if (ok || !output.includes(message)) throw new Error(`The compiler accepts ${name}, or says otherwise:\n${output}`);
    say(`The compiler rejects ${name}.`);
    writeFileSync(path, original);
  }

  const contract = join(folder, 'openapi.yaml');
  const original = readFileSync(contract, 'utf8');
  writeFileSync(
    contract,
    original.replace('    SegmentKindFilter:\n      name: kind\n', '    SegmentKindFilter:\n      name: search\n'),
  );
  for (const command of [['generate'], ['check', '--', 'drift']]) {
    const { ok, output } = run(folder, ['npm', 'run', ...command]);
    const isNamed = output.includes(
      'openapi.yaml: listSegments has the query parameter `search`: a list supports `limit`,',
    );
    if (ok || !isNamed)
      throw new Error(`npm run ${command.join(' ')} does not reject a filter by no property:\n${output}`);
  }
  say('The generator rejects a filter by no property.');
  writeFileSync(contract, original);

  if (isAll) must(folder, 'npm', 'run', 'check');
  else {
    for (const it of ['drift', 'contract', 'change', 'types']) must(folder, 'npm', 'run', 'check', '--', it);
    must(folder, 'npm', 'test', '--', `^(?!.*(${INDEPENDENT.join('|')})$)`);
  }
  say(isAll ? 'npm run check passes.' : 'The parts of npm run check that depend on the contract pass.');
} finally {
  rmSync(folder, { recursive: true });
}

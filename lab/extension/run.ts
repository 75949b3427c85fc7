/**
 * The extension test. It adds a collection with a few records to a copy of the project: only the contract, one entry of the table, the
 * handlers and a sample change. `npm run check`, `npm test` and `npm run test:long` must pass there. The compiler must reject a table that does not fit the
 * contract. `test/contract/servable.test.ts` has what the generator rejects.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyProject, must, ROOT, run } from '../../test/support/project.ts';

const PATCH = join(ROOT, 'lab/extension/segments.patch');
/** All that a new collection may touch. */
const ALLOWED = ['openapi.yaml', 'contract/collections.ts', 'server/handlers.ts', 'server/samples/segments.ndjson'];
const TABLE = 'contract/collections.ts';

/** Edits of the table that do not fit the contract: a part, its replacement, and what the compiler says. */
const MISFITS: Record<string, readonly [part: string, replacement: string, message: string]> = {
  'an operation that no entry of the table serves': [
    "  segments: served('listSegments', 'getSegment'),\n",
    '',
    `Argument of type '"segments"' is not assignable to parameter of type`,
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

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const touched = [...readFileSync(PATCH, 'utf8').matchAll(/^diff --git a\/(\S+) b\/(\S+)$/gm)].flatMap((it) =>
  it.slice(1),
);
const stray = touched.filter((it) => !ALLOWED.includes(it));
if (stray.length > 0) throw new Error(`The patch touches more than ${ALLOWED.join(', ')}: ${stray.join(', ')}`);

const folder = copyProject();
try {
  // Tests ask git which files there are.
  must(folder, 'git', 'init', '--quiet');
  writeFileSync(join(folder, '.git/info/exclude'), 'node_modules\n');
  must(folder, 'git', 'apply', PATCH);
  must(folder, 'npm', 'run', 'generate');
  must(folder, 'tsc', '-p', 'lab/extension');
  say(must(folder, 'npm', 'test', '--', '--testMatch', '**/*.extension.ts', '--runInBand'));

  for (const [name, [part, replacement, message]] of Object.entries(MISFITS)) {
    const path = join(folder, TABLE);
    const original = readFileSync(path, 'utf8');
    if (!original.includes(part)) throw new Error(`${TABLE} has no ${part}`);
    writeFileSync(path, original.replace(part, replacement));
    const { ok, output } = run(folder, ['tsc', '-p', 'tsconfig.build.json', '--noEmit']);
    if (ok || !output.includes(message)) throw new Error(`The compiler accepts ${name}, or says otherwise:\n${output}`);
    say(`The compiler rejects ${name}.`);
    writeFileSync(path, original);
  }

  for (const script of ['check', 'test', 'test:long']) {
    must(folder, 'npm', 'run', script);
    say(`npm run ${script} passes.`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

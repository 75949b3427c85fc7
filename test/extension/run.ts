/**
 * The extension test: it adds a read-only collection to a copy of the project, by the contract, one entry of the table and a
 * sample alone. Then it changes that contract in ways that the code could not serve: the compiler must reject each.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyProject, must, ROOT, run } from '../support/project.ts';

const PATCH = join(ROOT, 'test/extension/segments.patch');
/** All that a new collection may touch. */
const ALLOWED = ['openapi.yaml', 'server/contract/collections.ts', 'server/samples/segments.ndjson'];

/** Edits of the patched contract, each of which the code could not serve: a part of a file, and its replacement. */
const DRIFTS: Record<string, readonly [file: string, part: string, replacement: string]> = {
  'an operation that no entry of the table serves': [
    'server/contract/collections.ts',
    "  segments: served('listSegments', 'getSegment'),\n",
    '',
  ],
  'getting by id from another collection': [
    'server/contract/collections.ts',
    "served('listSegments', 'getSegment')",
    "served('listSegments', 'getContactImport')",
  ],
  'a query parameter that no handler reads': [
    'openapi.yaml',
    '    SegmentKindFilter:\n      name: kind\n',
    '    SegmentKindFilter:\n      name: search\n',
  ],
  'a filter with values that the records do not have': [
    'openapi.yaml',
    "      schema: { $ref: '#/components/schemas/SegmentKind' }\n      example: dynamic\n",
    '      schema: { type: string, enum: [frozen, dynamic] }\n      example: dynamic\n',
  ],
  'a limit without a default': [
    'openapi.yaml',
    'minimum: 1, maximum: 100, default: 20 }',
    'minimum: 1, maximum: 100 }',
  ],
  'a list that returns more than the envelope': [
    'openapi.yaml',
    "          items: { $ref: '#/components/schemas/Segment' }\n",
    "          items: { $ref: '#/components/schemas/Segment' }\n        total: { type: integer }\n",
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
  must(folder, 'git', 'apply', PATCH);
  must(folder, 'npm', 'run', 'generate');
  must(folder, 'npm', 'run', 'check', '--', 'contract');
  say('The contract with one more collection is valid.');
  must(folder, 'tsc', '-p', 'test/extension');
  must(folder, 'tsc', '-p', 'client');
  say('It compiles.');
  const tests = ['--selectProjects', 'sqlite', '--testMatch', '<rootDir>/test/extension/*.extension.ts'];
  say(must(folder, 'npm', 'test', '--', ...tests, '--runInBand'));

  for (const [name, [file, part, replacement]] of Object.entries(DRIFTS)) {
    const path = join(folder, file);
    const original = readFileSync(path, 'utf8');
    if (!original.includes(part)) throw new Error(`${file} has no ${part}`);
    // The last of equal parts: that of the new collection.
    const at = original.lastIndexOf(part);
    writeFileSync(path, original.slice(0, at) + replacement + original.slice(at + part.length));
    must(folder, 'npm', 'run', 'generate');
    if (run(folder, ['tsc', '-p', 'server', '--noEmit']).ok) throw new Error(`The compiler accepts ${name}.`);
    say(`The compiler rejects ${name}.`);
    writeFileSync(path, original);
  }
} finally {
  rmSync(folder, { recursive: true });
}

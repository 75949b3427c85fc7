/**
 * The drill: a read-only collection is added to a copy of the project by the contract, one entry of the table and a sample,
 * and by nothing else; and what the code could not serve is refused by the compiler, wherever the contract drifts.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyProject, must, ROOT, run } from '../support/project.ts';

const PATCH = join(ROOT, 'test/drill/segments.patch');
/** All that a new collection may touch. */
const ALLOWED = ['openapi.yaml', 'server/contract/collections.ts', 'server/samples/segments.ndjson'];

/** Edits of the patched contract, each of which the code could not serve: a part of it, and what stands there instead. */
const DRIFTS: Record<string, readonly [file: string, part: string, instead: string]> = {
  'an operation that no entry of the table serves': [
    'server/contract/collections.ts',
    "  segments: served('listSegments', 'getSegment'),\n",
    '',
  ],
  'a look-up of another collection': [
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
  'a list that answers more than the envelope': [
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
  say('The contract is sound, with a collection more.');
  must(folder, 'tsc', '-p', 'test/drill');
  must(folder, 'tsc', '-p', 'client');
  say('It compiles.');
  const drills = ['--selectProjects', 'sqlite', '--testMatch', '<rootDir>/test/drill/*.drill.ts'];
  say(must(folder, 'npm', 'test', '--', ...drills, '--runInBand'));

  for (const [name, [file, part, instead]] of Object.entries(DRIFTS)) {
    const path = join(folder, file);
    const sound = readFileSync(path, 'utf8');
    if (!sound.includes(part)) throw new Error(`${file} has no ${part}`);
    // The last of equal parts: that of the new collection.
    const at = sound.lastIndexOf(part);
    writeFileSync(path, sound.slice(0, at) + instead + sound.slice(at + part.length));
    must(folder, 'npm', 'run', 'generate');
    if (run(folder, ['tsc', '-p', 'server', '--noEmit']).ok) throw new Error(`The compiler lets through ${name}.`);
    say(`The compiler refuses ${name}.`);
    writeFileSync(path, sound);
  }
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * The differential test of the cache, for longer, and the proof that it finds faults: it must fail in a copy of the project
 * with each mutant. About six minutes on two cores. `npm run test:e2e -- cache [seed] [pattern]`: with a pattern, only the
 * mutants whose names match it.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyProject, ROOT, run } from '../support/project.ts';
import { MUTANTS } from './mutants.ts';

/** Enough for any fault. The test ends soon after it has found one. */
const SCENARIOS = { sqlite: 600, postgres: 80 };
type Engine = keyof typeof SCENARIOS;

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Runs the differential test on an engine. @returns whether it has passed, and what it has printed. */
function runDifferential(folder: string, engine: Engine): ReturnType<typeof run> {
  const env = [
    `ROLLCALL_TEST_ENGINES=${engine}`,
    `ROLLCALL_CACHE_TEST_SCENARIOS=${String(SCENARIOS[engine])}`,
    `ROLLCALL_CACHE_TEST_SEED=${String(seed)}`,
  ];
  return run(folder, ['env', ...env, 'npm', 'test', '--', 'test/cache/differential.test.ts']);
}

const seed = Number(process.argv[2] ?? 1);
const pattern = process.argv[3];
say(`With seed ${String(seed)}; npm run test:e2e -- cache 2 takes another.`);

for (const engine of pattern === undefined ? (['sqlite', 'postgres'] as const) : []) {
  const { ok, output } = runDifferential(ROOT, engine);
  if (!ok) throw new Error(output);
  say(`No difference on ${engine} in ${String(SCENARIOS[engine])} scenarios.`);
}

const folder = copyProject();
const missed: string[] = [];
try {
  for (const [name, [file, part, replacement, engine = 'sqlite']] of Object.entries(MUTANTS)) {
    if (!new RegExp(pattern ?? '').test(name)) continue;
    const path = join(folder, file);
    const original = readFileSync(path, 'utf8');
    if (original.split(part).length !== 2) throw new Error(`${file} does not have once: ${part}`);
    writeFileSync(
      path,
      original.replace(part, () => replacement),
    );
    const started = Date.now();
    const { ok, output } = runDifferential(folder, engine);
    const isFound = !ok && output.includes('*** instead of');
    say(`${isFound ? 'Found' : 'MISSED'} in ${String(Math.round((Date.now() - started) / 1000))} s: ${name}.`);
    if (!isFound) missed.push(`${name}:\n${output}`);
    writeFileSync(path, original);
  }
} finally {
  rmSync(folder, { recursive: true });
}
if (missed.length > 0) throw new Error(`These are not found:\n${missed.join('\n')}`);

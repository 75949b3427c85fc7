/**
 * The differential test of the cache, for longer, and the proof that it finds what it is for: each fault is planted into a
 * copy of the project, and must turn the test red. About three and a half minutes on two cores.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyProject, ROOT, run } from '../support/project.ts';
import { PLANTS } from './plants.ts';

const LONG_SECONDS = 90;
/** Enough for any fault: the test ends soon after it has found one. */
const PLANT_SECONDS = 60;

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Runs the differential test. @returns whether it has passed, and what it has printed. */
function differ(folder: string, seconds: number): ReturnType<typeof run> {
  const env = [`ROLLCALL_CACHE_TEST_SECONDS=${String(seconds)}`, `ROLLCALL_CACHE_TEST_SEED=${String(seed)}`];
  return run(folder, ['env', ...env, 'npm', 'test', '--', 'test/cache/differential.test.ts']);
}

const seed = Number(process.argv[2] ?? Date.now() % 2 ** 31);
say(`With seed ${String(seed)}: npm run test:cache -- ${String(seed)} does the same.`);

const { ok, output } = differ(ROOT, LONG_SECONDS);
if (!ok) throw new Error(output);
say(`No difference in ${String(LONG_SECONDS)} s.`);

const folder = copyProject();
try {
  for (const [name, [file, part, instead]] of Object.entries(PLANTS)) {
    const path = join(folder, file);
    const sound = readFileSync(path, 'utf8');
    if (sound.split(part).length !== 2) throw new Error(`${file} does not have once: ${part}`);
    writeFileSync(
      path,
      sound.replace(part, () => instead),
    );
    const started = Date.now();
    const { ok, output } = differ(folder, PLANT_SECONDS);
    if (ok || !output.includes('*** instead of')) throw new Error(`It is not found that ${name}:\n${output}`);
    say(`Found in ${String(Math.round((Date.now() - started) / 1000))} s: ${name}.`);
    writeFileSync(path, sound);
  }
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * Suites in other languages, against `rollcall demo` of the packed package: `npm run test:e2e -- languages`. Each must be green with
 * its own records, and red with others.
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProject } from '../support/packed.ts';

const SUITES = {
  python: ['python3', '-m', 'unittest', '--verbose'],
  go: ['go', 'test', '-count=1', '-v', './...'],
};

const project = createProject(import.meta.dirname);
const [seed, otherSeed] = [join(project.folder, 'seed'), join(project.folder, 'other-seed')];
try {
  cpSync(seed, otherSeed, { recursive: true });
  const changed = join(otherSeed, 'automations.ndjson');
  writeFileSync(changed, readFileSync(changed, 'utf8').replace('Birthday', 'Anniversary'));
  for (const [language, command] of Object.entries(SUITES)) {
    const runWith = (records: string): Promise<boolean> => {
      const env = {
        ...{ ROLLCALL: join(project.folder, 'node_modules/.bin/rollcall'), SEED: records },
        ...{ PYTHONDONTWRITEBYTECODE: '1', GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' },
      };
      return project.run(command, env, join(project.folder, language));
    };
    say(`== ${language}`);
    if (!(await runWith(seed))) throw new Error(`The suite in ${language} fails.`);
    say(`== ${language}, with other records: it must fail`);
    if (await runWith(otherSeed)) throw new Error(`The suite in ${language} cannot fail.`);
  }
  say('The suites are green with their records, and red with others.');
} finally {
  project.remove();
}

function say(line: string): void {
  process.stdout.write(`\n${line}\n`);
}

/**
 * The drivers of PostgreSQL that package.json allows: `npm run --prefix lab drivers`. The suites of the store and of HTTP pass on the oldest
 * version of each package, in a copy of the project; the newest that is too old is an error.
 */
import { readdirSync, readFileSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { copyProject, must, ROOT, run } from '../../test/support/project.ts';

const { peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly peerDependencies: Readonly<Record<string, string>>;
};
/** The oldest version of each package: ranges are carets, which a unit test asserts. */
const OLDEST = Object.entries(peerDependencies).map(([name, range]) => [name, range.replace('^', '')] as const);
const JEST = 'node --experimental-vm-modules --no-warnings node_modules/jest/bin/jest.js --silent'.split(' ');
// Nobody is asked there: the driver is loaded first.
const KEYS_LIST = 'node cli/main.ts keys list --db postgres://127.0.0.1:9/none'.split(' ');
const ERROR =
  /^rollcall: PostgreSQL requires the package pg in version \S+ or later, below \d+; \S+ is installed\. Run: /;

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Does something in a copy of the project that has other versions of some packages. */
function withPackages(packages: readonly string[], work: (folder: string) => void): void {
  const folder = copyProject();
  try {
    must(folder, 'node', 'scripts/prepare.js', '--must');
    const [modules, other] = [join(folder, 'node_modules'), join(folder, 'other')];
    must(folder, 'npm', 'install', '--silent', '--ignore-scripts', '--no-audit', '--prefix', other, ...packages);
    unlinkSync(modules); // It leads to the packages of the project.
    renameSync(join(other, 'node_modules'), modules);
    const installed = new Set(readdirSync(modules));
    for (const it of readdirSync(join(ROOT, 'node_modules'))) {
      if (!installed.has(it)) symlinkSync(join(ROOT, 'node_modules', it), join(modules, it));
    }
    say(`With ${packages.join(' and ')}:`);
    work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const at = (sign: string): string[] => OLDEST.map(([name, version]) => `${name}@${sign}${version}`);
withPackages(at(''), (folder) => {
  say(must(folder, ...JEST, '--config', 'test/tiers/postgres.js', '--testPathPatterns', 'test/(store|http)/'));
});
withPackages(at('<'), (folder) => {
  const { ok, output } = run(folder, KEYS_LIST);
  if (ok || !ERROR.test(output)) throw new Error(`It accepts a driver that is too old:\n${output}`);
  say(output);
});

/**
 * `npm run test:rights`: the suites of files and rights, as a user whom permissions bind. Where this is root, another
 * user runs them, in a copy of the checkout, whose `node_modules` is linked. Any other user has run them already.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { ORDINARY, isRoot } from '../support/as-nobody.ts';
import { ROOT, copyProject, must } from '../support/project.ts';

const NODE = 'node_modules/node/bin/node';

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

function runInCopy(): number {
  const folder = copyProject();
  const run = (...argv: readonly string[]): number | null =>
    spawnSync(join(folder, NODE), argv, {
      ...ORDINARY,
      cwd: folder,
      env: { ...process.env, HOME: folder, NODE_COMPILE_CACHE: join(folder, '.cache/compiled') },
      stdio: 'inherit',
    }).status;
  must(folder, 'node', 'scripts/prepare.js', '--must');
  const give = (): unknown => must(folder, 'chown', '-hR', `${String(ORDINARY.uid)}:${String(ORDINARY.gid)}`, '.'); // Not what is linked.
  try {
    give();
    if (run('--print', 'require.resolve("jest")') !== 0) {
      say('Another user cannot read node_modules, so it is copied.');
      rmSync(join(folder, 'node_modules'));
      cpSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), { recursive: true, verbatimSymlinks: true });
      give();
    }
    const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
    const cache = ['--cacheDirectory', join(folder, '.cache/jest')];
    return run(...jest, '--config', 'test/tiers/rights.js', ...cache) ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (isRoot) process.exitCode = runInCopy();
else
  say('Nothing to do: this user is not root, so `npm test` and `npm run test:long` run these suites as it should be.');

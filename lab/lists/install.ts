/** Installs servers from PyPI, npm and the Go module proxy. What is installed outlives the run; git ignores it. */
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { must } from '../../test/support/tester.ts';
import { ROOT } from '../../test/support/project.ts';

/** Packages with their versions; the first is that of the server. */
export type Install =
  | { readonly pip: readonly [string, ...string[]] }
  | { readonly npm: readonly [string, ...string[]] }
  | { readonly go: string; readonly version: string };

const CACHE = join(ROOT, 'node_modules/.cache/rollcall-lists');

/** @returns the version of the server, which is that of the first package, if any is installed. */
export function versionOf(what: Install | undefined): string {
  if (what === undefined) return '';
  if ('go' in what) return what.version;
  return ('pip' in what ? what.pip[0].split('==') : what.npm[0].split('@')).at(-1) ?? '';
}

/** @returns the folder of its programs. */
export async function install(what: Install): Promise<string> {
  const name = 'pip' in what ? what.pip[0] : 'npm' in what ? what.npm[0] : `${what.go}@v${what.version}`;
  const folder = join(CACHE, hash('sha256', JSON.stringify(what)).slice(0, 12)); // Others with another set of versions.
  const bin = 'npm' in what ? join(folder, 'node_modules/.bin') : join(folder, 'bin');
  const done = join(folder, 'done'); // What was interrupted is never taken for whole.
  if (existsSync(done)) return bin;
  process.stderr.write(`Installing ${name} ...\n`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const options = { cwd: folder };
  if ('pip' in what) {
    await must(['python3', '-m', 'venv', '.'], options);
    await must(['bin/pip', 'install', '--quiet', '--disable-pip-version-check', ...what.pip], options);
  } else if ('npm' in what) {
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    await must(['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', ...what.npm], options);
  } else await must(['go', 'install', name], { ...options, env: { GOBIN: bin } });
  await writeFile(done, '');
  return bin;
}

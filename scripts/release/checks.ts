/** Checks the packages of a release as their users get them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { run } from './command.ts';
import { installedIn } from './installed.ts';
import { licenceFaults } from './licences.ts';
import { PACKAGES, manifestIn, tarballOf } from './packages.ts';
import type { Build, Manifest, Package } from './packages.ts';
import { sbomFaults, schemaFaults } from './sbom.ts';
import type { Bom } from './sbom.ts';

const [SERVER, CLIENT] = PACKAGES;

/** @returns the entry points that are files without types, such as the contract. */
const untyped = ({ exports }: Manifest): readonly string[] =>
  Object.entries(exports).flatMap(([name, target]) => (typeof target === 'string' ? name.slice('./'.length) : []));

/** Checks the metadata and the types of a tarball. @throws Error with the report. */
export async function checkTarball(of: Package, build: Build, version: string, signal: AbortSignal): Promise<void> {
  const tarball = join(build.out, tarballOf(of, version));
  const tool = (name: string): string => join(build.clone, 'node_modules/.bin', name);
  const options = { cwd: build.clone, signal };
  await run([tool('publint'), '--strict', tarball], options);
  // The server is for `import` only.
  const excluded = untyped(manifestIn(join(build.clone, of.folder)));
  const profile = of === CLIENT ? [] : ['--profile', 'esm-only', '--exclude-entrypoints', ...excluded, '--'];
  await run([tool('attw'), ...profile, tarball], options);
}

/** @returns the faults of a package's SBOM and of the licences of all that it installs, and the number of packages. */
export function checkInstalled(
  of: Package,
  build: Build,
): { readonly faults: readonly string[]; readonly packages: number } {
  const installed = installedIn(build.project(of));
  const bom = JSON.parse(readFileSync(join(build.out, of.sbom), 'utf8')) as Bom; // Checked here.
  const faults = [...schemaFaults(bom), ...sbomFaults(bom, installed), ...licenceFaults(installed)];
  return { faults, packages: installed.length };
}

const USE_CLIENT = `
  const { createClient } = await import('${CLIENT.name}');
  if (typeof createClient({ baseUrl: 'http://x', apiKey: 'k' }).automations.list !== 'function') throw new Error('no list');
`;

/** Uses the installed packages. scripts/package.sh does so in depth. @throws Error if one does not work. */
export async function checkUse(build: Build, version: string, signal: AbortSignal): Promise<void> {
  const { execPath } = process;
  const server = { cwd: build.project(SERVER), signal, minutes: 1 };
  const printed = (await run([execPath, 'node_modules/.bin/rollcall', '--version'], server)).trim();
  if (printed !== version) throw new Error(`The installed rollcall has the version ${printed}; expected: ${version}.`);
  const client = { cwd: build.project(CLIENT), signal, minutes: 1 };
  await run([execPath, '--input-type=module', '--eval', USE_CLIENT], client);
}

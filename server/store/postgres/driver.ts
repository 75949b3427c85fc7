/** The driver: loaded when a database of PostgreSQL is opened, so that who stays with SQLite need not install it. */
import { createRequire } from 'node:module';
import type { Client, Pool } from 'pg';
import type { from } from 'pg-copy-streams';
import { StoreError } from '../store.ts';

export interface Driver {
  readonly Client: typeof Client;
  readonly Pool: typeof Pool;
  readonly copyFrom: typeof from;
}

interface Manifest {
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
}
const require = createRequire(import.meta.url);
const manifestOf = (it: string): Manifest => require(it) as Manifest; // npm takes no package without it.

const majorOf = (version: string): number => Number.parseInt(version, 10);
/** The packages, and the oldest version of each that does; of the same major version every later one does. */
const OLDEST = Object.entries(manifestOf('#package').peerDependencies).map(
  ([name, range]) => [name, range.replace('^', '')] as const,
);
const INSTALL = `Run: npm install ${OLDEST.map(([name, oldest]) => `${name}@${String(majorOf(oldest))}`).join(' ')}`;

/** @throws StoreError if its packages are not installed, or in a version that does not do. */
export async function loadDriver(): Promise<Driver> {
  try {
    const [pg, copyStreams] = await Promise.all([import('pg'), import('pg-copy-streams')]);
    for (const [name, oldest] of OLDEST) assertVersion(name, oldest, manifestOf(`${name}/package.json`).version);
    return { Client: pg.Client, Pool: pg.Pool, copyFrom: copyStreams.from };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    const names = OLDEST.map(([name]) => name).join(' and ');
    throw new StoreError(`PostgreSQL needs the packages ${names}. ${INSTALL}`, { cause: error });
  }
}

/**
 * Checked when the driver is loaded: npm can be made to install a version out of range, and a driver ignores silently the
 * options that it does not know.
 * @throws StoreError if the installed version of a package does not do.
 */
export function assertVersion(name: string, oldest: string, installed: string): void {
  const isOlder = installed.localeCompare(oldest, 'en', { numeric: true }) < 0;
  const isPrerelease = installed.includes('-');
  if (majorOf(installed) === majorOf(oldest) && !isOlder && !isPrerelease) return;
  throw new StoreError(
    `PostgreSQL needs the package ${name} in version ${oldest} or later, below ${String(majorOf(oldest) + 1)}; ` +
      `${installed} is installed. ${INSTALL}`,
  );
}

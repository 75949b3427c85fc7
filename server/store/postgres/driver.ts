/** Loads the driver when a PostgreSQL database is opened, so that users of SQLite need not install it. */
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
const manifestOf = (name: string): Manifest => require(name) as Manifest; // npm accepts no package without a manifest.

const majorOf = (version: string): number => Number.parseInt(version, 10);
/** The packages, and the oldest supported version of each. Later versions with the same major version are supported. */
const OLDEST = Object.entries(manifestOf('#package').peerDependencies).map(
  ([name, range]) => [name, range.replace('^', '')] as const,
);
const INSTALL = `Run: npm install ${OLDEST.map(([name, oldest]) => `${name}@${String(majorOf(oldest))}`).join(' ')}`;

/** @throws StoreError if the packages of the driver are not installed, or if their versions are not supported. */
export async function loadDriver(): Promise<Driver> {
  try {
    const [pg, copyStreams] = await Promise.all([import('pg'), import('pg-copy-streams')]);
    for (const [name, oldest] of OLDEST) assertVersion(name, oldest, manifestOf(`${name}/package.json`).version);
    return { Client: pg.Client, Pool: pg.Pool, copyFrom: copyStreams.from };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    const names = OLDEST.map(([name]) => name).join(' and ');
    throw new StoreError(`PostgreSQL requires the packages ${names}. ${INSTALL}`, { cause: error });
  }
}

/**
 * Checks the version of a package when the driver is loaded. Users can force npm to install a version out of range, and
 * a driver silently ignores options that it does not know.
 * @throws StoreError if the installed version is not supported.
 */
export function assertVersion(name: string, oldest: string, installed: string): void {
  const isOlder = installed.localeCompare(oldest, 'en', { numeric: true }) < 0;
  const isPrerelease = installed.includes('-');
  if (majorOf(installed) === majorOf(oldest) && !isOlder && !isPrerelease) return;
  throw new StoreError(
    `PostgreSQL requires the package ${name} in version ${oldest} or later, below ${String(majorOf(oldest) + 1)}; ` +
      `${installed} is installed. ${INSTALL}`,
  );
}

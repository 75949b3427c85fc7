/** The version of Rollcall, and a check of the version of Node. Imports nothing that an older Node lacks, because the check must run on it. */
import { createRequire } from 'node:module';
import process from 'node:process';

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
}
const { version, engines } = createRequire(import.meta.url)('#package') as Manifest; // The manifest of Rollcall itself.

/** The version of Rollcall. */
export { version };

/** @returns why this Node cannot run Rollcall; `undefined` if it can. */
export function nodeVersionError(): string | undefined {
  const needed = engines.node.replace('>=', '');
  const isOlder = process.versions.node.localeCompare(needed, 'en', { numeric: true }) < 0;
  return isOlder ? `rollcall requires Node ${needed} or later; this is ${process.versions.node}.` : undefined;
}

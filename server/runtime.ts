/** The version of Rollcall, where its docs are, and a check of the version of Node. Imports nothing that an older Node lacks, because the check must run on it. */
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
}
const require = createRequire(import.meta.url);
const { version, engines } = require('#package') as Manifest; // The manifest of Rollcall itself.

/** The version of Rollcall. */
export { version };

/** @returns the path of a page of `docs`, which is part of the package: from the current folder, if it is below that. */
function docsPath(page: string): string {
  const path = join(dirname(require.resolve('#package')), 'docs', page);
  const below = relative(process.cwd(), path);
  return below.startsWith('..') ? path : below;
}

/** @returns why this Node cannot run Rollcall, and how to get one that can; `undefined` if it can. */
export function nodeVersionError(): string | undefined {
  const needed = engines.node.replace('>=', '');
  const isOlder = process.versions.node.localeCompare(needed, 'en', { numeric: true }) < 0;
  if (!isOlder) return undefined;
  return (
    `rollcall requires Node ${needed} or later; this is ${process.versions.node}. To use a newer one in a project, run ` +
    `npm install node@24 && export PATH="$PWD/node_modules/.bin:$PATH"; see ${docsPath('install.md')}.`
  );
}

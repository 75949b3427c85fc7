/** The files that are mutated, and all their mutants. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/project.ts';
import { mutantsOf } from './sites.ts';
import type { Mutant } from './sites.ts';

/** Without the modules of the pages, which are tested in a browser, and without what builds the client. */
const IGNORED = /^server\/pages\/assets\/|\/dist\/|^client\/(node_modules\/|tsdown\.config\.ts)/;

/** @returns every mutant of `server` and `client`, those that do not compile too. */
export const everyMutant = (): readonly Mutant[] =>
  globSync(['server/**/*.ts', 'client/**/*.ts'], { cwd: ROOT })
    .filter((it) => !IGNORED.test(it))
    .sort()
    .flatMap((it) => mutantsOf(it, readFileSync(join(ROOT, it), 'utf8')));

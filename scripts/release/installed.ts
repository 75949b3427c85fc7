/** The packages in a folder `node_modules`, as they are on disk: neither a lock file nor npm is asked. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface Installed {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly licence: string | undefined;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string | { readonly type?: string };
  readonly licenses?: readonly { readonly type?: string }[];
}

/** @returns each installed package once, those inside other packages too, ordered by name and version. */
export function installedIn(project: string): readonly Installed[] {
  const found = new Map(packagesIn(project).map((it) => [idOf(it), it]));
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, it]) => it);
}

/** @returns the name and version of a package, as in `npm ls`. */
export const idOf = ({ name, version }: Pick<Installed, 'name' | 'version'>): string => `${name}@${version}`;

function packagesIn(parent: string): Installed[] {
  const modules = join(parent, 'node_modules');
  if (!existsSync(modules)) return [];
  const names = readdirSync(modules).filter((it) => !it.startsWith('.'));
  return names
    .flatMap((it) => (it.startsWith('@') ? readdirSync(join(modules, it)).map((child) => join(it, child)) : it))
    .flatMap((it) => {
      const folder = join(modules, it);
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest; // npm has installed it.
      return [{ name: manifest.name, version: manifest.version, licence: licenceOf(manifest) }, ...packagesIn(folder)];
    });
}

/** @returns the licence as an expression; older packages have an object, or a list to choose from. */
function licenceOf({ license, licenses = [] }: Manifest): string | undefined {
  if (typeof license === 'string') return license;
  if (license?.type !== undefined) return license.type;
  const choices = licenses.flatMap((it) => it.type ?? []);
  return choices.length === 0 ? undefined : choices.join(' OR ');
}

/**
 * Puts into `dist` what the published server carries of packages that would bring many others: the validator, bundled without
 * what it is never asked to do. With the licences of all that is carried.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'tsdown';

const HTTP = 'dist/server/http';
const UPLOADS = 'multer'; // The contract has none, and the validator is told so.

/** @returns the folders of the packages whose code is in the bundle. */
async function carryValidator(): Promise<readonly string[]> {
  const carried = new Set<string>();
  await build({
    config: false,
    entry: 'server/http/validator.ts',
    outDir: HTTP,
    format: 'esm',
    platform: 'node',
    fixedExtension: false,
    dts: false,
    clean: false,
    logLevel: 'warn',
    deps: { onlyBundle: false }, // All that is not a dependency of the server.
    plugins: [
      {
        name: 'carry',
        resolveId: (id) => (id === UPLOADS ? `\0${UPLOADS}` : null),
        load: (id) => (id === `\0${UPLOADS}` ? 'export {};' : null),
        generateBundle(_, bundle) {
          for (const file of Object.values(bundle)) {
            for (const id of file.type === 'chunk' ? file.moduleIds : []) {
              const [folder] = /.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? [];
              if (folder !== undefined) carried.add(folder);
            }
          }
        },
      },
    ],
  });
  return [...carried];
}

/** @throws Error if a package has no text of its licence. */
function licenceOf(folder: string): string {
  // As npm has it.
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<'name' | 'version', string>;
  const files = globSync(['LICEN[CS]E*', 'NOTICE'], { cwd: folder }).sort();
  if (files.length === 0) throw new Error(`${folder} has no licence.`);
  const texts = files.map((it) => readFileSync(join(folder, it), 'utf8').trim());
  return `== ${manifest.name} ${manifest.version}\n\n${texts.join('\n\n')}\n`;
}

const carried = await carryValidator();
writeFileSync('dist/LICENSES-OF-OTHERS.txt', carried.toSorted().map(licenceOf).join('\n'));

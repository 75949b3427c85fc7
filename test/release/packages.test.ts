/** Both packages have what a registry and provenance need, and say the same. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ALLOWED } from '../../scripts/release/licences.ts';
import { PACKAGES, manifestIn } from '../../scripts/release/packages.ts';
import { ROOT } from '../support/project.ts';

interface Published {
  readonly name: string;
  readonly license: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly homepage: string;
  readonly bugs: { readonly url: string };
  readonly repository: { readonly type: string; readonly url: string; readonly directory?: string };
  readonly publishConfig: object;
  readonly private?: boolean;
}
const publishedIn = (folder: string): Published => manifestIn(join(ROOT, folder)) as unknown as Published; // Its fields are tested here.

const [, ADDRESS = ''] = /^git\+(https:\/\/.+)\.git$/.exec(publishedIn('.').repository.url) ?? [];

test.each(PACKAGES)('$name can be published', ({ name, folder }) => {
  const published = publishedIn(folder);
  expect(published.name).toBe(name);
  expect(published.private).toBeUndefined();
  expect(ADDRESS).not.toBe('');
  expect(published.repository).toEqual({
    type: 'git',
    url: `git+${ADDRESS}.git`,
    ...(folder === '.' ? {} : { directory: folder }),
  });
  expect(published.homepage).toBe(folder === '.' ? `${ADDRESS}#readme` : `${ADDRESS}/tree/main/${folder}#readme`);
  expect(published.bugs).toEqual({ url: `${ADDRESS}/issues` });
  expect(published.publishConfig).toEqual({ access: 'public', provenance: true });
  expect(ALLOWED.has(published.license)).toBe(true);
  expect(published.description).toMatch(/^[A-Z].*\.$/);
  expect(published.keywords.length).toBeGreaterThan(3);
  for (const it of ['LICENSE', 'README.md']) expect(existsSync(join(ROOT, folder, it))).toBe(true);
});

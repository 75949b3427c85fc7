/**
 * A Playwright suite of another team against the kit of the packed package: `npm run test:e2e -- playwright`. It must be green, and
 * red where the page may not read the responses, which shows that they come from another origin.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProject } from '../support/packed.ts';
import { ROOT } from '../support/project.ts';

const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly devDependencies: Readonly<Record<string, string>>;
};

// No browser is downloaded: Debian's is used.
process.env['PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD'] = '1';
const project = createProject(join(import.meta.dirname, 'suite'), [
  `@playwright/test@${devDependencies['playwright-core'] ?? ''}`,
]);
try {
  const suite = ['node_modules/.bin/playwright', 'test'];
  if (!(await project.run(suite))) throw new Error('The suite fails.');
  process.stdout.write('\n== Where the page may not read the responses: it must fail\n');
  if (await project.run(suite, { ORIGINS: 'none' })) throw new Error('The suite cannot fail.');
  process.stdout.write('\nThe suite is green, and red where the page may not read the responses.\n');
} finally {
  project.remove();
}

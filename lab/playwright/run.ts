/**
 * A Playwright suite of another team against the kit of the packed package: `npm run playwright`. It must be green, and
 * red where the page may not read the responses, which shows that they come from another origin.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProject } from '../../test/support/packed.ts';
import { ROOT } from '../../test/support/project.ts';

const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly devDependencies: Readonly<Record<string, string>>;
};

// No browser is downloaded: Debian's is used.
process.env['PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD'] = '1';
const project = createProject(join(import.meta.dirname, 'suite'), [
  `@playwright/test@${devDependencies['playwright-core'] ?? ''}`,
]);
const suite = ['node_modules/.bin/playwright', 'test'] as const;
try {
  const green = await project.run(suite);
  process.stdout.write(green.output);
  if (!green.ok) throw new Error('The suite fails.');
  const red = await project.run(suite, { ORIGINS: 'none' });
  if (red.ok) throw new Error(`${red.output}\nThe suite cannot fail.`);
  process.stdout.write('The suite is green, and red where the page may not read the responses.\n');
} finally {
  project.remove();
}

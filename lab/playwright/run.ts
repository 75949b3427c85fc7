/** The Playwright suite of docs/examples, with the kit of the packed package and Debian's Chromium. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { createProject } from '../../test/support/packed.ts';
import { ROOT } from '../../test/support/project.ts';

// As the file has it.
const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly devDependencies: Readonly<Record<string, string>>;
};

process.env['PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD'] = '1';
const project = createProject(join(ROOT, 'docs/examples/playwright'), [
  `@playwright/test@${devDependencies['playwright-core'] ?? ''}`,
]);
try {
  const { ok, output } = await project.run(['node_modules/.bin/playwright', 'test']);
  process.stdout.write(output);
  if (!ok) process.exitCode = 1;
} finally {
  project.remove();
}

/** The pages are built where they can be, and never stale; where they cannot be, the API is served without them. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { afterTest } from '../support/after-test.ts';
import { openFolder } from '../support/cli.ts';
import { copyProject, run } from '../support/project.ts';

let copy: string;
beforeEach(() => {
  copy = copyProject();
  afterTest(() => {
    rmSync(copy, { recursive: true });
  });
});
const prepare = (...argv: readonly string[]): ReturnType<typeof run> =>
  run(copy, [process.execPath, 'scripts/prepare.js', ...argv]);
const reference = (): string => readFileSync(join(copy, 'built/reference.html'), 'utf8');

test('they are built once, and again after a change of their sources', () => {
  expect(prepare()).toEqual({ ok: true, output: '' });
  writeFileSync(join(copy, 'built/reference.html'), 'kept');
  expect(prepare('--must')).toEqual({ ok: true, output: '' });
  expect(reference()).toBe('kept');
  const contract = join(copy, 'openapi.yaml');
  writeFileSync(contract, readFileSync(contract, 'utf8').replace(/^ {2}title: .*$/m, '  title: Another title'));
  expect(prepare()).toEqual({ ok: true, output: '' });
  expect(reference()).toContain('Another title');
});

test('a build that fails leaves no stale page behind', () => {
  expect(prepare().ok).toBe(true);
  writeFileSync(join(copy, 'openapi.yaml'), '{');
  expect(prepare().ok).toBe(false);
  expect(reference).toThrow('ENOENT');
});

test('where nothing can build them, one line says what is missing', () => {
  rmSync(join(copy, 'node_modules')); // A link.
  const output =
    'The pages are not built: node_modules/.bin/node is missing, which `npm ci` installs. The API is served without them.\n';
  expect(prepare()).toEqual({ ok: true, output });
  expect(prepare('--must')).toEqual({ ok: false, output });
});

test('without them a server serves the API, and the paths of pages say what to run', async () => {
  const folder = openFolder(undefined, {}, join(copy, 'cli/main.ts'));
  afterTest(folder.remove);
  const [line] = await folder.start(['demo', '--port', '0', '--json']).printed(/^.*\n/);
  const { url, key } = JSON.parse(line) as { url: string; key: string };
  const list = await fetch(`${url}/automations`, { headers: { authorization: `Bearer ${key}` } });
  expect([list.status, (await fetch(`${url}/openapi.yaml`)).status]).toEqual([200, 200]);
  for (const path of ['/', '/docs', '/docs.md', '/openapi-3.1.json', '/assets/console.js']) {
    const response = await fetch(url + path, { headers: { accept: 'text/html' } });
    expect([response.status, await response.json()]).toEqual([
      404,
      {
        statusCode: 404,
        name: 'not_found',
        message: 'The pages of this server are not built. In its folder, run `npm ci` and `npm run build:pages`.',
      },
    ]);
  }
});

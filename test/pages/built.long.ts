/** The contracts as JSON and the pages are built where they can be, and never stale; without the pages the API is served. */
import { mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { afterTest } from '../support/after-test.ts';
import { openFolder } from '../support/cli.ts';
import { ROOT, copyProject, run } from '../support/project.ts';

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

test('where nothing can be built, one line says what is missing, and so does a command', async () => {
  rmSync(join(copy, 'node_modules')); // A link.
  const output = 'Nothing is built. node_modules/yaml is missing, which `npm ci` installs.\n';
  expect(prepare()).toEqual({ ok: true, output });
  expect(prepare('--must')).toEqual({ ok: false, output });

  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const folder = openFolder(undefined, {}, join(copy, 'cli/main.ts'));
  afterTest(folder.remove);
  expect(await folder.run(['demo', '--port', '0'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'rollcall: built/openapi.json cannot be read. In the clone of Rollcall, run: npm ci\n',
  });
});

test('where no tools are, a server serves the API, and the paths of pages say what to run', async () => {
  const modules = join(copy, 'node_modules');
  rmSync(modules);
  mkdirSync(modules);
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter((it) => it !== '.bin'))
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  const output =
    'The pages are not built: the API is served without them. node_modules/.bin/node is missing, which `npm ci` installs.\n';
  expect(prepare()).toEqual({ ok: true, output });
  expect(prepare('--must')).toEqual({ ok: false, output });

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

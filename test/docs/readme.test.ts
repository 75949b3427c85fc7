/** What README.md, CONTRIBUTING.md, docs/design.md and docs/console.md show is so: the first response, the house, where to make changes, keys. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { KEYS } from '../../server/pages/assets/console/keys.ts';
import { codeBelow, textOf } from '../support/docs.ts';
import { folder } from '../support/own-folder.ts';
import { ROOT } from '../support/project.ts';

test('the first response of README.md, Start, is the response of the demo', async () => {
  const [block = ''] = codeBelow('README.md', 'Start', 'console');
  const [, target = '', shown = ''] = /^\$ curl .*127\.0\.0\.1:3000(\S+)'\n(.+)\n$/.exec(block) ?? [];
  const demo = folder.start(['demo', '--port', '0']);
  const [, key = '', url = ''] = await demo.printed(/Bearer (\S+)' '(http:\/\/[^/]+)/);
  const response = await fetch(url + target, { headers: { authorization: `Bearer ${key}` } });
  expect(await response.text()).toBe(shown);
});

test('the folders of docs/design.md, Code layout, exist', () => {
  const [tree = ''] = codeBelow('docs/design.md', 'Code layout', 'text');
  const listed = [...tree.matchAll(/^( *)([\w.-]+\/?) /gm)].map(([, indent, name = '']) =>
    indent === '' ? name : join('server', name),
  );
  expect(listed.length).toBeGreaterThan(8);
  expect(listed.filter((it) => !existsSync(join(ROOT, it)))).toEqual([]);
});

test('"Where to make changes" of CONTRIBUTING.md has thirteen rows, each with one existing place', () => {
  const section = /## Where to make changes\n([\s\S]*?)\n## /.exec(textOf('CONTRIBUTING.md'))?.[1] ?? '';
  const places = [...section.matchAll(/^\| (?!Change |-).+? +\| (.+?) +\|$/gm)].map(([, it = '']) => it);
  expect(places).toHaveLength(13);
  const folders = places.map((it) => /^`([\w./]+)`$/.exec(it)?.[1] ?? it);
  expect(folders.filter((it) => !existsSync(join(ROOT, it)))).toEqual([]);
});

test('docs/console.md has every key of the console', () => {
  const section = /\n## Keyboard shortcuts\n([^]*?)\n## /.exec(textOf('docs/console.md'))?.[1] ?? '';
  const keys = [...section.matchAll(/^\| (`.*?) +\|/gm)].flatMap(([, it = '']) => it.replaceAll('`', '').split(', '));
  expect(keys).toEqual(KEYS.flatMap((it) => it.keys));
});

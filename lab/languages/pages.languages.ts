/** The code of docs/test-kit.md and docs/examples that needs curl or Python: it runs as it stands, and prints what the pages show. */
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Result } from '../../audit/rules/rule.ts';
import { codeBelow } from '../../test/support/docs.ts';
import { folder } from '../../test/support/own-folder.ts';
import { ROOT } from '../../test/support/project.ts';
import { openShell } from '../../test/support/shell.ts';

const PROFILE = `url: http://localhost:8000/orders
headers: { Authorization: 'Bearer \${KEY}' }
items: orders
id: id
size: { param: limit, max: 100, default: 10 }
next: { token: cursor, from: next_cursor }
`;

test.each([
  ['python3', 'read-orders.py'],
  ['sh', 'read-orders.sh'],
])('%s docs/examples/%s has no failure', async (program, file) => {
  writeFileSync(folder.path('orders.yaml'), PROFILE);
  copyFileSync(join(ROOT, 'docs/examples', file), folder.path(file));
  const { stdout, code } = await folder.run(['examine', '--json', 'orders.yaml', '--', program, file]);
  const { results } = JSON.parse(stdout) as { readonly results: readonly Result[] };
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  expect(code).toBe(0);
});

describe('docs/test-kit.md, Other languages:', () => {
  const [command = '', calls = ''] = codeBelow('docs/test-kit.md', 'Other languages');

  test('the command starts what the calls of curl control', async () => {
    const words = command.trim().split(' ').slice(1);
    const demo = folder.start([...words, '--port', '0', '--control-port', '0']);
    const [line] = await demo.printed(/^.*\n/);
    const { url, control, ...printed } = JSON.parse(line) as { url: string; control: { url: string; key: string } };
    expect(Object.keys(printed)).toEqual(['key', 'records']);
    const { sh } = openShell(folder);
    const shown = sh(
      `export http_proxy=http://127.0.0.1:9\n${calls}`
        .replaceAll('http://127.0.0.1:3000', url)
        .replaceAll('http://127.0.0.1:3001', control.url),
    );
    const [account, cue, failed, log] = shown.split(/(?<=\})(?=\{)/).map((it) => JSON.parse(it) as unknown);
    expect(account).toEqual({ name: 'test-1', apiKey: 'key-1' });
    expect(cue).toMatchObject({ number: 1, when: { nth: 3 }, then: [{ revokeKey: true }], fired: 0 });
    expect(failed).toMatchObject({ statusCode: 429, name: 'rate_limit_exceeded' });
    expect(log).toMatchObject({ count: 1, data: [{ path: '/automations', status: 429, cues: [] }] });
    const response = await fetch(`${control.url}/accounts`, { headers: { authorization: `Bearer ${control.key}` } });
    expect(await response.json()).toEqual({ data: [{ name: 'demo', apiKey: 'test-key' }] });
  });

  test('the example in Python runs, and leaves nothing behind', () => {
    const { sh } = openShell(folder);
    copyFileSync(join(ROOT, 'docs/examples/control.py'), folder.path('example.py'));
    sh('python3 example.py');
    expect(readdirSync(folder.path('.')).toSorted()).toEqual(['.bin', 'example.py']);
  });
});

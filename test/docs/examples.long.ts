/** What README.md and docs/{audit,examine}.md print of the programs in docs/examples is what comes out. */
import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, expect, test } from '@jest/globals';
import { afterFile } from '../support/after-test.ts';
import { blocksOf } from '../support/docs.ts';
import { folder } from '../support/own-folder.ts';
import { ROOT } from '../support/project.ts';
import { openShell } from '../support/shell.ts';

const LIST = 'http://127.0.0.1:8000/orders';

const examples = ['README.md', 'docs/audit.md', 'docs/examine.md', 'audit/README.md'].flatMap((page) =>
  blocksOf(page).flatMap(({ language, code }) => {
    const [first = '', ...printed] = code.trimEnd().split('\n');
    const command = first.replace('rollcall-audit https://api.example.com/orders', `rollcall audit ${LIST}`);
    const isOne = language === 'console' && /^\$ rollcall (audit|examine docs)/.test(command);
    return isOne ? [{ page, command: command.slice(2), printed }] : [];
  }),
);

let url = '';
beforeAll(async () => {
  const server = spawn(process.execPath, [join(ROOT, 'docs/examples/orders.mjs'), '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  afterFile(() => void server.kill());
  for await (const line of createInterface(server.stdout)) {
    url = line;
    break;
  }
});

test('each page has an example', () => {
  expect(new Set(examples.map(({ page }) => page)).size).toBe(4);
});

test.each(examples)('$page: $command', ({ command, printed }) => {
  cpSync(join(ROOT, 'docs/examples'), folder.path('docs/examples'), { recursive: true });
  const { sh } = openShell(folder);
  const lines = sh(`${command.replace(LIST, url)} || [ $? -eq 1 ]`)
    .trimEnd()
    .replaceAll(url, LIST)
    .split('\n');
  // A line that ends with … is cut, and a line of … stands for some.
  expect(lines).toHaveLength(printed.length);
  for (const [at, line] of printed.entries())
    if (line.endsWith(' …')) expect(lines[at]).toContain(line.slice(0, -2));
    else expect(lines[at]).toBe(line);
});

/** What the console copies: it does what it says, whatever stands in the link. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { COLLECTIONS, commandName } from '../../contract/collections.ts';
import { codeOf, curlOf, importOf } from '../../server/pages/assets/console/links.ts';
import { folder } from '../support/own-folder.ts';
import { collectionAt, collections } from './collections.ts';

const BASE = 'http://127.0.0.1:3000/behind/';
const HOSTILE = [
  ...["'; touch pwned; '", '$(touch pwned)', '`touch pwned`', '"; touch pwned; "', "\\'; touch pwned #"],
  ...['\n touch pwned\n', '${process.exit()}', '\u2028\u202e*/', '-o pwned', '😀'],
];

test('a command names the key, and never has it', () => {
  expect(curlOf(`${BASE}automations?limit=5`)).toBe(
    `curl -sS -H "Authorization: Bearer $ROLLCALL_API_KEY" 'http://127.0.0.1:3000/behind/automations?limit=5'`,
  );
});

test('the command that loads records has the names of the command line', () => {
  expect(collections.map(importOf).sort()).toEqual(
    COLLECTIONS.map((it) => `rollcall import ${commandName(it)} <file> --account <name>`).sort(),
  );
});

test.each(HOSTILE)('sh gives curl the URL and nothing else: %j', (hostile) => {
  writeFileSync(folder.path('curl'), `#!/bin/sh\nprintf '%s\\0' "$@" > seen\n`, { mode: 0o755 });
  // As it is, and as a browser has it.
  for (const url of [`${BASE}automations?status=${hostile}`, new URL(`${BASE}x/${hostile}?status=${hostile}`).href]) {
    execFileSync('sh', ['-c', curlOf(url)], {
      cwd: folder.path('.'),
      env: { PATH: `${folder.path('.')}:${String(process.env['PATH'])}`, ROLLCALL_API_KEY: 'rollcall_1' },
    });
    const seen = readFileSync(folder.path('seen'), 'utf8').split('\0');
    expect(seen).toEqual(['-sS', '-H', 'Authorization: Bearer rollcall_1', url, '']);
    expect(() => readFileSync(folder.path('pwned'))).toThrow('ENOENT');
  }
});

test('code lists a page, and looks a record up', () => {
  const query = new URLSearchParams('status=in_progress&limit=5');
  expect(codeOf(BASE, collectionAt('/contacts/imports'), { query }))
    .toBe(`import { createClient } from '@rollcall/client';

// The key comes from ROLLCALL_API_KEY.
const client = createClient({ baseUrl: 'http://127.0.0.1:3000/behind' });
const page = await client.contactImports.list({ status: 'in_progress', limit: 5 });
console.log(page.data);
`);
  expect(codeOf(BASE, collectionAt('/contacts/imports'), { id: 'a-b' })).toContain(
    "\nconst contactImport = await client.contactImports.get('a-b');\nconsole.log(contactImport);\n",
  );
  expect(codeOf(BASE, collectionAt('/automations'), {})).toContain('\nconst page = await client.automations.list();\n');
});

test.each(HOSTILE)('code holds a text as a literal: %j', (hostile) => {
  const query = new URLSearchParams([
    ['status', hostile],
    [hostile, 'x'],
    ['__proto__', 'y'],
    ['limit', hostile],
  ]);
  for (const code of [
    codeOf(BASE, collectionAt('/automations'), { query }),
    codeOf(BASE, collectionAt('/contacts/imports'), { id: hostile }),
  ]) {
    expect(code).toMatch(/^[\n -~]*$/);
    expect(code).not.toMatch(/[{ ]__proto__:/); // It would be the prototype, not a property.
    const file = ts.createSourceFile('it.ts', code, ts.ScriptTarget.Latest, true);
    const kinds = file.statements.map((it) => ts.SyntaxKind[it.kind]);
    expect(kinds).toEqual(['ImportDeclaration', 'FirstStatement', 'FirstStatement', 'ExpressionStatement']);
    const texts: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isStringLiteral(node)) texts.push(node.text);
      expect(ts.isTemplateExpression(node) || ts.isTemplateLiteral(node)).toBe(false);
      ts.forEachChild(node, visit);
    };
    visit(file);
    expect(texts).toContain(hostile);
  }
});

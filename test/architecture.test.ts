/** Which part may import which: the arrows of the README's "How it fits together". */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface Import {
  readonly from: string;
  readonly to: string;
}
interface Rule {
  readonly name: string;
  readonly forbids: (it: Import) => boolean;
}

const inside =
  (...folders: string[]) =>
  (file: string): boolean =>
    folders.some((it) => file === it || file.startsWith(`${it}/`));
const isServer = inside('server');
const isCommand = inside('server/commands', 'server/main.ts');
const isTesting = inside('server/testing');
const isSqlite = inside('server/store/sqlite');
// What Express reaches: the application and the files that make up its middleware.
const HTTP = [
  'app',
  'testing/faults',
  'answer',
  'edge',
  'dispatch',
  'methods',
  'parameters',
  'reference',
  'validator',
].map((it) => `server/${it}.ts`);
const isHttp = inside(...HTTP);

const RULES: readonly Rule[] = [
  { name: 'generated code imports nothing', forbids: ({ from }) => inside('generated')(from) },
  {
    name: 'the client imports the generated types and openapi-fetch alone',
    forbids: ({ from, to }) => inside('client')(from) && !inside('client', 'generated', 'openapi-fetch')(to),
  },
  {
    name: 'the server does not import the client',
    forbids: ({ from, to }) => isServer(from) && inside('client', '@rollcall/client')(to),
  },
  {
    name: 'nothing imports the commands but they themselves',
    forbids: ({ from, to }) => isServer(from) && !isCommand(from) && isCommand(to),
  },
  {
    name: 'nothing imports the test kit',
    forbids: ({ from, to }) => isServer(from) && !isTesting(from) && isTesting(to),
  },
  { name: 'nothing imports tests', forbids: ({ from, to }) => isServer(from) && inside('test')(to) },
  {
    name: 'operations know the contract, the store’s interface and the problems',
    forbids: ({ from, to }) =>
      inside('server/operations')(from) &&
      !inside('server/operations', 'server/contract.ts', 'server/problems.ts', 'server/store/store.ts')(to),
  },
  {
    name: 'the SQLite engine knows the contract’s types and the store’s interface',
    forbids: ({ from, to }) =>
      isSqlite(from) && !inside('server/store', 'server/contract.ts', 'better-sqlite3', 'node:fs')(to),
  },
  {
    name: 'better-sqlite3 is known to the SQLite engine alone',
    forbids: ({ from, to }) => isServer(from) && !isSqlite(from) && to === 'better-sqlite3',
  },
  {
    name: 'the SQLite engine is chosen by the commands and the test kit alone',
    forbids: ({ from, to }) =>
      isServer(from) && !isSqlite(from) && !isCommand(from) && !isTesting(from) && isSqlite(to),
  },
  {
    name: 'Express is known to the application and its middleware alone',
    forbids: ({ from, to }) =>
      isServer(from) && !isHttp(from) && inside('express', 'express-openapi-validator', 'helmet')(to),
  },
  {
    name: 'the process is known to the commands alone',
    forbids: ({ from, to }) => isServer(from) && !isCommand(from) && to === 'node:process',
  },
  {
    name: 'built-in modules are imported by their full name',
    forbids: ({ to }) => ['fs', 'path', 'http', 'crypto', 'process', 'url', 'stream'].includes(to),
  },
];

/** @returns what a file imports: paths from the root of the project, and names of packages without what is in them. */
function importsOf(file: string, source: string): readonly Import[] {
  return ts.preProcessFile(source, true, true).importedFiles.map(({ fileName }) => ({
    from: file,
    to: fileName.startsWith('.')
      ? relative(ROOT, join(ROOT, dirname(file), fileName))
      : fileName.replace(/^((?:@[^/]+\/)?[^/]+).*$/, '$1'),
  }));
}

const broken = (imports: readonly Import[]): string[] =>
  imports.flatMap((it) =>
    RULES.filter((rule) => rule.forbids(it)).map((rule) => `${it.from} -> ${it.to}: ${rule.name}`),
  );

const files = globSync(['generated/*.ts', 'server/**/*.ts', 'client/*.ts'], { cwd: ROOT }).filter(
  (it) => it !== 'client/tsdown.config.ts', // A tool's, not the package's.
);
const project = files.flatMap((file) => importsOf(file, readFileSync(join(ROOT, file), 'utf8')));

test('no import goes against the arrows', () => {
  expect(files.length).toBeGreaterThan(30);
  expect(broken(project)).toEqual([]);
});

describe('a stray import is found', () => {
  test.each([
    ['generated/openapi.ts', "import x from 'yaml';"],
    ['client/index.ts', "import type { Store } from '../server/store/store.ts';"],
    ['client/index.ts', "export * from 'express';"],
    ['server/app.ts', "import { createClient } from '@rollcall/client';"],
    ['server/app.ts', "const { run } = await import('./commands/run.ts');"],
    ['server/contract.ts', "import './support/app.ts';"],
    ['server/operations/list.ts', "import type { Request } from 'express';"],
    ['server/operations/list.ts', "import { openStore } from '../store/sqlite/open.ts';"],
    ['server/store/sqlite/reader.ts', "import { ProblemError } from '../../problems.ts';"],
    ['server/keys.ts', "import Database from 'better-sqlite3';"],
    ['server/keys.ts', "import type { Request } from 'express';"],
    ['server/serve.ts', "import { openStore } from './store/sqlite/open.ts';"],
    ['server/app.ts', "import process from 'node:process';"],
    ['server/app.ts', "import { readFileSync } from 'fs';"],
  ])('%s: %s', (file, source) => {
    expect(broken(importsOf(file, source))).not.toEqual([]);
  });
});

/** Which folder may import which, and which packages: the arrows of CONTRIBUTING.md. What is not listed here is rejected. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { circlesIn, importsOf } from './support/imports.ts';
import type { Import } from './support/imports.ts';

const root = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

type Versions = Readonly<Record<string, string>>;
interface Manifest {
  readonly dependencies: Versions;
  readonly peerDependencies?: Versions;
}
type Table = Readonly<Record<string, readonly string[]>>;

/** What the test kit and the command line put together. */
const EDGE = [
  'server/compose.ts',
  'server/http',
  'server/observe',
  'server/import',
  'server/store/sqlite',
  'server/store',
  'server/runtime.ts',
  'contract',
];
/** The folders that each folder may import, besides itself. A folder counts with all that is below it. */
const FOLDERS: Table = {
  'cli/main.ts': ['cli', 'server/runtime.ts'],
  cli: [
    'testkit/examine',
    'testkit',
    'audit/command',
    'audit/conform',
    'audit/report',
    'server/store/postgres',
    ...EDGE,
  ],
  'testkit/examine': [
    'testkit',
    'audit/report',
    'server/compose.ts',
    'server/http',
    'server/store',
    'server/runtime.ts',
    'contract',
  ],
  testkit: [...EDGE, 'server/real-time.ts', 'generated'],
  'audit/main.ts': ['audit/command'],
  'audit/command': ['audit/conform', 'audit/report', 'contract'],
  'audit/conform': ['audit/report', 'contract'],
  'audit/report': ['contract'],
  'server/compose.ts': ['server/http', 'server/pages', 'server/handlers.ts', 'server/store', 'contract'],
  'server/http': ['server/pages', 'server/store', 'server/real-time.ts', 'contract'],
  'server/pages': ['contract'],
  'server/observe': ['server/http'],
  'server/handlers.ts': ['server/store', 'contract'],
  'server/import': ['server/store', 'contract'],
  'server/store/sqlite': ['server/store', 'contract'],
  'server/store/postgres': ['server/store', 'contract'],
  'server/store': ['contract'],
  'server/runtime.ts': [],
  'server/real-time.ts': [],
  contract: ['generated'],
  client: ['generated'],
  generated: [],
};

const ON_NODE = Object.keys(FOLDERS).filter((it) => !['server/handlers.ts', 'client', 'generated'].includes(it));
/** The folders that may import each package, and each module of Node. */
const PACKAGES: Table = {
  'openapi-fetch': ['client'],
  ajv: ['contract'],
  express: ['server/http', 'testkit'],
  'express-openapi-validator': ['server/http', 'testkit'],
  helmet: ['server/pages'],
  'lru-cache': ['server/http'],
  'rate-limiter-flexible': ['server/http'],
  'better-sqlite3': ['server/store/sqlite'],
  pg: ['server/store/postgres'],
  'pg-copy-streams': ['server/store/postgres'],
  commander: ['cli', 'audit/main.ts', 'audit/command'],
  'yocto-spinner': ['cli', 'audit/command'],
  'prom-client': ['server/observe'],
  // The clients that are examined are killed with their process groups.
  'node:process': ['cli/main.ts', 'server/runtime.ts', 'cli', 'audit/main.ts', 'audit/command', 'testkit/examine'],
  'node:fs': ['cli', 'audit/command', 'server/pages', 'server/store/sqlite'],
  'node:http': ['server/http', 'server/pages', 'server/observe', 'audit/conform', 'testkit', 'testkit/examine'],
  'node:net': ['server/http', 'server/pages', 'server/observe', 'audit/conform'],
  'node:*': ON_NODE,
};

const isInside = (file: string, folder: string): boolean => file === folder || file.startsWith(`${folder}/`);

/** @returns the folder of the table that a file is in; `undefined` for a file that is in none. */
function folderOf(file: string): string | undefined {
  // An engine is on its own in the store, so that no file of it passes for the store's interface.
  const engine = /^server\/store\/[^/]+(?=\/)/.exec(file)?.[0];
  return engine ?? Object.keys(FOLDERS).find((it) => isInside(file, it));
}

function isAllowed({ from, to, isFile }: Import): boolean {
  const folder = folderOf(from);
  if (folder === undefined) return false;
  if (!isFile)
    return (PACKAGES[to] ?? (to.startsWith('node:') ? PACKAGES['node:*'] : undefined))?.includes(folder) ?? false;
  const target = folderOf(to);
  return target !== undefined && (target === folder || (FOLDERS[folder]?.includes(target) ?? false));
}

const rejected = (imports: readonly Import[]): string[] =>
  imports.filter((it) => !isAllowed(it)).map(({ from, to }) => `${from} -> ${to}`);

const ASSETS = 'server/pages/assets';
// Of browsers, see below; of a tool; and what others copy into their projects.
const OTHERS = [ASSETS, 'audit/dist', 'client/tsdown.config.ts', 'testkit/helpers'];
const files = globSync(['{generated,client}/*.ts', '{contract,server,audit,testkit,cli}/**/*.ts'], {
  cwd: root(''),
}).filter((it) => !OTHERS.some((other) => isInside(it, other)));
const project = files.flatMap((file) => importsOf(file, readFileSync(root(file), 'utf8')));
const inProject = project.filter((it) => it.isFile);

test('every import is listed', () => {
  expect(files.length).toBeGreaterThan(30);
  expect(rejected(project)).toEqual([]);
});

test('nothing is listed that is not there', () => {
  expect(Object.keys(FOLDERS).filter((it) => !files.some((file) => isInside(file, it)))).toEqual([]);
  const imported = new Set(project.map((it) => it.to));
  expect(Object.keys(PACKAGES).filter((it) => it !== 'node:*' && !imported.has(it))).toEqual([]);
});

// So that `npm audit` of an installation sees everything that runs.
test.each([
  ['package.json', ['contract/', 'server/', 'audit/', 'testkit/', 'cli/']],
  ['audit/package.json', ['contract/', 'audit/']],
  ['client/package.json', ['client/']],
])('every package is a dependency of %s at an exact version, or an optional peer', (manifest, folders) => {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(root(manifest), 'utf8')) as Manifest;
  const packages = project
    .filter(({ from, to, isFile }) => folders.some((it) => from.startsWith(it)) && !isFile && !to.startsWith('node:'))
    .map(({ to }) => to);
  const isInstalled = (it: string): boolean =>
    /^\d+\.\d+\.\d+$/.test(dependencies[it] ?? '') || peerDependencies?.[it] !== undefined;
  expect(packages.length).toBeGreaterThan(0);
  expect(packages.filter((it) => !isInstalled(it))).toEqual([]);
});

test('what both packages use has one version', () => {
  const [server, audit] = ['package.json', 'audit/package.json'].map(
    (it) => JSON.parse(readFileSync(root(it), 'utf8')) as Manifest,
  );
  expect(server?.dependencies).toMatchObject(audit?.dependencies ?? {});
});

test('CONTRIBUTING.md draws what is listed', () => {
  const short = (folder: string): string => folder.replace(/^server\//, '');
  const lines = Object.entries(FOLDERS).map(
    ([from, to]) => `${short(from).padEnd(15)} -> ${to.map(short).join(', ') || 'nothing'}\n`,
  );
  expect(readFileSync(root('CONTRIBUTING.md'), 'utf8')).toContain(`\`\`\`text\n${lines.join('')}\`\`\`\n`);
});

test('files and folders import one another in no circle', () => {
  expect(circlesIn(inProject)).toEqual([]);
  expect(circlesIn(Object.entries(FOLDERS).flatMap(([from, targets]) => targets.map((to) => ({ from, to }))))).toEqual(
    [],
  );
});

/** The code that runs in browsers: a folder for each page, and the modules that pages share. */
const PAGES: Table = {
  [`${ASSETS}/console`]: [`${ASSETS}/shared`, 'lit-html'],
  [`${ASSETS}/reference`]: [`${ASSETS}/shared`],
  [`${ASSETS}/shared`]: [],
};

const refusedOfPages = (imports: readonly Import[]): string[] =>
  imports
    .filter(({ from, to }) => {
      const folder = from.slice(0, from.lastIndexOf('/'));
      return !to.startsWith(`${folder}/`) && !(PAGES[folder] ?? []).some((it) => isInside(to, it));
    })
    .map(({ from, to }) => `${from} -> ${to}`);

describe('the modules of the pages', () => {
  const modules = globSync(`${ASSETS}/*/*.ts`, { cwd: root('') });
  const imports = modules.flatMap((file) => importsOf(file, readFileSync(root(file), 'utf8')));

  test('import those of their page and what pages share, in no circle', () => {
    expect(modules.length).toBeGreaterThan(15);
    expect(refusedOfPages(imports)).toEqual([]);
    expect(circlesIn(imports.filter((it) => it.isFile))).toEqual([]);
  });

  // It is bundled, and still a dependency, so that `npm audit` of an installation sees it.
  test('import packages that are dependencies at an exact version', () => {
    const { dependencies } = JSON.parse(readFileSync(root('package.json'), 'utf8')) as Manifest;
    const packages = new Set(imports.filter((it) => !it.isFile).map((it) => it.to));
    expect([...packages]).toEqual(['lit-html']);
    expect(dependencies['lit-html']).toMatch(/^\d+\.\d+\.\d+$/);
    const script = readFileSync(root('built/console.js'), 'utf8');
    expect(script).toContain(`/*! Contains lit-html ${String(dependencies['lit-html'])}, BSD-3-Clause:\n`);
  });

  test.each([
    ['console', '../reference/dom.ts', `${ASSETS}/reference/dom.ts`],
    ['reference', 'lit-html', 'lit-html'],
    ['shared', '../console/api.ts', `${ASSETS}/console/api.ts`],
    ['console', '../../document.ts', 'server/pages/document.ts'],
    ['console', 'yaml', 'yaml'],
  ])('a stray import is found: in %s, %s', (folder, name, to) => {
    const from = `${ASSETS}/${folder}/x.ts`;
    expect(refusedOfPages(importsOf(from, `import { x } from '${name}';`))).toEqual([`${from} -> ${to}`]);
  });
});

describe('a stray import is found', () => {
  test.each([
    ['generated', "import x from 'yaml';", 'yaml'],
    ['generated', "import type { X } from '../server/store/x.ts';", 'server/store/x.ts'],
    ['client', "import type { X } from '../server/store/x.ts';", 'server/store/x.ts'],
    ['client', "export * from 'express';", 'express'],
    ['client', "import { hash } from 'node:crypto';", 'node:crypto'],
    ['server', "import '../cli/x.ts';", 'cli/x.ts'],
    ['server/new', "import { parse } from 'yaml';", 'yaml'],
    ['server/http', "import { x } from '../new/x.ts';", 'server/new/x.ts'],
    ['server/http', "import { createClient } from '@rollcall/client';", '@rollcall/client'],
    ['server/http', "import { x } from '../../client/x.ts';", 'client/x.ts'],
    ['server/http', "const { x } = await import('../../cli/x.ts');", 'cli/x.ts'],
    ['server/http', "import { x } from '../store/sqlite/x.ts';", 'server/store/sqlite/x.ts'],
    ['server/http', "import process from 'node:process';", 'node:process'],
    ['server/http', "import { readFileSync } from 'fs';", 'fs'],
    ['server/http', 'const x = await import(name);', '(computed)'],
    ['contract', "export * as x from '../test/support/x.ts';", 'test/support/x.ts'],
    ['contract', "type X = import('../server/store/x.ts').X;", 'server/store/x.ts'],
    ['server/http', "import { x } from '../observe/x.ts';", 'server/observe/x.ts'],
    ['server/observe', "import { x } from '../store/x.ts';", 'server/store/x.ts'],
    ['server/handlers.ts', "import type { Request } from 'express';", 'express'],
    ['server/handlers.ts', "import { x } from '../store/sqlite/x.ts';", 'server/store/sqlite/x.ts'],
    ['server/handlers.ts', "import { readFile } from 'node:fs/promises';", 'node:fs'],
    ['server/import', "import { x } from '../http/x.ts';", 'server/http/x.ts'],
    ['audit/conform', "import { x } from '../../server/store/x.ts';", 'server/store/x.ts'],
    ['audit/report', "import { x } from '../conform/x.ts';", 'audit/conform/x.ts'],
    ['testkit/examine', "import { x } from '../../audit/conform/x.ts';", 'audit/conform/x.ts'],
    ['server/store', "import Database from 'better-sqlite3';", 'better-sqlite3'],
    ['server/store', "import { x } from './sqlite/x.ts';", 'server/store/sqlite/x.ts'],
    ['server/store/postgres', "import { x } from '../sqlite/x.ts';", 'server/store/sqlite/x.ts'],
    ['server/store/sqlite', "import { Pool } from 'pg';", 'pg'],
    ['server/store/sqlite', "import { x } from '../../handlers.ts';", 'server/handlers.ts'],
    ['cli', "await import('./main.ts');", 'cli/main.ts'],
    ['cli', "import express from 'express';", 'express'],
    ['testkit', "import { x } from '../cli/x.ts';", 'cli/x.ts'],
    ['testkit', "import 'pg';", 'pg'],
  ])('in %s: %s', (folder, source, to) => {
    expect(rejected(importsOf(`${folder}/y.ts`, source))).toEqual([`${folder}/y.ts -> ${to}`]);
  });
});

describe('a circle is found', () => {
  const circles = (sources: Readonly<Record<string, string>>): readonly string[] =>
    circlesIn([...inProject, ...Object.entries(sources).flatMap(([file, source]) => importsOf(file, source))]);

  test('through types, dynamic imports and exports', () => {
    const injected = {
      'server/http/x.ts': "import './y.ts';",
      'server/http/y.ts': "import type { Z } from './z.ts';",
      'server/http/z.ts': "export const open = async () => import('../store/x.ts');",
      'server/store/x.ts': "export type * from '../http/y.ts';",
    };
    expect(circles(injected)).toEqual([
      'server/http/y.ts -> server/http/z.ts -> server/store/x.ts -> server/http/y.ts',
    ]);
  });

  test('of a file with itself', () => {
    expect(circles({ 'client/x.ts': "export { y } from './x.ts';" })).toEqual(['client/x.ts -> client/x.ts']);
  });

  test('not where two paths meet', () => {
    expect(circles({ 'client/x.ts': "import './y.ts'; import './z.ts';", 'client/y.ts': "import './z.ts';" })).toEqual(
      [],
    );
  });
});

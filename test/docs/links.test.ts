/** Every link of every page leads somewhere, and every file, script, command, option and variable that a page names is there. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from '@jest/globals';
import { SETTING_NAMES, variableOf } from '../../cli/settings.ts';
import { createProgram } from '../../cli/run.ts';
import { PAGES, blocksOf, headingsOf, proseOf, spansOf, textOf } from '../support/docs.ts';
import { ROOT } from '../support/project.ts';

// Where links may lead beyond the project. Nothing is asked for: whoever adds a host has looked at it.
const HOSTS = new Set(['node-postgres.com', 'openapi-ts.dev', 'prometheus.io', 'semver.org']);
// Paths like ours that are not of this repository: what is built, and the workers' reports.
const BUILT = /^(client\/)?(dist|bundle)\b/;

/** @returns where the links and pictures of a page lead. */
function linksOf(page: string): readonly string[] {
  const prose = proseOf(page).replaceAll(/`[^`]*`/g, '');
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g), ...prose.matchAll(/(?:src|srcset|href)="([^"]+)"/g)];
  return [...new Set(links.map(([, it = '']) => it))];
}

/** @returns the anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const heading of headingsOf(page)) {
    const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
    let anchor = slug;
    for (let at = 1; anchors.has(anchor); at += 1) anchor = `${slug}-${String(at)}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** @returns what is wrong with a link; nothing if it is right. */
function problemOf(page: string, link: string): string | undefined {
  if (/^[a-z]+:/i.test(link)) {
    if (!URL.canParse(link)) return 'is no URL';
    const { protocol, host } = new URL(link);
    if (protocol !== 'https:') return 'is not https';
    return HOSTS.has(host) ? undefined : 'is of a host that is not in the list';
  }
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (target.startsWith('..')) return 'leads out of the project';
  if (!existsSync(join(ROOT, target))) return 'leads to no file';
  if (anchor === undefined) return undefined;
  return anchorsOf(target).has(anchor) ? undefined : 'leads to no heading';
}

test('the check of links finds what is wrong', () => {
  const wrong = [
    ...['https://example.com', 'http://semver.org', 'https://[', 'ftp://semver.org'],
    ...['no.md', 'docs/no.md#x', '../outside', '#no-such-heading', 'docs/conform.md#no-such-heading'],
  ];
  expect(wrong.filter((it) => problemOf('README.md', it) === undefined)).toEqual([]);
  const right = ['https://semver.org/x', 'docs/ci.md#reports', '#start', 'docs', 'docs/../README.md'];
  expect(right.filter((it) => problemOf('README.md', it) !== undefined)).toEqual([]);
});

/** What a package.json says. */
interface Manifest {
  readonly name: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly files: readonly string[];
}
// Each has these properties.
const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest;
const SCRIPTS = { '': manifestOf('.').scripts, lab: manifestOf('lab').scripts };
const FILES_OF_PACKAGE = manifestOf('.').files;

/** @returns the npm scripts that a text names and that are not there. */
const wrongScripts = (text: string): readonly string[] =>
  [...text.matchAll(/npm run (?:--silent )?(--prefix lab )?([a-z][\w:]*)/g)].flatMap(([, isLab, script = '']) =>
    script in SCRIPTS[isLab === undefined ? '' : 'lab'] ? [] : [script],
  );

const program = await createProgram('0');
const optionsOf = (command: Command): readonly string[] => [
  '--help',
  ...command.options.flatMap((it) => [it.long ?? '', it.negate ? (it.long ?? '').replace('--no-', '--') : '']),
];
function allOptions(command: Command): readonly string[] {
  return [...optionsOf(command), '--version', ...command.commands.flatMap(allOptions)];
}
const ALL_OPTIONS = new Set(allOptions(program));

/** @returns what is wrong with the words of a call of `rollcall`; nothing if they are right. */
function wrongIn(words: readonly string[]): string | undefined {
  const [name = '', child = ''] = words;
  if (name === '' || name.startsWith('-') || name.startsWith('<')) return undefined; // Of no command.
  let command = program.commands.find((it) => it.name() === name);
  if (command === undefined) return `no command ${name}`;
  if (command.commands.length > 0) {
    command = command.commands.find((it) => it.name() === child);
    if (command === undefined) return child === '' ? undefined : `no command ${name} ${child}`;
  }
  const known = optionsOf(command);
  const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words; // Of Rollcall, not of another command.
  const unknown = own.filter((it) => it.startsWith('--')).find((it) => !known.includes(it.replace(/=.*/, '')));
  return unknown === undefined ? undefined : `${name} has no ${unknown}`;
}

/** @returns the calls of `rollcall` in the blocks and sentences of a page, as words. */
function callsOf(page: string): readonly (readonly string[])[] {
  const code = blocksOf(page).filter((it) => ['sh', 'console', 'yaml'].includes(it.language));
  const lines = code.flatMap((it) => it.code.split('\n'));
  return [...lines, ...spansOf(page)].flatMap((line) =>
    [
      ...line.matchAll(
        /(?:^|[;&|] |-- |run: |npx |exec \w+ )(?:npx )?(?:--package \S+ |--(?:yes|no-install) )*(?:npm run (?:--silent )?rollcall --|rollcall) ([^#;&|>)]+)/g,
      ),
    ].map(([, it = '']) => it.trim().split(/\s+/)),
  );
}

/** Our packages. No registry has them: to install one by its name brings what a stranger may have put there. */
const OWN = ['.', 'client', 'audit'].map((it) => manifestOf(it).name);
const INSTALLATIONS = /\b(?:npx|bunx|(?:npm|pnpm|yarn|bun|deno) (?:install|i|add|exec|x|dlx|update)) [^\n#;&|>`]+/g;

/** @returns the commands of a text that install by one of our names, where they must name a tarball. */
function installedByName(text: string): readonly string[] {
  const nameOf = (word: string): string => word.replace(/^(?:npm|jsr):/, '').replace(/(?<=.)@.*$/, '');
  const isOurs = (command: string): boolean => command.split(/ +/).some((it) => OWN.includes(nameOf(it)));
  // With the first option it runs what is installed, or fails.
  return (text.match(INSTALLATIONS) ?? []).filter((it) => isOurs(it) && !/--no-install|--package \S+\.tgz/.test(it));
}

test('the check of what is installed finds our names, and lets tarballs and others pass', () => {
  expect(
    [
      'npm install --global rollcall',
      'npm i rollcall@0.1.0',
      'npm install x @rollcall/client@latest',
      'npx @rollcall/audit conform',
      ...['npx rollcall demo', 'npx --yes rollcall demo', 'npm exec rollcall', 'npx --package rollcall rollcall demo'],
      ...['pnpm dlx rollcall demo', 'deno add npm:@rollcall/client', 'yarn add rollcall', 'bunx rollcall@latest'],
    ].filter((it) => installedByName(it).length !== 1),
  ).toEqual([]);
  expect(
    [
      ...['npm install ../rollcall/rollcall-0.1.0.tgz', 'npm install pg pg-copy-streams', 'npm run rollcall -- demo'],
      ...['npx --no-install rollcall demo', 'npx --yes --package ./rollcall-0.1.0.tgz rollcall demo'],
    ].flatMap(installedByName),
  ).toEqual([]);
});

const sources = [
  'contract',
  'server',
  'import',
  'client',
  'audit',
  'command',
  'testkit',
  'cli',
  'test',
  'lab',
  'scripts',
]
  .flatMap((it) => globSync(`${it}/**/*.{ts,sh}`, { cwd: ROOT, exclude: (name) => name === 'node_modules' }))
  .concat('jest.config.js', '.ci/run')
  .map((it) => readFileSync(join(ROOT, it), 'utf8'))
  .concat(SETTING_NAMES.map(variableOf))
  .join('\n');

// These are about other programs too.
const OF_OTHERS = ['codegen', 'performance'].map((name) => `docs/${name}.md`);
const FILES =
  /(?<![\w./@~-])((?:test|lab|contract|server|import|client|audit|command|testkit|cli|generated|docs|scripts|\.ci)\/[\w./-]*\w)/g;

test.each(PAGES)('%s names nothing that is not there', (page) => {
  const text = textOf(page);
  const links = linksOf(page);
  const files = [...proseOf(page).matchAll(FILES)].map(([, it = '']) => it);
  const options = spansOf(page).flatMap((it) => /^--[a-z][a-z\d-]*/.exec(it)?.[0] ?? []);
  expect({
    links: links.filter((it) => problemOf(page, it) !== undefined),
    // Links are relative to their page.
    files: files.filter((it) => !BUILT.test(it) && !links.includes(it) && !existsSync(join(ROOT, it))),
    scripts: wrongScripts(text),
    calls: callsOf(page).flatMap((it) => wrongIn(it) ?? []),
    installed: installedByName(text),
    variables: [...text.matchAll(/\bROLLCALL_[A-Z\d_]+/g)].filter(([it]) => !sources.includes(it)),
    options: OF_OTHERS.includes(page) ? [] : options.filter((it) => !ALL_OPTIONS.has(it)),
  }).toEqual({ links: [], files: [], scripts: [], calls: [], installed: [], variables: [], options: [] });
  // The package of the client has no other page.
  if (/^(client|audit)\//.test(page)) expect(links.filter((it) => !it.startsWith('https:'))).toEqual([]);
});

test('docs/install.md has every command', () => {
  const [, commands = ''] = /^## Commands\n(.+?)^## /ms.exec(textOf('docs/install.md')) ?? [];
  const items = [...commands.matchAll(/^- .*$/gm)].map(([it]) => it);
  const listed = items.flatMap((it) => [...it.matchAll(/`([a-z][a-z ]*?)(?: [<[].*?)?`/g)].map(([, name]) => name));
  const named = program.commands.flatMap((it) =>
    it.commands.length === 0 ? it.name() : it.commands.map((child) => `${it.name()} ${child.name()}`),
  );
  expect(listed.toSorted()).toEqual(named.toSorted());
});

test('a wrong name of an npm script is found', () => {
  const wrong = ['tests', 'bench', '--silent rolcall', '--prefix lab benches', '--prefix lab demo'];
  expect(wrong.flatMap((it) => wrongScripts(`Try npm run ${it}.`))).toHaveLength(wrong.length);
  const right = ['test:long', '--prefix lab soak -- --minutes 1', 'rollcall -- serve'];
  expect(right.flatMap((it) => wrongScripts(`Try npm run ${it}.`))).toEqual([]);
});

test('calls of rollcall are found, and their mistakes', () => {
  expect(PAGES.flatMap(callsOf).length).toBeGreaterThan(30);
  expect(wrongIn(['serve', '--prot', '80'])).toBe('serve has no --prot');
  expect(wrongIn(['keys', 'make'])).toBe('no command keys make');
  expect(wrongIn(['inport', 'automations'])).toBe('no command inport');
});

test('README names every page of docs', () => {
  const linked = linksOf('README.md').map((it) => it.replace(/#.*/, ''));
  const docs = PAGES.filter((it) => it.startsWith('docs/'));
  expect(docs.filter((it) => !linked.includes(it))).toEqual([]);
  for (const it of linked.filter((it) => it.endsWith('.png'))) expect(statSync(join(ROOT, it)).size).toBeGreaterThan(0);
});

/** Whether a file is in the package: npm has these always, and those that `files` of package.json lists. */
function isPacked(path: string): boolean {
  const listed = ['README.md', 'LICENSE', 'package.json', ...FILES_OF_PACKAGE].filter((it) => !it.startsWith('!'));
  const excluded = FILES_OF_PACKAGE.flatMap((it) => (it.startsWith('!') ? it.slice(1) : []));
  const isIn = (paths: readonly string[]): boolean => paths.some((it) => path === it || path.startsWith(`${it}/`));
  return isIn(listed) && !isIn(excluded);
}

test('the package has every page and every file that its pages link to, without pictures and sources', () => {
  const pages = PAGES.filter((it) => it === 'README.md' || it.startsWith('docs/'));
  expect(pages.filter((it) => !isPacked(it))).toEqual([]);
  expect(['docs/pictures/a.png', 'docs-other/a.md', 'test/docs/links.test.ts'].filter(isPacked)).toEqual([]);
  // README.md describes these as links to the repository.
  const ofRepository = /^docs\/pictures\/|^server\/|^lab\//;
  const missing = pages.flatMap((page) =>
    linksOf(page)
      .filter((it) => !/^(?:https:|#)/.test(it))
      .map((it) => normalize(join(dirname(page), it.replace(/#.*/, ''))))
      .filter((it) => !isPacked(it) && !ofRepository.test(it))
      .map((it) => `${page}: ${it}`),
  );
  expect(missing).toEqual([]);
});

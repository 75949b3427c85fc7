/** The reference says all of the contract, whatever the contract says. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { ORIGIN } from '../../scripts/reference/markup.ts';
import { renderLlms, renderMarkdown } from '../../scripts/reference/markdown.ts';
import { renderReference } from '../../scripts/reference/reference-page.ts';
import { COLLECTIONS, filterOf } from '../../contract/collections.ts';
import { loadContract } from '../../contract/document.ts';
import { textOf, valuesOf } from '../support/html.ts';
import { responses } from '../support/written-contract.ts';

const root = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const source = readFileSync(root('openapi.yaml'), 'utf8');
const html = renderReference(parse(source) as object);
const ids = valuesOf(html, 'id');

interface Written {
  readonly 'x-guide': readonly { readonly title: string; readonly text: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, { readonly get: { readonly operationId: string; readonly tags: string[] } }>>;
}
const { 'x-guide': guide, tags, paths } = parse(source) as Written;
const titles = tags.map(({ name }) => name);
const byTag = titles.flatMap((name) =>
  Object.values(paths).flatMap(({ get }) => (get.tags.includes(name) ? [get.operationId] : [])),
);
const { operations, schemas, problemStatus } = loadContract();
const headers = new Set(responses.flatMap(([, , it]) => Object.keys(it.headers)));

test.each<[string, readonly string[]]>([
  ['each operation', operations.map((it) => it.id)],
  ['each parameter', operations.flatMap((it) => it.parameters.map(({ name }) => `${it.id}-${name}`))],
  ['each response', responses.map(([id, status]) => `${id}-${String(status)}`)],
  ['each error', Object.keys(problemStatus).map((it) => `error-${it}`)],
  ['each header', [...headers].map((it) => `header-${it}`)],
  ['each schema', Object.keys(schemas).map((it) => `schema-${it}`)],
  [
    'each property',
    Object.entries(schemas).flatMap(([name, it]) =>
      Object.keys(it.properties ?? {}).map((of) => `schema-${name}-${of}`),
    ),
  ],
  ['each chapter', guide.map(({ title }) => title.toLowerCase().replaceAll(' ', '-'))],
])('an address for %s', (_, expected) => {
  expect(expected.length).toBeGreaterThan(3);
  expect(expected.filter((it) => !ids.includes(it))).toEqual([]);
});

test('each address once, and each link, label and reference leads somewhere', () => {
  expect(ids.filter((it, at) => ids.indexOf(it) !== at)).toEqual([]);
  const links = valuesOf(html, 'href').filter((it) => it.startsWith('#'));
  expect(links.length).toBeGreaterThan(200);
  const named = [
    ...links.map((it) => it.slice(1)),
    ...['for', 'aria-labelledby', 'popovertarget'].flatMap((it) => valuesOf(html, it)),
  ];
  expect(named.filter((it) => !ids.includes(it))).toEqual([]);
  // Whatever else there is, is beside the page, behind whatever prefix.
  const others = [...valuesOf(html, 'href'), ...valuesOf(html, 'src')].filter((it) => !it.startsWith('#'));
  expect(
    others.filter((it) => !/^(\.\/|openapi[\w.-]*|assets\/[\w/.-]+|favicon\.ico|docs\.md|llms\.txt)$/.test(it)),
  ).toEqual([]);
});

test('every description, summary and text of the contract', () => {
  const shown = words(textOf(html));
  const said = saidAs(/^(description|summary)$/);
  expect(said.length).toBeGreaterThan(90);
  expect(said.filter((it) => !shown.includes(words(it)))).toEqual([]);
  const sentences = guide
    .flatMap(({ text }) => text.split(/\n+|(?<=\.) /))
    .map((it) => words(it.replace(/^- /, '').replaceAll(/[|]/g, '')));
  expect(sentences.filter((it) => !/^[- ]*$/.test(it) && !shown.includes(it))).toEqual([]);
});
/** @returns the texts of the contract by such names. That of the one server is its address instead. */
function saidAs(names: RegExp): readonly string[] {
  const said: string[] = [];
  JSON.stringify(parse(source), (name, value: unknown) => {
    if (names.test(name) && typeof value === 'string' && !value.startsWith('The server that')) said.push(value);
    return value;
  });
  return said;
}
/** Without the signs of Markdown, and with single spaces. */
const words = (text: string): string => text.replaceAll('`', '').replaceAll(/\s+/g, ' ').trim();

test('the parts are in the order of a reader: quick start, guide, operations, reference, changelog', () => {
  const parts = [
    'introduction',
    'quick-start',
    'guide',
    'listAutomations',
    'errors',
    'headers',
    'schemas',
    'changelog',
  ];
  expect(ids.filter((it) => parts.includes(it))).toEqual(parts);
  const inNavigation = valuesOf(html.slice(html.indexOf('<nav'), html.indexOf('</nav>')), 'href').map((it) =>
    it.slice(1),
  );
  expect(byTag.slice(0, 3)).toEqual(['listAutomations', 'listContactImports', 'getContactImport']);
  expect(inNavigation).toEqual([
    ...['get-an-api-key', 'send-a-request', 'get-the-next-page', 'handle-errors'],
    ...guide.map(({ title }) => title.toLowerCase().replaceAll(' ', '-')).filter((it) => it !== 'errors'),
    ...byTag,
    ...['errors', 'headers', 'schemas', 'changelog'],
  ]);
});

test('a response has the properties of its schema in place, and those of its parts', () => {
  const section = html.split('aria-labelledby="listContactImports"')[1]?.split('</section>')[0] ?? '';
  const folded = section.slice(section.indexOf('id="listContactImports-200"'), section.indexOf('Other responses'));
  expect(textOf(folded).match(/Properties of \w+/g)).toEqual([
    'Properties of ContactImportList',
    'Properties of ContactImport',
    'Properties of ContactImportCounts',
  ]);
  expect(valuesOf(folded, 'href')).toContain('#schema-ContactImportCounts-skipped');
});

test('the type of a parameter is one that readers know, with a link to what it is', () => {
  const shown = html.slice(html.indexOf('id="listAutomations-after"'), html.indexOf('id="listAutomations-status"'));
  expect(textOf(shown)).toMatch(/^[^]*after\s+string \([a-z ]*id\)[^]*before\s+string \([a-z ]*id\)/);
  expect(textOf(html)).toMatch(/created_at\s+string \(timestamp\)/);
  expect(textOf(html)).toMatch(/completed_at\s+string or null \(completion timestamp\)/);
});

test('nobody is sent to an extension of the document', () => {
  expect(textOf(html)).not.toMatch(/\bx-[a-z]/);
  expect(renderMarkdown(parse(source) as object)).not.toMatch(/`x-[a-z]/);
});

test('the changelog has each version with its date and changes', () => {
  const document = { ...(parse(source) as object), 'x-changelog': CHANGELOG };
  const shown = textOf(renderReference(document).split('aria-labelledby="changelog"')[1] ?? '');
  expect(shown.replaceAll(/\s+/g, ' ')).toContain('Changelog 1.1.0 2027-01-02 Adds listSegments. Adds a filter. 1.0.0');
  expect(renderMarkdown(document)).toContain(
    '### 1.1.0\n\n2027-01-02\n\n- Adds `listSegments`.\n- Adds a filter.\n\n### 1.0.0',
  );
  const without = Object.fromEntries(Object.entries(document).filter(([name]) => name !== 'x-changelog'));
  expect(valuesOf(renderReference(without), 'id')).toContain('changelog');
});
const CHANGELOG = [
  { version: '1.1.0', date: '2027-01-02', changes: ['Adds `listSegments`.', 'Adds a filter.'] },
  { version: '1.0.0', date: '2026-12-01', changes: ['The first version.'] },
];

describe('as Markdown', () => {
  const markdown = renderMarkdown(parse(source) as object);

  test('it has every text of the contract, and its headings in the order of the page', () => {
    const shown = words(markdown);
    expect(saidAs(/^description$/).filter((it) => !shown.includes(words(it)))).toEqual([]);
    for (const { text } of guide) expect(markdown).toContain(text.trim());
    const headings = [...markdown.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^##? (.+)$/gm)].map((it) => it[1]);
    expect(headings).toEqual([
      ...['Rollcall reference', 'Quick start', ...guide.map(({ title }) => title).filter((it) => it !== 'Errors')],
      ...titles,
      ...['Errors', 'Headers', 'Schemas', 'Changelog'],
    ]);
    expect(markdown).not.toMatch(/undefined|\[object|\n{3}/);
  });

  test('its index links the documents, each chapter and each operation', () => {
    const index = renderLlms(parse(source) as object);
    expect(index).toMatch(/^# Rollcall\n\n> [^\n]+\n\n## Documentation\n\n- \[Reference\]\(docs\.md\): /);
    const targets = [...index.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S/gm)].map((it) => it[1] ?? '');
    expect(targets.slice(0, 4)).toEqual(['docs.md', 'docs', 'openapi.yaml', 'openapi-3.1.json']);
    expect(targets.slice(4)).toHaveLength(guide.length + operations.length);
    expect(targets.slice(4).filter((it) => !ids.includes(it.replace('docs#', '')))).toEqual([]);
    expect(index.match(/^- /gm)).toHaveLength(targets.length);
    for (const line of index.match(/^- \[[^\]]+\]\(docs#.*$/gm) ?? []) expect(line).toMatch(/[^.:]\.$/);
  });
});

test('is rendered alike every time, and marks each place of the address of the server', () => {
  expect(renderReference(parse(source) as object)).toBe(html);
  expect(textOf(html)).toContain(`curl "${ORIGIN}/`);
  expect(html).not.toContain('{origin}');
  expect(html.split(ORIGIN).length).toBe(html.split(`<span data-origin>${ORIGIN}<`).length + 1);
  expect(html).toContain(`<code data-origin>${ORIGIN}</code>`);
});

test('holds nothing that its policy rejects', () => {
  expect(html).not.toMatch(/ style=| on\w+=|javascript:|<style/i);
  expect(html.match(/<script[^>]*>[^<]*<\/script>/g)).toEqual([expect.stringMatching(/src="[^"]+"[^>]*><\/script>$/)]);
});

describe('another contract', () => {
  /** The automations once more, by another name. */
  const cohorts = (): string => {
    const more = source
      .replace(/\n {2}\/contact-properties:[\s\S]*?\n(?=components:)/, '\n')
      .replaceAll('Automation', 'Cohort')
      .replaceAll('automation', 'cohort');
    // Its changelog names operations that this contract no longer has.
    return more
      .replace(/\nx-changelog:[\s\S]*?\n(?=servers:)/, '\n')
      .replace(/\n {2}- name: Contact imports[\s\S]*?\n(?=security:)/, '\n');
  };

  test('has its own operations, examples and schemas, and no others', () => {
    const page = renderReference(parse(cohorts()) as object);
    expect(valuesOf(page, 'id')).toEqual(
      expect.arrayContaining(['listCohorts', 'listCohorts-status', 'schema-Cohort-name']),
    );
    expect(textOf(page)).toContain("await client.cohorts.list({ limit: 1, status: 'enabled' })");
    expect(textOf(page)).toContain(`"${ORIGIN}/cohorts?limit=1&status=enabled"`);
    for (const { id, path } of operations) expect(page).not.toMatch(new RegExp(`${id}|[}"\`]${path}\\b`));
  });

  test('with two parts of one address is rejected', () => {
    const twice = source.replace('- title: Sorting', '- title: Pagination');
    expect(() => renderReference(parse(twice) as object)).toThrow(
      'The reference would have duplicate addresses: pagination.',
    );
  });

  test('with markup in every text is shown as it is written', () => {
    const hostile = '<img src=x onerror=alert(1)><script>alert(2)</script>"\'><b>';
    let injected = 0;
    const document = JSON.parse(JSON.stringify(parse(source)), (name, value: unknown) => {
      if (
        typeof value !== 'string' ||
        !/^(title|text|description|summary|example|message|value|version|pattern|\d+)$/.test(name)
      )
        return value;
      injected += 1;
      return value + hostile;
    }) as object;
    const page = renderReference(document);
    expect(injected).toBeGreaterThan(150);
    // In quotes the sign of an element is none.
    const elements = page.replaceAll(/="[^"]*"/g, '');
    expect(elements).not.toMatch(/<img|<b>/);
    expect(textOf(elements).split(hostile).length).toBeGreaterThan(150);
    expect(elements.match(/<script/g)).toHaveLength(1);
  });
});

test('the renderer and the script name nothing of this contract', () => {
  const code = globSync(['scripts/reference/*.ts', 'server/pages/assets/reference/*'], { cwd: root('') })
    .map((it) => readFileSync(root(it), 'utf8'))
    .join('\n')
    .replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  expect(code.length).toBeGreaterThan(20_000);
  // Words of OpenAPI's extensions and of ARIA too, and filters, which may be any word.
  const common = ['id', 'limit', ...COLLECTIONS.flatMap((it) => filterOf(it) ?? [])];
  const parameters = operations.flatMap((it) => it.parameters.map(({ name }) => name));
  const quoted = [...parameters, ...Object.keys(problemStatus), ...Object.keys(schemas), ...headers];
  const names = [
    ...operations.flatMap((it) => [it.id, it.path]),
    ...quoted.filter((it) => !common.includes(it)).map((it) => `'${it}'`),
  ];
  expect(names.filter((it) => code.includes(it))).toEqual([]);
});

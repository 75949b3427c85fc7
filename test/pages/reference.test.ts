/** The reference says all of the contract, whatever the contract says. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { ORIGIN } from '../../scripts/reference/markup.ts';
import { renderReference } from '../../scripts/reference/page.ts';
import { COLLECTIONS, filterOf } from '../../server/contract/collections.ts';
import { loadContract } from '../../server/contract/document.ts';
import { textOf, valuesOf } from '../support/html.ts';

const root = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const source = readFileSync(root('openapi.yaml'), 'utf8');
const html = renderReference(parse(source) as object);
const ids = valuesOf(html, 'id');

interface Guide {
  readonly 'x-guide': readonly { readonly title: string; readonly text: string }[];
}
const guide = (parse(source) as Guide)['x-guide'];
const { operations, schemas, problemStatus } = loadContract();
const headers = new Set(
  operations.flatMap((it) => [...it.responses.values()].flatMap((of) => Object.keys(of.headers ?? {}))),
);

describe('an address for', () => {
  test.each<[string, readonly string[]]>([
    ['each operation', operations.map((it) => it.id)],
    ['each parameter', operations.flatMap((it) => it.parameters.map(({ name }) => `${it.id}-${name}`))],
    ['each answer', operations.flatMap((it) => [...it.responses.keys()].map((status) => `${it.id}-${String(status)}`))],
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
  ])('%s', (_, expected) => {
    expect(expected.length).toBeGreaterThan(3);
    expect(expected.filter((it) => !ids.includes(it))).toEqual([]);
  });
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
  expect(others.filter((it) => !/^(\.\/|openapi[\w.-]*|assets\/[\w/.-]+|data:,)$/.test(it))).toEqual([]);
});

test('every description, summary and text of the contract', () => {
  const shown = words(textOf(html));
  const said: string[] = [];
  JSON.stringify(parse(source), (name, value: unknown) => {
    // That of the one server is its address instead.
    if (/^(description|summary)$/.test(name) && typeof value === 'string' && !value.startsWith('The server that'))
      said.push(value);
    return value;
  });
  expect(said.length).toBeGreaterThan(90);
  expect(said.filter((it) => !shown.includes(words(it)))).toEqual([]);
  const sentences = guide
    .flatMap(({ text }) => text.split(/\n+|(?<=\.) /))
    .map((it) => words(it.replace(/^- /, '').replaceAll(/[|]/g, '')));
  expect(sentences.filter((it) => !/^[- ]*$/.test(it) && !shown.includes(it))).toEqual([]);
});
/** Without the signs of Markdown, and with single spaces. */
const words = (text: string): string => text.replaceAll('`', '').replaceAll(/\s+/g, ' ').trim();

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
    return more.replace(/\n {2}- name: Contact imports[\s\S]*?\n(?=security:)/, '\n');
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
      'The reference would have these addresses twice: pagination.',
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

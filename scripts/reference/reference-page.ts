/** The reference: a page that is rendered from the contract alone, and is readable without a script. */
import { guideSection, isChapter, KEY_HEADER, CHAPTERS, chapterSection } from './chapters.ts';
import { readContract } from './contract.ts';
import type { Contract } from './contract.ts';
import { anchors, code, createProse, h, heading, jsonCode, languageTabs, ORIGIN, render, tabs } from './markup.ts';
import type { Markup, Prose, Terms } from './markup.ts';
import { operationSection } from './operation.ts';
import { quickStart } from './quick-start.ts';
import type { Step } from './quick-start.ts';

/**
 * @param document the contract, with its references not resolved.
 * @returns HTML. `data-origin` marks each occurrence of the API's address.
 * @throws Error if two parts of the contract would have the same address in the page.
 */
export function renderReference(document: object): string {
  const contract = readContract(document);
  const prose = createProse(termsOf(contract));
  const html = render(page(contract, prose));
  assertUniqueAddresses(html);
  return `<!doctype html>\n${html}`;
}

function page(contract: Contract, prose: Prose): Markup {
  const { title, version, tags, operations } = contract;
  return h(
    'html',
    { lang: 'en' },
    h(
      'head',
      null,
      h('meta', { charset: 'utf-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      h('title', null, `${title} ${version}: reference`),
      h('link', { rel: 'icon', href: 'favicon.ico' }),
      h('link', { rel: 'stylesheet', href: 'assets/reference.css' }),
      // Runs before the first paint, so that the page has the chosen colours.
      h('script', { type: 'module', src: 'assets/reference.js', blocking: 'render' }),
    ),
    h(
      'body',
      null,
      h('a', { class: 'skip', href: '#content' }, 'Skip to content'),
      topBar(contract),
      navigation(contract),
      h(
        'main',
        { id: 'content', tabindex: -1 },
        introduction(contract, prose),
        quickStartSection(contract, prose),
        guideSection(contract, prose),
        tags.map(({ name, description }) => [
          heading(2, anchors.tag(name), name, { kind: 'operations' }),
          prose.block(description),
          operations.filter(({ tag }) => tag === name).map((operation) => operationSection(contract, prose, operation)),
        ]),
        CHAPTERS.map((chapter) => chapterSection(contract, prose, chapter)),
      ),
    ),
  );
}

function topBar({ title }: Contract): Markup {
  return h(
    'header',
    { class: 'top' },
    h('button', { type: 'button', class: 'menu', popovertarget: 'navigation' }, 'Menu'),
    h('a', { class: 'brand', href: '#content' }, title, ' ', h('span', null, 'reference')),
    // The script puts search and the choice of colours here.
    h('div', { class: 'search', role: 'search', hidden: true }),
    h('a', { class: 'console', href: './' }, 'Console'),
  );
}

function introduction({ title, version, description, key }: Contract, prose: Prose): Markup {
  return h(
    'section',
    { class: 'introduction', 'aria-labelledby': 'introduction' },
    h('h1', { id: 'introduction' }, title, ' reference'),
    prose.block(description),
    h(
      'dl',
      { class: 'base' },
      row('Base URL', h('code', { 'data-origin': true }, ORIGIN)),
      row(
        'Authentication',
        link(`#${anchors.header(KEY_HEADER)}`, h('code', null, `${KEY_HEADER}: ${key.scheme} <key>`)),
      ),
      row('Contract', [
        h('span', null, version),
        ' ',
        link('openapi.yaml', 'YAML'),
        ' ',
        link('openapi.json', 'JSON'),
        ' ',
        link('openapi-3.1.json', 'OpenAPI 3.1'),
      ]),
      // The script adds a button that copies the page.
      row('Markdown', [link('docs.md', 'docs.md'), ' ', link('llms.txt', 'llms.txt')]),
    ),
  );
}

function quickStartSection(contract: Contract, prose: Prose): Markup {
  return h(
    'section',
    { class: 'quick-start', 'aria-labelledby': 'quick-start' },
    heading(2, 'quick-start', 'Quick start', { kind: 'quick start' }),
    quickStart(contract).map((part) => step(prose, part)),
  );
}

function step(prose: Prose, { id, title, text, example, response }: Step): Markup {
  const shown =
    typeof example === 'string'
      ? tabs(`${id}-call`, 'shell', title, [{ label: 'Shell', content: code(example, 'curl') }])
      : languageTabs(`${id}-call`, title, example);
  return h(
    'section',
    { class: 'pair step', 'aria-labelledby': id },
    h('div', { class: 'words' }, heading(3, id, title, { kind: 'quick start' }), prose.block(text)),
    h(
      'div',
      { class: 'example' },
      shown,
      response === undefined
        ? undefined
        : tabs(`${id}-response`, 'body', `Response: ${title}`, [{ label: 'Response', content: jsonCode(response) }]),
    ),
  );
}

const row = (name: string, value: Markup): Markup => h('div', null, h('dt', null, name), h('dd', null, value));

function navigation(contract: Contract): Markup {
  const { tags, operations, guide } = contract;
  const group = (title: string, links: readonly Markup[]): Markup => [
    h('h2', null, title),
    h(
      'ul',
      null,
      links.map((item) => h('li', null, item)),
    ),
  ];
  return h(
    'nav',
    { id: 'navigation', popover: 'auto', 'aria-label': 'Reference' },
    group(
      'Quick start',
      quickStart(contract).map(({ id, title }) => link(`#${id}`, title)),
    ),
    group(
      'Guide',
      guide.filter(({ title }) => !isChapter(title)).map(({ title }) => link(`#${anchors.chapter(title)}`, title)),
    ),
    tags.map(({ name }) =>
      group(
        name,
        operations
          .filter(({ tag }) => tag === name)
          .map(({ id, summary }) => link(`#${anchors.operation(id)}`, summary)),
      ),
    ),
    group(
      'Reference',
      CHAPTERS.map((chapter) => link(`#${anchors.chapter(chapter)}`, chapter)),
    ),
  );
}

const link = (href: string, text: Markup): Markup => h('a', { href }, text);

/** The names that texts may link to. */
function termsOf({ operations, responses, headers, schemas }: Contract): Terms {
  const problems = responses.flatMap((response) => response.problems);
  return new Map([
    ...[...schemas.keys()].map((name) => [name, anchors.schema(name)] as const),
    ...[...headers.keys()].map((name) => [name, anchors.header(name)] as const),
    ...operations.map(({ id }) => [id, anchors.operation(id)] as const),
    ...problems.map((problem) => [problem, anchors.error(problem)] as const),
  ]);
}

function assertUniqueAddresses(html: string): void {
  const ids = [...html.matchAll(/ id="([^"]*)"/g)].map((match) => match[1] ?? '');
  const doubles = ids.filter((id, at) => ids.indexOf(id) !== at);
  if (doubles.length > 0) throw new Error(`The reference would have duplicate addresses: ${doubles.join(', ')}.`);
}

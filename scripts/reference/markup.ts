/** Markup as a tree, in which all content is text that one serializer escapes, and the parts that every section of the page has. */
import { createRequire } from 'node:module';
import { toHtml } from 'hast-util-to-html';
import { h as create } from 'hastscript';
import type { Child, Properties } from 'hastscript';
import MarkdownIt from 'markdown-it';

type Node = Exclude<Child, readonly unknown[]>;
/** What an element may hold: elements, text, nothing, and lists of these. */
export type Markup = Node | readonly Markup[];

/** @returns an element. */
export const h = (name: string, properties: Properties | null, ...children: readonly Markup[]): Node =>
  create(name, properties ?? {}, ...flat(children));

const flat = (of: readonly Markup[]): Node[] => of.flatMap((it) => (isList(it) ? flat(it) : [it]));
const isList = (it: Markup): it is readonly Markup[] => Array.isArray(it);

/** @param html by a library that has escaped all content of it. */
function raw(html: string): Markup {
  return { type: 'raw', value: html } as unknown as Node; // The serializer knows it, the types of hast do not.
}

/** @returns HTML in which each block begins a line, so that a diff is readable. Preformatted text stays as it is. */
export function render(markup: Markup): string {
  return toHtml(create(null, ...flat([markup])), { allowDangerousHtml: true })
    .split(/(<pre\b[\s\S]*?<\/pre>)/)
    .map((part, at) => (at % 2 === 1 ? `\n${part}` : part.replaceAll(BLOCK, '\n$1').replaceAll(/\n{2,}/g, '\n')))
    .join('')
    .trim()
    .concat('\n');
}

const BLOCK =
  /(<\/(?:head|body|header|nav|main|section|div|fieldset|details|form|ul|dl|table|thead|tbody|tr)>|<(?:head|meta|title|link|script|body|header|nav|main|section|div|fieldset|details|form|h[1-6]|p|ul|ol|dl|table|thead|tbody|tr|li|dt|dd|summary|legend|input|label|select|option|button|th|td)\b)/g;

/** @returns such as `conditional-requests`. */
const slug = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** The address of each part of the page. Addresses never change. */
export const anchors = {
  chapter: (title: string) => slug(title),
  tag: (name: string) => `tag-${slug(name)}`,
  operation: (id: string) => id,
  parameter: (operation: string, name: string) => `${operation}-${name}`,
  response: (operation: string, status: string) => `${operation}-${status}`,
  error: (name: string) => `error-${name}`,
  header: (name: string) => `header-${name}`,
  schema: (name: string) => `schema-${name}`,
  property: (schema: string, name: string) => `schema-${schema}-${name}`,
} as const;

/** What search shows of an anchor beside its title: its kind, and another name of it. */
interface Found {
  readonly kind: string;
  readonly alias?: string;
}

const find = ({ kind, alias }: Found): Properties => ({ 'data-kind': kind, 'data-alias': alias });

export function heading(level: 2 | 3 | 4, id: string, title: Markup, found?: Found): Markup {
  return h(`h${String(level)}`, { id, ...(found && find(found)) }, selfLink(id, title));
}

/** The term of a list of definitions, with an address of its own. */
export function term(id: string, name: string, found: Found, ...behind: Markup[]): Markup {
  return h('dt', { id, ...find(found) }, selfLink(id, h('code', null, name)), ' ', behind);
}

/** A link of a title to itself. */
export const selfLink = (id: string, title: Markup): Markup => h('a', { class: 'self', href: `#${id}` }, title);

interface Panel {
  readonly label: string;
  readonly content: Markup;
}

/**
 * Panels of which one is shown: radio buttons choose it, by the style sheet alone.
 * @param group the name of the radio buttons.
 * @param kind a class: panels of one kind may be chosen together.
 */
export function tabs(group: string, kind: string, legend: string, panels: readonly Panel[]): Markup {
  const panel = ({ label, content }: Panel, at: number): Markup => {
    const id = `${group}-${String(at + 1)}`;
    return [
      h('input', { type: 'radio', class: 'unseen', id, name: group, value: label, checked: at === 0 }),
      h('label', { for: id }, label),
      h('div', { class: 'panel' }, content),
    ];
  };
  return h('fieldset', { class: `tabs ${kind}` }, h('legend', { class: 'unseen' }, legend), panels.map(panel));
}

/** Content that is hidden until somebody opens it. */
export const fold = (summary: Markup, ...content: Markup[]): Markup =>
  h('details', null, h('summary', null, summary), content);

/** The part of highlight.js that is used. Its own types would bring the globals of browsers into every file of the project. */
interface Highlighter {
  readonly registerLanguage: (name: string, language: unknown) => void;
  readonly highlight: (text: string, options: { readonly language: string }) => { readonly value: string };
}
const require = createRequire(import.meta.url);
const hljs = require('highlight.js/lib/core') as Highlighter; // See above.

const LANGUAGES = ['bash', 'json', 'python', 'typescript'] as const;
for (const name of LANGUAGES) hljs.registerLanguage(name, require(`highlight.js/lib/languages/${name}`));

/** The address of the API that the page has by itself. The page's script and `--public-url` replace it wherever it is marked. */
export const ORIGIN = 'http://localhost:3000';

/** Code with colours, which are classes: the style sheet has them for light and dark. */
export function code(text: string, language: (typeof LANGUAGES)[number]): Markup {
  // highlight.js escapes all that is not its own.
  const coloured = hljs.highlight(text, { language }).value;
  const placed = coloured.replaceAll(ORIGIN, `<span data-origin>${ORIGIN}</span>`);
  return h('pre', { class: 'code' }, h('code', null, raw(placed)));
}

export const jsonCode = (value: unknown): Markup => code(jsonText(value), 'json');

/** @returns JSON by two spaces, but with objects of one line that fit into one. */
function jsonText(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replaceAll(/\{[^{}[\]]*\}/g, (text) => {
    const line = text.replaceAll(/\s*\n\s*/g, ' ');
    return line.length <= 60 ? line : text;
  });
}

/** The names that a text may contain, and their addresses: error names, headers, schemas, operations. */
export type Terms = ReadonlyMap<string, string>;

export interface Prose {
  /** @returns paragraphs, lists, tables and code. */
  readonly block: (text: string) => Markup;
  /** @returns content within a line. */
  readonly inline: (text: string) => Markup;
}

/** Renders the texts of the contract, which are Markdown. Markup in them is shown as it is written, and names in them are linked. */
export function createProse(terms: Terms): Prose {
  const markdown = new MarkdownIt('default', { html: false });
  const code = markdown.renderer.rules['code_inline'];
  markdown.renderer.rules['code_inline'] = (tokens, at, ...rest) => {
    const rendered = code?.(tokens, at, ...rest) ?? '';
    const anchor = terms.get(tokens[at]?.content ?? '');
    return anchor === undefined ? rendered : `<a href="#${markdown.utils.escapeHtml(anchor)}">${rendered}</a>`;
  };
  // markdown-it escapes all that is not its own.
  return {
    block: (text) => h('div', { class: 'prose' }, raw(markdown.render(text))),
    inline: (text) => raw(markdown.renderInline(text)),
  };
}

/** Markup as a tree, whose texts are escaped by one serializer, and the elements that all sections of the page share. */
import { toHtml } from 'hast-util-to-html';
import { h as create } from 'hastscript';
import type { Child, Properties } from 'hastscript';
import MarkdownIt from 'markdown-it';
import { highlight } from '../../server/pages/assets/reference/highlight.ts';
import { LANGUAGES } from '../../server/pages/assets/reference/samples.ts';
import type { Language, Samples } from '../../server/pages/assets/reference/samples.ts';
import { withTokens } from '../../server/pages/assets/shared/json.ts';
import { searchWordsOf } from './search-words.ts';

type Node = Exclude<Child, readonly unknown[]>;
type Tree = ReturnType<typeof create>; // Of an element.
/** What an element may hold: elements, text, nothing, and lists of these. */
export type Markup = Node | readonly Markup[];

/** @returns an element. */
export const h = (name: string, properties: Properties | null, ...children: readonly Markup[]): Node =>
  create(name, properties ?? {}, ...flat(children));

const flat = (parts: readonly Markup[]): Node[] => parts.flatMap((part) => (isList(part) ? flat(part) : [part]));
const isList = (markup: Markup): markup is readonly Markup[] => Array.isArray(markup);

/** @param html the output of a library that has escaped all content. */
function raw(html: string): Markup {
  return { type: 'raw', value: html } as unknown as Node; // The serializer supports raw nodes, the types of hast do not.
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

/** @returns a line of markup as Markdown: code in backticks, and links as their text. */
export function inMarkdown(markup: Markup): string {
  const textOf = (node: Tree | Tree['children'][number]): string => {
    if (node.type === 'text') return node.value;
    const text = 'children' in node ? node.children.map(textOf).join('') : '';
    return node.type === 'element' && node.tagName === 'code' ? `\`${text}\`` : text;
  };
  return textOf(create('span', {}, ...flat([markup])));
}

/** @returns a title as part of an address, such as `conditional-requests`. */
export const slug = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

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

/** What search shows of an anchor in addition to its title, and further words that find it. */
interface SearchWords {
  readonly kind: string;
  /** Another name. */
  readonly alias?: string;
}

function searchAttributes(title: Markup, { kind, alias }: SearchWords): Properties {
  // The name of a parameter or of a property is no topic.
  const isTopic = typeof title === 'string' && !kind.includes(' of ');
  const words = isTopic ? searchWordsOf(title) : undefined;
  return {
    'data-kind': kind,
    'data-words': [alias, words].filter((part) => part !== undefined).join(', ') || undefined,
  };
}

export function heading(level: 2 | 3 | 4, id: string, title: Markup, search?: SearchWords): Markup {
  return h(`h${String(level)}`, { id, ...(search && searchAttributes(title, search)) }, selfLink(id, title));
}

/** A term of a definition list, with its own address. */
export function term(id: string, name: string, search: SearchWords, ...details: Markup[]): Markup {
  return h('dt', { id, ...searchAttributes(name, search) }, selfLink(id, h('code', null, name)), ' ', details);
}

/** A link of a title to itself. */
export const selfLink = (id: string, title: Markup): Markup => h('a', { class: 'self', href: `#${id}` }, title);

interface Panel {
  readonly label: string;
  readonly content: Markup;
}

/**
 * Panels, one of which is visible. Radio buttons choose it, by the style sheet alone.
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

/** Code in each language. A language that is chosen in one place is chosen everywhere. */
export const languageTabs = (group: string, what: string, samples: Samples): Markup =>
  tabs(
    group,
    'languages',
    `Code: ${what}`,
    LANGUAGES.map((label) => ({ label, content: code(samples[label], label) })),
  );

/** Content that is hidden until the reader opens it. */
export const fold = (summary: Markup, ...content: Markup[]): Markup =>
  h('details', null, h('summary', null, summary), content);

/** The default address of the API in the page. The page's script and `--public-url` replace it wherever `data-origin` marks it. */
export const ORIGIN = 'http://localhost:3000';

/** Code with highlighting. Its colours are classes, which the style sheet defines for light and dark. */
export const code = (text: string, language: Language): Markup => pre(highlight(text, language, token));

export const jsonCode = (value: unknown): Markup => pre(withTokens(jsonText(value), token));

const token = (kind: string, text: string): Markup => h('span', { class: `t-${kind}` }, withOrigin(text));
const pre = (parts: readonly Markup[]): Markup => h('pre', { class: 'code' }, h('code', null, parts));

/** @returns the text with its addresses of the API marked. */
const withOrigin = (text: string): Markup =>
  text
    .split(ORIGIN)
    .flatMap((part, at): Markup[] => (at === 0 ? [part] : [h('span', { 'data-origin': true }, ORIGIN), part]));

/** @returns JSON indented by two spaces. Objects without nested values are on one line if they fit. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replaceAll(/\{[^{}[\]]*\}/g, (text) => {
    const line = text.replaceAll(/\s*\n\s*/g, ' ');
    return line.length <= 60 ? line : text;
  });
}

/** The names that a text may contain, and their addresses: the names of errors, headers, schemas and operations. */
export type Terms = ReadonlyMap<string, string>;

export interface Prose {
  /** @returns paragraphs, lists, tables and code. */
  readonly block: (text: string) => Markup;
  /** @returns content within a line. */
  readonly inline: (text: string) => Markup;
}

/** Renders the texts of the contract, which are Markdown. HTML in them is shown as text, and names in them are linked. */
export function createProse(terms: Terms): Prose {
  const markdown = new MarkdownIt('default', { html: false });
  const code = markdown.renderer.rules['code_inline'];
  markdown.renderer.rules['code_inline'] = (tokens, at, ...rest) => {
    const rendered = code?.(tokens, at, ...rest) ?? '';
    const anchor = terms.get(tokens[at]?.content ?? '');
    return anchor === undefined ? rendered : `<a href="#${markdown.utils.escapeHtml(anchor)}">${rendered}</a>`;
  };
  // markdown-it escapes everything except its own tags.
  return {
    block: (text) => h('div', { class: 'prose' }, raw(markdown.render(text))),
    inline: (text) => raw(markdown.renderInline(text)),
  };
}

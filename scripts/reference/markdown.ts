/** The contract's texts, which are Markdown. Markup in them is shown as it is written, and what it names is linked. */
import MarkdownIt from 'markdown-it';
import { h, raw } from './markup.ts';
import type { Markup } from './markup.ts';

/** What a text may name, and where that is: error names, headers, schemas, operations. */
export type Terms = ReadonlyMap<string, string>;

export interface Prose {
  /** @returns paragraphs, lists, tables and code. */
  readonly block: (text: string) => Markup;
  /** @returns what stands within a line. */
  readonly inline: (text: string) => Markup;
}

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

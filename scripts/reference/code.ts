/** Code with colours, which are classes: the style sheet has them for light and dark. */
import { createRequire } from 'node:module';
import { h, raw } from './markup.ts';
import type { Markup } from './markup.ts';

/** What is used of highlight.js. Its own types would bring the globals of browsers into every file of the project. */
interface Highlighter {
  readonly registerLanguage: (name: string, language: unknown) => void;
  readonly highlight: (text: string, options: { readonly language: string }) => { readonly value: string };
}
const require = createRequire(import.meta.url);
const hljs = require('highlight.js/lib/core') as Highlighter; // See above.

const LANGUAGES = ['bash', 'json', 'python', 'typescript'] as const;
for (const name of LANGUAGES) hljs.registerLanguage(name, require(`highlight.js/lib/languages/${name}`));

/** Where the API is as far as the page knows by itself. The page's script and `--public-url` put another address in its places. */
export const ORIGIN = 'http://localhost:3000';

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

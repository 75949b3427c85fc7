/**
 * Colours of code. `npm run generate` colours the samples of the page with this module, and the page's script those that it renders
 * again. It knows the languages of the samples only as far as the samples need.
 */
import type { Language } from './samples.ts';

/** The kind of a token, which decides its looks: a comment, a text, a number or a constant, a keyword, or what continues a line. */
export type Kind = 'note' | 'text' | 'value' | 'word' | 'more';

const KEYWORDS: Readonly<Record<Language, string>> = {
  curl: 'curl export',
  TypeScript: 'await async catch const for if import from instanceof new of throw try type',
  Python: 'and as def except for from if import in not print try while with',
  Go: 'defer for func if import package range return struct type var',
};
const CONSTANTS = new Set(['true', 'false', 'null', 'nil', 'True', 'False', 'None']);

const TEXT = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`[^`]*`/.source;
const WORD = /\b\d[\d._]*\b|\b[A-Za-z_]\w*\b| \\(?=\n)/.source;
const tokens = (comment: string): RegExp => new RegExp(`(${comment}.*)|(${TEXT})|(${WORD})`, 'g');
const TOKENS: Readonly<Record<Language, RegExp>> = {
  curl: tokens('#'),
  TypeScript: tokens('//'),
  Python: tokens('#'),
  Go: tokens('//'),
};

/**
 * @param show returns the element that shows a token.
 * @returns the whole text in order: tokens, and the text between them.
 */
export function highlight<T>(text: string, language: Language, show: (kind: Kind, token: string) => T): (T | string)[] {
  const keywords = KEYWORDS[language].split(' ');
  const parts: (T | string)[] = [];
  let from = 0;
  for (const { 0: token, 1: note, 2: quoted, index } of text.matchAll(TOKENS[language])) {
    const kind = note !== undefined ? 'note' : quoted !== undefined ? 'text' : kindOf(token, keywords);
    if (kind === undefined) continue;
    parts.push(text.slice(from, index), show(kind, token));
    from = index + token.length;
  }
  return [...parts, text.slice(from)].filter((part) => part !== '');
}

function kindOf(word: string, keywords: readonly string[]): Kind | undefined {
  if (word === ' \\') return 'more';
  if (/^\d/.test(word) || CONSTANTS.has(word)) return 'value';
  return keywords.includes(word) ? 'word' : undefined;
}

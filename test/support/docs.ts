/** The project's pages for people: their headings, blocks of code, and the words of code in their sentences. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './project.ts';

/** A block of code. */
export interface Block {
  readonly page: string;
  /** The heading it stands below. */
  readonly heading: string;
  readonly language: string;
  readonly code: string;
}

/** Every page, by its path in the project. */
export const PAGES: readonly string[] = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'client/README.md', 'audit/README.md'],
  ...readdirSync(join(ROOT, 'docs'))
    .filter((it) => it.endsWith('.md'))
    .map((it) => `docs/${it}`),
];

export const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

const BLOCK = /^```([\w-]*)\n([^]*?)^```$/gm;
const HEADING = /^#{1,6} (.+)$/gm;

/** @returns the text of a page without its blocks. */
export const proseOf = (page: string): string => textOf(page).replaceAll(BLOCK, '');

/** @returns what stands between backticks in the sentences of a page. */
export const spansOf = (page: string): readonly string[] =>
  [...proseOf(page).matchAll(/`([^`]+)`/g)].map(([, it = '']) => it.replaceAll(/\s+/g, ' '));

export const headingsOf = (page: string): readonly string[] =>
  [...proseOf(page).matchAll(HEADING)].map(([, it = '']) => it);

export function blocksOf(page: string): readonly Block[] {
  const text = textOf(page);
  return [...text.matchAll(BLOCK)].map(({ 1: language = '', 2: code = '', index }) => {
    const before = text.slice(0, index).replaceAll(BLOCK, '');
    return { page, heading: [...before.matchAll(HEADING)].at(-1)?.[1] ?? '', language, code };
  });
}

/** @returns the blocks of a language below a heading. */
export const codeBelow = (page: string, heading: string, language = 'sh'): readonly string[] =>
  blocksOf(page)
    .filter((it) => it.heading === heading && it.language === language)
    .map((it) => it.code);

/** @returns the only block of a language below a heading. @throws Error if there are several, or none. */
export function onlyCodeBelow(page: string, heading: string, language = 'sh'): string {
  const [code, ...others] = codeBelow(page, heading, language);
  if (code === undefined || others.length > 0)
    throw new Error(`${page}, ${heading} must have one block of ${language}.`);
  return code;
}

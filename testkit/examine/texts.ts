/** Says what a client has made of a text that somebody has written, and so what to change. */
import { counted } from '../../contract/wording.ts';
import { visible } from './values.ts';

const DECODE = 'decode the body as UTF-8';
const REPLACED = `characters are replaced; ${DECODE}, as a whole, and print UTF-8 or \\u escapes`;
const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const windows1252 = new TextDecoder('windows-1252');

const replacing =
  (those: RegExp, by: (character: string) => string) =>
  (text: string): string =>
    text.replaceAll(those, by);
const entity = (character: string): string => HTML[character] ?? character;
const character = (reference: string): string =>
  Object.entries(HTML).find(([, it]) => it === reference)?.[0] ?? reference;
const mark = (): string => '?';

/** Changes that clients make, and what is said about them. */
const CHANGES: readonly (readonly [change: (text: string) => string, what: string])[] = [
  [(it) => Buffer.from(it).toString('latin1'), `UTF-8 is read as Latin-1; ${DECODE}`],
  [(it) => windows1252.decode(Buffer.from(it)), `UTF-8 is read as Windows-1252; ${DECODE}`],
  ...[/[^\0-\x7f]/g, /[^\0-\x7f]/gu, /[\u{10000}-\u{10ffff}]/gu].map(
    (those) => [replacing(those, mark), REPLACED] as const,
  ),
  [(it) => it.trim(), 'blanks at its ends are removed'],
  ...['NFC', 'NFD', 'NFKC', 'NFKD'].map(
    (form) => [(it: string) => it.normalize(form), `it is normalized to ${form}`] as const,
  ),
  ...[/[&<>"']/g, /[&<>"]/g, /[&<>]/g].map((those) => [replacing(those, entity), 'it is escaped for HTML'] as const),
  [replacing(/&(?:amp|lt|gt|quot|#39);/g, character), 'entities of HTML are decoded'],
  [(it) => JSON.stringify(it).slice(1, -1), 'it is escaped twice'],
];

/** How much of a text is shown around a difference. */
const SHOWN = { before: 20, after: 20 };

/**
 * @param served a text as it was served.
 * @param printed another text.
 * @returns both where they differ, and how.
 */
export function differenceOfTexts(served: string, printed: string): string {
  const [before, after] = [Array.from(served), Array.from(printed)];
  const common = before.findIndex((it, index) => it !== after[index]);
  const at = common === -1 ? before.length : common;
  const excerpt = (text: readonly string[]): string => {
    const [start, end] = [Math.max(at - SHOWN.before, 0), at + SHOWN.after];
    const shown = visible(JSON.stringify(text.slice(start, end).join('')));
    return `${start > 0 ? '…' : ''}${shown}${end < text.length ? '…' : ''}`;
  };
  return `${excerpt(after)}, not ${excerpt(before)}: ${changeOf(served, printed, before, after, at)}`;
}

function changeOf(
  served: string,
  printed: string,
  before: readonly string[],
  after: readonly string[],
  at: number,
): string {
  const known = CHANGES.find(([change]) => change(served) === printed);
  if (known !== undefined) return known[1];
  if (printed.includes('\ufffd')) return REPLACED;
  if (at === after.length) return `it ends after ${counted(at, 'characters')}`;
  if (at === before.length) return `it goes on after ${counted(at, 'characters')}`;
  return `character ${String(at + 1)} is ${codePoint(after[at])}, not ${codePoint(before[at])}`;
}

const codePoint = (character = ''): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

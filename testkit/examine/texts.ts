/** Says what a client has made of a text, and so what to change. */

const IN_UTF_8 = 'decode the whole body as UTF-8, not its pieces, and print UTF-8 or \\u escapes';
const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const windows1252 = new TextDecoder('windows-1252');

/** Changes that clients make, and what is said about them. */
const CHANGES: readonly (readonly [change: (text: string) => string, what: string])[] = [
  [(it) => Buffer.from(it).toString('latin1'), 'UTF-8 is read as Latin-1: decode the body as UTF-8'],
  [(it) => windows1252.decode(Buffer.from(it)), 'UTF-8 is read as Windows-1252: decode the body as UTF-8'],
  [(it) => it.replaceAll(/[^\0-\x7f]/g, '?'), `what is not ASCII is replaced: ${IN_UTF_8}`],
  [(it) => it.replaceAll(/[^\0-\x7f]/gu, '?'), `what is not ASCII is replaced: ${IN_UTF_8}`],
  [(it) => it.trim(), 'blanks at its ends are removed'],
  ...['NFC', 'NFD', 'NFKC', 'NFKD'].map(
    (form) => [(it: string) => it.normalize(form), `it is normalized to ${form}`] as const,
  ),
  [(it) => it.replaceAll(/[&<>"']/g, (sign) => HTML[sign] ?? sign), 'it is escaped for HTML'],
  [(it) => it.replaceAll(/[&<>"]/g, (sign) => HTML[sign] ?? sign), 'it is escaped for HTML'],
  [(it) => it.replaceAll(/[&<>]/g, (sign) => HTML[sign] ?? sign), 'it is escaped for HTML'],
  [(it) => JSON.stringify(it).slice(1, -1), 'it is escaped twice: print one JSON string'],
];

/**
 * @param served a text as it was served.
 * @param printed another text.
 * @returns how they differ, in a few words.
 */
export function changeOf(served: string, printed: string): string {
  const known = CHANGES.find(([change]) => change(served) === printed);
  if (known !== undefined) return known[1];
  if (printed.includes('\ufffd')) return `a part of it is replaced: ${IN_UTF_8}`;
  const [before, after] = [Array.from(served), Array.from(printed)];
  if (served.startsWith(printed)) return `it ends after ${String(after.length)} characters`;
  const at = before.findIndex((it, index) => it !== after[index]);
  return at === -1
    ? `it goes on after ${String(before.length)} characters`
    : `character ${String(at + 1)} is ${codePoint(after[at])}, not ${codePoint(before[at])}`;
}

const codePoint = (character: string | undefined): string =>
  character === undefined ? 'none' : `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** What is said about a text that a client has changed. */
import { expect, test } from '@jest/globals';
import { differenceOfTexts } from '../../../testkit/examine/texts.ts';

const REPLACED = 'characters are replaced; decode the body as UTF-8, as a whole, and print UTF-8 or \\u escapes';
const LONG = '\u00e9'.repeat(1000);

test.each([
  ['Zoë', 'ZoÃ«', '"ZoÃ«", not "Zoë": UTF-8 is read as Latin-1; decode the body as UTF-8'],
  [
    '“a”',
    'â€œaâ€\u009d',
    String.raw`"â€œaâ€\u009d", not "“a”": UTF-8 is read as Windows-1252; decode the body as UTF-8`,
  ],
  ['Zoë', 'Zo?', `"Zo?", not "Zoë": ${REPLACED}`],
  ['a😀', 'a?', `"a?", not "a😀": ${REPLACED}`],
  ['a😀', 'a??', `"a??", not "a😀": ${REPLACED}`],
  ['Zoë😀', 'Zoë?', `"Zoë?", not "Zoë😀": ${REPLACED}`],
  ['Zoë 1', 'Zo\ufffd 1', `"Zo\ufffd 1", not "Zoë 1": ${REPLACED}`],
  [' a ', 'a', '"a", not " a ": blanks at its ends are removed'],
  ['e\u0301', '\u00e9', String.raw`"é", not "e\u0301": it is normalized to NFC`],
  ['a & b', 'a &amp; b', '"a &amp; b", not "a & b": it is escaped for HTML'],
  ['a &amp; b', 'a & b', '"a & b", not "a &amp; b": entities of HTML are decoded'],
  ['a\ufffe', 'a\u200b', String.raw`"a\u200b", not "a\ufffe": character 2 is U+200B, not U+FFFE`],
  ['a\nb', 'a\\nb', String.raw`"a\\nb", not "a\nb": it is escaped twice`],
  ['abc', 'a', '"a", not "abc": it ends after 1 character'],
  ['abc', 'abcd', '"abcd", not "abc": it goes on after 3 characters'],
  ['😀b', '😀B', '"😀B", not "😀b": character 2 is U+0042, not U+0062'],
  [LONG, LONG.slice(0, 255), `…"${LONG.slice(0, 20)}", not …"${LONG.slice(0, 40)}"…: it ends after 255 characters`],
])('%j became %j', (served, printed, difference) => {
  expect(differenceOfTexts(served, printed)).toBe(difference);
});

/** The one function between what a server says and what people see: no part of a key is shown, wherever a text is cut, and no command of a CI. */
import { describe, expect, test } from '@jest/globals';
import { redactionOf } from '../../../audit/lists/session.ts';
import { code, own, printable, quote, say } from '../../../audit/rules/text.ts';
import { createRedaction, showOutcome } from '../../../audit/session/redact.ts';
import type { Redaction } from '../../../audit/session/redact.ts';
import { counted } from '../../../contract/wording.ts';
import { REDACTIONS, keyOf, shownOf, stringOf } from '../../support/credentials.ts';
import fc from '../../support/fast-check.ts';
import { show } from '../../support/text.ts';

const hexOf = (bytes: Buffer): readonly string[] => [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
const each =
  (encode: (character: string) => string) =>
  (text: string): string =>
    Array.from(text, encode).join('');
const codeOf = (character: string): number => character.codePointAt(0) ?? 0;
const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string =>
  text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** How a server may write a string: each character by itself. */
const PLAIN: readonly (readonly [name: string, encode: (text: string) => string])[] = [
  ['as it is', (text) => text],
  ['in upper case', (text) => text.toUpperCase()],
  ['in lower case', (text) => text.toLowerCase()],
  ['in a URL', encodeURIComponent],
  ['in a URL, in lower case', (text) => encodeURIComponent(text).toLowerCase()],
  [
    'in a URL, every byte',
    (text) =>
      hexOf(Buffer.from(text))
        .map((it) => `%${it}`)
        .join(''),
  ],
  ['in a form', (text) => new URLSearchParams({ a: text }).toString().slice('a='.length)],
  ['in JSON', (text) => JSON.stringify(text).slice(1, -1)],
  ['in JSON of PHP', (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/')],
  ['in JSON, every character', escaped],
  ['in HTML', each((it) => NAMED[it] ?? it)],
  ['in HTML, as numbers', each((it) => `&#${String(codeOf(it))};`)],
  ['in HTML, as PHP writes it', each((it) => (/\w/.test(it) ? it : `&#0${String(codeOf(it))};`))],
  ['in HTML, in hex', each((it) => (/\w/.test(it) ? it : `&#x${codeOf(it).toString(16).toUpperCase()};`))],
];

/** Text that stands around a key. */
const around = stringOf('abcXYZ 012/?&="<{[\n', { maxLength: 40 });
const kind = fc.constantFrom(...REDACTIONS);

/** @returns what is shown of a text, cut at every length. */
const cutsOf = (redaction: Redaction, text: string): readonly string[] =>
  Array.from({ length: text.length + 2 }, (_, max) => redaction.show(say`before ${quote(text, max)} after`));

/** Fails if a key is shown in any way to write it, wherever its text is cut. */
function expectNone(redaction: Redaction, key: string, before: string, after: string): void {
  for (const [name, encode] of PLAIN) {
    const found = cutsOf(redaction, before + encode(key) + after).find((it) => shownOf(key, it, encode) !== undefined);
    expect([name, found]).toEqual([name, undefined]);
  }
}

describe('no part of a key is shown, wherever it stands and the text is cut:', () => {
  test.each([
    [8, 64],
    [3, 7],
  ])('each character written by itself, keys of %i to %i characters', (min, max) => {
    fc.assert(
      fc.property(kind, keyOf(min, max), around, around, ([, redactionFor], key, before, after) => {
        expectNone(redactionFor(key), key, before, after);
      }),
      { numRuns: 15 },
    );
  });

  test('any text may be a password, or the value of a parameter', () => {
    const anyKind = fc.constantFrom(...REDACTIONS.filter(([name]) => /password|parameter/.test(name)));
    const anyKey = keyOf(8, 40, '  "\'é\u{1f600}');
    fc.assert(
      fc.property(anyKind, anyKey, around, around, ([, redactionFor], key, before, after) => {
        expectNone(redactionFor(key), key, before, after);
      }),
      { numRuns: 10 },
    );
  });

  test.each(['base64', 'base64url', 'hex'] as const)('all of it in %s, with what stands around it', (encoding) => {
    // Six bytes are eight characters of base64. Those at the ends depend on the neighbours, too.
    const [run, ends] = encoding === 'hex' ? [12, 0] : [8, 2];
    fc.assert(
      fc.property(kind, keyOf(12, 64), around, around, ([, redactionFor], key, before, after) => {
        const [start, end] = [before.length, before.length + key.length];
        const all = Buffer.from(before + key + after).toString(encoding);
        const [from, to] = [Math.ceil((start * run) / 6) + ends, Math.floor((end * run) / 6) - ends];
        const own = Array.from({ length: to - from - run + 1 }, (_, at) => all.slice(from + at, from + at + run));
        for (const shown of cutsOf(redactionFor(key), all))
          expect(own.find((it) => shown.includes(it))).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });

  test('a short one that ends like base64', () => {
    expect(redactionOf([{ url: 'http://a/', headers: { Authorization: 'Bearer a==' } }]).show(quote('a==.'))).toBe(
      '….',
    );
  });

  // Only a part of a long text is read, which may end within a key: wherever that is.
  test.each<[string, number, number, (key: string, before: number) => string]>([
    ['behind what is hidden', 60, 6000, (key, before) => 'x'.repeat(before) + key],
    ['among many', 100, 100, (key, before) => '-'.repeat(before) + escaped(key).repeat(250)],
  ])('a key in a long text, %s', (_, max, longest, textOf) => {
    const key = 'Th3.Key!';
    const redaction = createRedaction([[key, '…']], (text) => text.replaceAll(/x+/g, '…'));
    for (let before = 0; before < longest; before += 1) {
      const shown = redaction.show(quote(textOf(key, before) + 'y'.repeat(6000), max));
      for (const encode of [(it: string) => it, escaped]) expect(shownOf(key, shown, encode)).toBeUndefined();
    }
  });

  test('what is shown of a text is chosen once its secrets are hidden', () => {
    const { show: shown } = createRedaction([['the-key-of-all', '<key>']]);
    expect(shown(quote('id: the-key-of-all', 60, (it) => it.slice(4, 9)))).toBe('<key>');
    expect(shown(quote('xthe-key-of-all', 60, (it, redact) => `${it} not ${redact('the-key-of-all')}`))).toBe(
      'x<key> not <key>',
    );
  });

  test('a longer secret is hidden before one that is a part of it', () => {
    const { show: shown } = createRedaction([
      ['key-of', '<part>'],
      ['the-key-of-all', '<key>'],
    ]);
    expect(shown(quote('the-key-of-all, key-of'))).toBe('<key>, <part>');
  });

  test('a value of a parameter that is named like a key is hidden, unless it belongs to the pagination', () => {
    const { show: shown } = redactionOf([{ url: 'http://a/' }], [], (name) => name === 'page_token');
    expect(shown(quote('/a?page_token=1&api_key=2&sig=3&x=4'))).toBe('/a?page_token=1&api_key=…&sig=…&x=4');
  });
});

describe('our own words and numbers are never touched:', () => {
  test('whatever the key is', () => {
    const words = 'the list has other items: page 2 of 150';
    fc.assert(
      fc.property(kind, fc.constantFrom(...words.split(' '), words, 'ite', '150'), ([, redactionFor], key) => {
        const { show: shown } = redactionFor(key);
        expect(shown(say`${own(words)}, ${150}, ${counted(150, 'items')}`)).toBe(`${words}, 150, 150 items`);
      }),
    );
  });

  test('a user and a password that are numbers', () => {
    const { show: shown } = redactionOf([{ url: 'http://a/', auth: '148:110' }]);
    const text = say`${110} of ${counted(150, 'items')} are missing with ${3} per page; first missing: ${quote('148-110-9')}`;
    expect(shown(text)).toBe('110 of 150 items are missing with 3 per page; first missing: …-…-9');
  });

  test('what is no word of ours does not compile in a sentence', () => {
    const outside = ['a', 'server'].join(' ');
    // @ts-expect-error: it may be anything.
    expect(show(say`from ${outside}`)).toBe('from a server');
    // @ts-expect-error: so may a part of it.
    expect(show(say`from ${`a ${outside}`}`)).toBe('from a a server');
    // @ts-expect-error: it is shown already, and may be cut or escaped.
    expect(show(say`from ${show(quote(outside))}`)).toBe('from a server');
    const word: 'page' | 'item' = outside.length > 2 ? 'page' : 'item';
    expect(show(say`${word} ${2}: ${quote(outside)}, ${code(outside)}, ${own(outside)}`)).toBe(
      'page 2: a server, `a server`, a server',
    );
  });
});

test('a quote is cut, and a long one says how long it is', () => {
  expect(show(say`${quote('x'.repeat(61))}.`)).toBe(`${'x'.repeat(60)}….`);
  expect(show(say`${quote('x'.repeat(60))}.`)).toBe(`${'x'.repeat(60)}.`);
  expect(show(quote('x'.repeat(400), 300))).toBe(`${'x'.repeat(300)}… (400 characters)`);
});

test('every text of an outcome is shown', () => {
  const { show: shown } = createRedaction([['secret', '…']]);
  const [text, seen] = [quote('a secret\u0007'), 'a …\\u0007'];
  const finding = { request: text, expected: text, actual: text, difference: text, change: text, sameAs: text };
  const all = { ...finding, exchanges: [text, text], again: text };
  const shownAll = { ...Object.fromEntries(Object.keys(all).map((it) => [it, seen])), exchanges: [seen, seen] };
  for (const outcome of ['failed', 'noted'] as const)
    expect(showOutcome({ outcome, findings: [all, all] }, shown)).toEqual({ outcome, findings: [shownAll, shownAll] });
  expect(showOutcome({ outcome: 'not_checked', reason: text, cause: 'a.b' }, shown)).toEqual({
    ...{ outcome: 'not_checked', reason: seen, cause: 'a.b' },
  });
  expect(showOutcome({ outcome: 'passed' }, shown)).toEqual({ outcome: 'passed' });
});

describe('what is printed is one line, and no command:', () => {
  test.each([
    ['plain é 👋 \u200d text', 'plain é 👋 \u200d text'],
    ['a\r\n\tb', String.raw`a\u000d\u000a\u0009b`],
    ['\0\u001b\u007f\u0080\u009f', String.raw`\u0000\u001b\u007f\u0080\u009f`],
    ['\u2028\u2029\u061c\u200e\u202e\u2066\u2069', String.raw`\u2028\u2029\u061c\u200e\u202e\u2066\u2069`],
    ['a ##[error]x, ##vso[task.debug]y', String.raw`a \u0023#[error]x, \u0023#vso[task.debug]y`],
    [' ::error::x ::warning::y', String.raw` \u003a:error::x ::warning::y`],
    ['a: :b, #[c], ## [d], ##1[e]', 'a: :b, #[c], ## [d], ##1[e]'],
  ])('%j is printed as %s', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  const parts = [
    '##[',
    '##vso[',
    '##VSO[',
    '#',
    '##',
    ']',
    '::',
    ':',
    'error',
    'Group',
    ' ',
    '\t',
    '\n',
    '\r',
    '\u2028',
    '\u0085',
  ];
  const hostile = fc.array(fc.constantFrom(...parts, 'x', '"', '\\', '\u202e', '\ud800', '\u{1f600}'), {
    maxLength: 12,
  });
  /** Whether GitHub, Azure or what is made like them takes a line for a command. */
  const isCommand = (line: string): boolean => /##\w*\[/.test(line) || /^\s*::/.test(line);

  test('any text', () => {
    fc.assert(
      fc.property(hostile, (all) => {
        const shown = printable(all.join(''));
        expect(shown).not.toMatch(/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/u);
        expect(isCommand(shown)).toBe(false);
        expect(printable(shown)).toBe(shown);
      }),
      { numRuns: 2000 },
    );
  });

  test('a sentence whose parts are one only together', () => {
    expect(show(say`#${quote('#[error]')}`)).toBe('\\u0023#[error]');
    expect(show(say` ${quote(':')}:error::x`)).toBe(' \\u003a:error::x');
  });

  test('JSON, which parses to the same', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          hostile.map((it) => it.join('')),
          hostile.map((it) => it.join('')),
        ),
        (value) => {
          const lines = JSON.stringify({ value: { ...value }, all: Object.keys(value) }, null, 2)
            .split('\n')
            .map(printable);
          expect(lines.filter(isCommand)).toEqual([]);
          expect(JSON.parse(lines.join('\n'))).toEqual({ value: { ...value }, all: Object.keys(value) });
        },
      ),
      { numRuns: 500 },
    );
  });
});

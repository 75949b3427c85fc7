/** JSON as the console shows it: exact, and readable whatever is in it. */
import { expect, test } from '@jest/globals';
import { escapeInvisible, isNumber, isObject, parse, pretty, textOf } from '../../server/pages/assets/shared/json.ts';

test.each(['1.0', '-0', '1e3', '123456789012345678901', '0.1000', '1', '-12.5'])(
  'the number %s stays as it is',
  (text) => {
    const value = parse(`{"n":${text}}`);
    expect(pretty(value)).toBe(`{\n  "n": ${text}\n}`);
    const number = isObject(value) ? value['n'] : undefined;
    expect(textOf(number)).toBe(text);
    expect(isNumber(number)).toBe(true);
    expect(isObject(number)).toBe(false);
  },
);

test('a number that a double holds is a number', () => {
  expect(parse('{"total":1200}')).toEqual({ total: 1200 });
});

test.each([
  ['\u202e', String.raw`"\u202e"`],
  ['\u2066a\u2069', String.raw`"\u2066a\u2069"`],
  ['\u0085\u00ad\ufeff\u2028', String.raw`"\u0085\u00ad\ufeff\u2028"`],
  ['\u{e0001}', String.raw`"\udb40\udc01"`],
  ['\u0000\n\t"\\', String.raw`"\u0000\n\t\"\\"`],
  ['👨\u200d👩\u200d👧 नमस्\u200cते', '"👨\u200d👩\u200d👧 नमस्\u200cते"'],
  ['<script>alert(1)</script>', '"<script>alert(1)</script>"'],
])('the text %j is readable, and the same', (text, shown) => {
  expect(pretty(text)).toBe(shown);
  expect(JSON.parse(pretty(text))).toBe(text);
});

test('several lines stay lines', () => {
  expect(escapeInvisible('a\nb\u202e\r')).toBe('a\nb' + String.raw`\u202e\u000d`);
});

test('texts for a cell are in one line', () => {
  expect(textOf('a\nb\r\tc\u202ed')).toBe(String.raw`a\nb\r\tc\u202ed`);
  expect(textOf('"plain"')).toBe('"plain"');
  expect([true, null, [1, 'a'], { b: 2 }].map(textOf)).toEqual(['true', 'null', '[1,"a"]', '{"b":2}']);
});

test('text that is not JSON is an error', () => {
  expect(() => parse('<html>')).toThrow(SyntaxError);
});

/** What a run of `conform` shows of texts: no key, and no more than a reader wants. */
import { describe, expect, test } from '@jest/globals';
import { redactionOf } from '../../../audit/conform/checked-session.ts';
import { LONG, quote, say } from '../../../audit/rules/text.ts';

describe('quotes are without keys, and cut to a readable length:', () => {
  const server = { url: 'http://127.0.0.1:1', key: 'A-key+of/mine0', otherKey: 'another-key' };
  const base64 = (text: string): string => Buffer.from(text).toString('base64');

  test.each([
    ['Authorization: Bearer A-key+of/mine0', 'Authorization: Bearer <key>'],
    ['?api_key=A-key%2Bof%2Fmine0', '?api_key=<key>'],
    ['Bearer A-key+of/mine1 and A-key+of/mine00', 'Bearer <key>1 and <key>0'],
    ['a-key+of/mine0, A-KEY+OF/MINE0', '<key>, <key>'],
    [`Basic ${base64('A-key+of/mine0:')}, Basic ${base64('user:A-key+of/mine0')}`, 'Basic <key>, Basic <key>'],
    ['another-key', '<other key>'],
  ])('%s', (text, shown) => {
    expect(redactionOf(server).show(quote(text, 100))).toBe(shown);
  });

  test.each([0, 1, 2, 3])('base64 and hex copies of a key after %i other bytes', (before) => {
    const key = 'rollcall_0123456789abcdef0123456789abcdef01234567';
    const copy = Buffer.from(`${'?'.repeat(before)}${key}?>`);
    for (const encoding of ['base64', 'base64url', 'hex'] as const) {
      const shown = redactionOf({ ...server, key }).show(quote(`echo: ${copy.toString(encoding)}`));
      expect(shown).toMatch(/^echo: [\w+/-]{0,6}<key>[\w+/=-]{0,6}$/);
    }
  });

  test('half a long key, and one without its prefix, are hidden too', () => {
    const key = 'rollcall_0123456789abcdef';
    const parts = `Bearer ${key.slice(0, 13)}, ${key}, ${key.slice('rollcall_'.length)}`;
    expect(redactionOf({ ...server, key }).show(quote(parts, 100))).toBe('Bearer <key>, <key>, <key>');
  });

  test('a key as short as a word is hidden in quotes, and takes none of our own words away', () => {
    const { show } = redactionOf({ ...server, key: 'list' });
    const text = say`the list cannot be paged through: ${quote('GET /list: Bearer list')}`;
    expect(show(text)).toBe('the list cannot be paged through: GET /<key>: Bearer <key>');
  });

  test('a long text is cut, its keys hidden first', () => {
    const text = quote(`${'x'.repeat(295)}${server.key}${'y'.repeat(1000)}`, LONG);
    expect(redactionOf(server).show(text)).toBe(`${'x'.repeat(295)}<key>… (1309 characters)`);
  });
});

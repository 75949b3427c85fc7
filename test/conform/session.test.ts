/** The texts of a run: without keys, and cut to a readable length. */
import { expect, test } from '@jest/globals';
import { redact } from '../../server/conform/session.ts';

const server = { url: 'http://127.0.0.1:1', key: 'a-key+of/mine', key2: 'another-key' };

test.each([
  ['Authorization: Bearer a-key+of/mine', 'Authorization: Bearer <key>'],
  ['?api_key=a-key%2Bof%2Fmine', '?api_key=<key>'],
  ['Bearer a-key+of/min1 and a-key+of/mine0', 'Bearer <key>1 and <key>0'],
  ['another-key', '<key2>'],
])('%s', (text, shown) => {
  expect(redact(text, server)).toBe(shown);
});

test('a key as short as a word does not take the words away', () => {
  expect(redact('the list cannot be paged through: Bearer k', { ...server, key: 'k' })).toBe(
    'the list cannot be paged through: Bearer <key>',
  );
});

test('a long text is cut, its keys hidden first', () => {
  const shown = redact(`${'x'.repeat(295)}${server.key}${'y'.repeat(1000)}`, server);
  expect(shown).toBe(`${'x'.repeat(295)}<key>… (1300 characters)`);
});

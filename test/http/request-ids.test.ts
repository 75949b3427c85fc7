/** The id of a request: the caller's, if it is a plain one, or one that says nothing of the others. */
import { expect, test } from '@jest/globals';
import { openTestApp } from '../support/app.ts';
import { exchange, lastText, parseResponse } from '../support/raw.ts';
import { get } from '../support/requests.ts';
import { serve } from '../support/served.ts';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('a plain id is kept, any other is replaced', async () => {
  const t = await openTestApp();
  const idOf = async (id: string, target = '/automations'): Promise<string | undefined> =>
    (await get(t, target, { 'x-request-id': id })).headers['x-request-id'];
  for (const id of ['abc', 'a'.repeat(128), 'req_01:A/b+c=@~.-', '0b5a6c1e-6f0e-4b58-9d43-5c1f7a7f7d0e']) {
    expect([await idOf(id), await idOf(id, '/nope')]).toEqual([id, id]);
  }
  for (const id of ['', 'a'.repeat(129), 'a'.repeat(10_000), 'two words', 'a,b', 'quote"', '<script>', 'ümlaut']) {
    expect(await idOf(id)).toMatch(UUID_V4);
  }
});

test('one that the server makes tells nothing of the others, wherever the response comes from', async () => {
  const { url, key } = await serve();
  const texts = [
    ...[lastText(key), lastText(key, '/docs'), lastText(key, '/nope')],
    ...['FETCH / HTTP/1.1\r\n\r\n', 'GET / HTTP/1.1\r\nA B: c\r\n\r\n'],
  ];
  const ids: string[] = [];
  for (let round = 0; round < 8; round += 1) {
    for (const text of texts) ids.push(String(parseResponse(await exchange(url, text)).headers['x-request-id']));
  }
  expect(ids.filter((it) => !UUID_V4.test(it))).toEqual([]);
  // No part of an id, long enough to tell one from another, comes again in a second id.
  for (const from of [0, 4, 8, 12, 16, 20]) {
    const parts = ids.map((it) => it.replaceAll('-', '').slice(from, from + 12));
    expect(new Set(parts).size).toBe(ids.length);
  }
  // And none is the one before it, some steps on.
  const numbers = ids.map((it) => BigInt(`0x${it.slice(-12)}`));
  const steps = numbers.slice(1).map((it, at) => it - (numbers[at] ?? 0n));
  expect(new Set(steps).size).toBe(steps.length);
});

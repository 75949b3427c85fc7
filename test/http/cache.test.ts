/** What the caches hold, and how much of it. That no stale entry is ever served is tested in `test/cache`. */
import { describe, expect, test } from '@jest/globals';
import { createCache } from '../../server/http/cache.ts';
import type { Access, Reply } from '../../server/http/cache.ts';
import type { Records } from '../../server/store/store.ts';
import type { Account } from '../../contract/types.ts';

const accessTo = (account: number): Access => ({
  caller: { account: account as Account, accountName: 'a', keyId: 'k', records: {} as Records }, // Any number is one here.
  handlers: {} as Access['handlers'], // The caches do not call them.
});
const ACCESS = accessTo(1);
const reply = (length: number): Reply => ({
  ...{ body: 'x'.repeat(length), bytes: length, etag: '"x"', headers: [], unchangedHeaders: [] },
});
/** What `sizeOf` makes of the length of a body. */
const sizeOf = (length: number): number => 2 * length + 1000;

describe('replies', () => {
  const filled = (replyBytes: number, count: number, length = 500): readonly string[] => {
    const generation = createCache(replyBytes)(1);
    const targets = Array.from({ length: count }, (_, at) => `/${String(at)}`);
    for (const target of targets) {
      for (const _ of [1, 2]) generation.addReply(ACCESS, target, reply(length));
    }
    return targets.filter((it) => generation.replyOf(ACCESS, it) !== undefined);
  };

  test('are cached the second time they are made', () => {
    const generation = createCache(10_000)(1);
    const made = reply(10);
    generation.addReply(ACCESS, '/a', made);
    expect(generation.replyOf(ACCESS, '/a')).toBeUndefined();
    generation.addReply(ACCESS, '/a', made);
    expect(generation.replyOf(ACCESS, '/a')).toBe(made);
    expect(generation.replyOf(accessTo(2), '/a')).toBeUndefined();
  });

  test('take as many bytes as they may, and the latest stay', () => {
    expect(filled(5 * sizeOf(500), 20)).toEqual(['/15', '/16', '/17', '/18', '/19']);
    expect(filled(5 * sizeOf(500) - 1, 20)).toEqual(['/16', '/17', '/18', '/19']);
  });

  test('stay if they are read again and again, however many come meanwhile', () => {
    const generation = createCache(3 * sizeOf(10))(1);
    for (const _ of [1, 2]) generation.addReply(ACCESS, '/read', reply(10));
    for (let at = 0; at < 100; at += 1) {
      for (const _ of [1, 2]) generation.addReply(ACCESS, `/${String(at)}`, reply(10));
      expect(generation.replyOf(ACCESS, '/read')).toBeDefined();
    }
    expect(generation.replyOf(ACCESS, '/50')).toBeUndefined();
  });

  test('that are too large are not cached', () => {
    expect(filled(sizeOf(500), 1)).toEqual(['/0']);
    expect(filled(sizeOf(500) - 1, 1)).toEqual([]);
  });

  test('of a target that is too long are not cached', () => {
    const generation = createCache(10_000)(1);
    for (const length of [300, 301]) {
      const target = '/'.padEnd(length, 'x');
      for (const _ of [1, 2]) generation.addReply(ACCESS, target, reply(10));
      expect(generation.replyOf(ACCESS, target) !== undefined).toBe(length === 300);
    }
  });
});

test('keys may be so many, and so long', () => {
  const generation = createCache(10_000)(1);
  for (let at = 0; at <= 10_000; at += 1) generation.addAccess(String(at), ACCESS);
  expect(generation.accessOf('0')).toBeUndefined();
  expect([generation.accessOf('1'), generation.accessOf('10000')]).toEqual([ACCESS, ACCESS]);
  generation.addAccess('x'.repeat(301), ACCESS);
  expect(generation.accessOf('x'.repeat(301))).toBeUndefined();
});

test('a new revision has an empty generation, and what is added to the old one is not in it', () => {
  const generationOf = createCache(10_000);
  const old = generationOf(1);
  old.addAccess('key', ACCESS);
  expect(generationOf(1)).toBe(old);
  const next = generationOf(2);
  for (const _ of [1, 2]) old.addReply(ACCESS, '/late', reply(10));
  expect([next.revision, next.accessOf('key'), next.replyOf(ACCESS, '/late')]).toEqual([2, undefined, undefined]);
});

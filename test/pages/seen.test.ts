/** How many records of a collection the console says it has seen. */
import { expect, test } from '@jest/globals';
import { Seen } from '../../server/pages/assets/console/session.ts';

const page = { hasMore: true, after: undefined, isFromHead: false, isFiltered: false };

test('distinct ids, and whether there are more', () => {
  const seen = new Seen();
  expect(seen.label('/a')).toBe('');
  seen.add('/a', { ...page, ids: ['1', '2'], isFromHead: true });
  expect(seen.label('/a')).toBe('2+');
  seen.add('/a', { ...page, ids: ['2', '3'], after: '1' });
  expect(seen.label('/a')).toBe('3+');
  expect(seen.label('/b')).toBe('');
  seen.add('/a', { ...page, ids: ['4'], after: '3', hasMore: false });
  expect(seen.label('/a')).toBe('4');
});

test('a filtered page, a page after a gap and a page of newer ones do not end a list', () => {
  const seen = new Seen();
  seen.add('/a', { ...page, ids: ['1'], isFromHead: true });
  seen.add('/a', { ...page, ids: ['3'], after: '1', hasMore: false, isFiltered: true });
  seen.add('/a', { ...page, ids: ['5'], after: '4', hasMore: false });
  seen.add('/a', { ...page, ids: ['0'], hasMore: false });
  expect(seen.label('/a')).toBe('4+');
});

test('an empty list is whole', () => {
  const seen = new Seen();
  seen.add('/a', { ...page, ids: [], isFromHead: true, hasMore: false });
  expect(seen.label('/a')).toBe('0');
});

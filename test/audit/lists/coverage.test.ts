/** What is said of what was read with each page size, and of how many items are missing. */
import { expect, test } from '@jest/globals';
import { audit } from '../../../audit/lists/audit.ts';
import { show } from '../../support/text.ts';
import { LATE, indexOf } from './fault.ts';
import { CRASH, rowsOfStyle, startList } from './server.ts';
import type { ListOptions, Row } from './server.ts';

const ROWS = rowsOfStyle('token', 60);
const next = (anchor: Row, rows: readonly Row[], by = 1): readonly Row[] => rows.slice(indexOf(rows, anchor) + by);

test.each<[string, Partial<ListOptions>, string]>([
  ['all', {}, 'all'],
  [
    'an error on page 2',
    {
      reply: (reply, { size, anchor }) => {
        if (size === 1 && anchor !== undefined) Object.assign(reply, CRASH);
      },
    },
    'the first item, then an error',
  ],
  [
    'an error on a later page',
    {
      page: (page, call) => {
        call.isMarked = call.size === 1 && indexOf(ROWS, page.rows[0]) >= LATE;
      },
      reply: (reply, { isMarked }) => {
        if (isMarked) Object.assign(reply, CRASH);
      },
    },
    'the first 30, then an error',
  ],
  [
    'the same page again',
    { following: (anchor, rows, { size }) => next(anchor, rows, size === 1 ? 0 : 1) },
    'the first item, then the same again',
  ],
  [
    'every second item',
    { following: (anchor, rows, { size }) => next(anchor, rows, size === 1 ? 2 : 1) },
    'to the end, but not all',
  ],
])('with 1 per page: %s', async (_, change, expected) => {
  await using list = await startList({ style: 'token', rows: ROWS, ...change });
  const run = audit({ profile: { url: list.url }, only: ['items.missing'] });
  for await (const result of run) expect(result.rule).toBeDefined();
  const read = run.coverage.find(({ size }) => size === 1)?.read;
  expect(read && show(read)).toBe(expected);
});

test.each<[string, number, string]>([
  ['all', 1000, 'all'],
  ['nothing, if the requests are few', 70, 'nothing (--max-requests)'],
])('without a page size: %s', async (_, maxRequests, expected) => {
  await using list = await startList({ style: 'token', rows: ROWS });
  const run = audit({ profile: { url: list.url }, only: ['items.missing'], maxRequests });
  for await (const result of run) expect(result.rule).toBeDefined();
  const read = run.coverage.find(({ by }) => by !== undefined && show(by) === 'with the default page size')?.read;
  expect(read && show(read)).toBe(expected);
});

test('an item that is missing only without a page size is told as such', async () => {
  await using list = await startList({
    style: 'token',
    rows: ROWS,
    order: (rows, { query }) => (query.has('limit') ? rows : rows.toSpliced(33, 1)),
  });
  const said: string[] = [];
  for await (const result of audit({ profile: { url: list.url }, only: ['items.missing'] }))
    if (result.outcome === 'failed') said.push(result.findings[0].actual);
  expect(said).toEqual(['1 of 60 items is missing with the default page size; first missing: 27']);
});

test('missing items are counted in all that are known', async () => {
  await using list = await startList({
    style: 'token',
    rows: ROWS,
    following: (anchor, rows, { size }) => next(anchor, rows, size === 1 ? 2 : 1),
    order: (rows, { size }) => (size === 50 ? rows.slice(0, -1) : rows),
  });
  const said: string[] = [];
  for await (const result of audit({ profile: { url: list.url }, only: ['items.missing'] }))
    if (result.outcome === 'failed') said.push(result.findings[0].actual);
  expect(said).toEqual(['30 of 60 items are missing with 1 per page; first missing: 59']);
});

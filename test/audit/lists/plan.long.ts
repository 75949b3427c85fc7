/**
 * With the 300 requests that other machines get, lists of any length and style are judged: whole, or their head, tail and single rules. With
 * any number of requests, no second look takes those of the single rules.
 */
import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { audit } from '../../../audit/lists/audit.ts';
import { Said } from '../../../audit/rules/text.ts';
import { show } from '../../support/text.ts';
import { ALL, NUMBERS, without } from './fault.ts';
import { rowsOf, rowsOfStyle, startList } from './server.ts';
import type { ListOptions, Row, Style } from './server.ts';

const REQUESTS = 300;
const LENGTHS = [150, 300, 1000, 10_000];
const MAXIMA = [30, 100];
const CASES = ALL.flatMap((style, at) =>
  LENGTHS.map((length, which) => {
    const max = MAXIMA[(at + which) % MAXIMA.length] ?? 100;
    return { name: `${style}: ${String(length)} by ${String(max)}`, style, length, max };
  }),
);

const idOf = (style: Style): ((n: number) => string | number) =>
  typeof rowsOfStyle(style)[0]?.id === 'string' ? (n) => `row-${String(n)}` : (n) => n;

/** @returns the ids of the rules that failed, and why the audit ended, if it did. */
async function judge(options: ListOptions): Promise<{ readonly failed: readonly string[]; readonly end?: string }> {
  await using list = await startList(options);
  const failed: string[] = [];
  try {
    for await (const { rule, outcome } of audit({ profile: { url: list.url }, maxRequests: REQUESTS }))
      if (outcome === 'failed') failed.push(rule);
    return { failed };
  } catch (error) {
    if (!(error instanceof Said)) throw error;
    return { failed, end: show(error.text) };
  }
}

test.each(CASES)('$name is right', async ({ style, length, max }) => {
  const rows: readonly Row[] = rowsOf(length, idOf(style));
  expect(await judge({ style, rows, sizes: { default: 10, max } })).toEqual({ failed: [] });
});

test.each(CASES)('$name loses an item at its head with small pages', async ({ style, length, max }) => {
  const rows: readonly Row[] = rowsOf(length, idOf(style));
  const order: ListOptions['order'] = (all, { query }) =>
    [...query].some(([name, value]) => /limit|size|per_page/.test(name) && Number(value) === 3)
      ? without(all, 11)
      : all;
  expect(await judge({ style, rows, sizes: { default: 10, max }, order })).toMatchObject({
    failed: expect.arrayContaining(['items.missing']) as unknown,
  });
});

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
/** The score is that of a sixth of the rows, whose order is another one on each page: a database sorts the first rows of a page alone. */
const byScore: ListOptions['order'] = (all, { start, size }) =>
  all
    .map((row) => ({
      row,
      key: `${String(Number(row.id) % 6)} ${digest(`${String(row.id)} ${String(start + size)}`)}`,
    }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ row }) => row);
const SINGLE = ['size.error', 'position.error', 'end.beyond'];

test.each(NUMBERS.flatMap((style) => [150, 300, 1000].map((requests) => ({ style, requests }))))(
  'of $requests requests, an unstable $style list leaves enough for single rules',
  async ({ style, requests }) => {
    await using list = await startList({
      style,
      rows: rowsOf(240, (n) => n),
      sizes: { default: 10, max: 100 },
      order: byScore,
    });
    const outcomes = new Map<string, string>();
    for await (const result of audit({ profile: { url: list.url }, maxRequests: requests }))
      outcomes.set(result.rule, result.outcome === 'not_checked' ? result.reason : result.outcome);
    expect(outcomes.get('items.missing')).toBe('failed');
    expect(outcomes.get('items.repeated')).toBe('failed');
    expect(SINGLE.map((rule) => outcomes.get(rule))).toEqual(['passed', 'passed', 'passed']);
  },
);

/** With the 300 requests that other machines get, lists of any length and style are judged: whole, or their head, tail and single rules. */
import { expect, test } from '@jest/globals';
import { audit } from '../../../audit/lists/audit.ts';
import { Said } from '../../../audit/rules/text.ts';
import { show } from '../../support/text.ts';
import { ALL, without } from './fault.ts';
import { rowsOf, rowsOfStyle, startList } from './server.ts';
import type { ListOptions, Row, Style } from './server.ts';

const REQUESTS = 300;
const LENGTHS = [150, 300, 1000, 10_000];
const MAXIMA = [30, 100];
const CASES = ALL.flatMap((style) =>
  LENGTHS.flatMap((length) =>
    MAXIMA.map((max) => ({ name: `${style}: ${String(length)} by ${String(max)}`, style, length, max })),
  ),
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

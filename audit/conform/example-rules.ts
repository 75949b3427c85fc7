/** The rule of a seeded account. Only known records show a fault that changes a value in the same way in every response. */
import { exampleRecords } from '../../contract/examples.ts';
import { NotChecked, forEach, requireRecords } from '../rules/rule.ts';
import { assertThat } from './session.ts';
import type { Page } from './listing.ts';
import type { Item } from './records.ts';
import type { Rule } from './rule.ts';
import type { Target } from './target.ts';

// How many ids of missing records are shown.
const MAX_IDS = 3;

/** @returns the page of a list that has a record; `undefined` if it is not among the items that were read. */
async function pageOf(target: Target, id: string): Promise<Page | undefined> {
  const pages = await target.pages();
  return pages.find((page) => page.items.some((it) => it.id === id));
}

/** @throws Failure unless a record that the account has is that of the contract. */
async function assertExample(target: Target, example: Item, page: Page): Promise<void> {
  const { exchange, item } =
    target.list === undefined
      ? { exchange: page.exchange, item: page.items.find((it) => it.id === example.id) }
      : await target.get(example.id);
  target.requireValidRecords(exchange);
  const wrong = target.comparison.differenceOf(example, item);
  const expected = `the example in the contract: ${JSON.stringify(example)}`;
  assertThat(exchange, wrong === undefined, expected, undefined, wrong);
}

export const EXAMPLE_RULES: readonly Rule[] = [
  {
    id: 'record.example',
    title: 'with --seeded, the account has the example records of the contract, with the same values',
    change: 'Store and return texts, numbers and instants unchanged: UTF-8, no trimming, 64-bit integers, all digits.',
    dependsOn: ['list.pagination', 'get.found'],
    check: async (target) => {
      if (!target.isSeeded) throw new NotChecked('it requires an account with the example records (--seeded)');
      const found: (readonly [Item, Page])[] = [];
      const missing: string[] = [];
      for (const example of exampleRecords(target.contract, target.collection)) {
        const page = await pageOf(target.list ?? target, example.id);
        if (page === undefined) missing.push(example.id);
        else found.push([{ ...example }, page]);
      }
      await forEach(found, ([example, page]) => assertExample(target, example, page));
      const others = missing.length > MAX_IDS ? ` and ${String(missing.length - MAX_IDS)} more` : '';
      const what = `of those that --print-records prints: ${missing.slice(0, MAX_IDS).join(', ')}${others}`;
      requireRecords(missing.length === 0, { of: target.noun, count: missing.length, what });
    },
  },
];

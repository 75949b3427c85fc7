/** The rule of a seeded account. Only known records show a fault that changes a value in the same way in every response. */
import { exampleRecords } from '../../contract/examples.ts';
import { NotChecked, forEach, requireRecords } from '../rules/rule.ts';
import { assertThat } from './session.ts';
import type { Rule } from './rule.ts';

// How many ids of missing records are shown.
const MAX_IDS = 3;

export const EXAMPLE_RULES: readonly Rule[] = [
  {
    id: 'record.example',
    title: 'with --seeded, the account has the example records of the contract, with the same values',
    change:
      'If the status is not 200, look in the log of the server for its error with this record. Store and return texts, numbers and instants unchanged: UTF-8, no trimming, 64-bit integers, all digits.',
    dependsOn: ['list.pagination', 'get.found'],
    check: async (target) => {
      if (!target.isSeeded) throw new NotChecked('it requires an account with the example records (--seeded)');
      const { list, comparison } = target;
      const pages = await (list ?? target).pages();
      const missing: string[] = [];
      await forEach(exampleRecords(target.contract, target.collection), async (example) => {
        const isIt = ({ id }: { readonly id: string }): boolean => id === example.id;
        const page = pages.find(({ items }) => items.some(isIt));
        if (page === undefined) {
          missing.push(example.id);
          return;
        }
        const own = { exchange: page.exchange, item: page.items.find(isIt) };
        const { exchange, item } = list === undefined ? own : await target.get(example.id);
        target.requireValidRecords(exchange);
        const wrong = comparison.differenceOf(example, item);
        const expected = `the example in the contract: ${JSON.stringify(example)}`;
        assertThat(exchange, wrong === undefined, expected, undefined, wrong);
      });
      const others = missing.length > MAX_IDS ? ` and ${String(missing.length - MAX_IDS)} more` : '';
      const what = `of those that --print-records prints: ${missing.slice(0, MAX_IDS).join(', ')}${others}`;
      requireRecords(missing.length === 0, { of: target.noun, count: missing.length, what });
    },
  },
];

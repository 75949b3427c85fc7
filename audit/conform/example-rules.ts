/** The rule of a seeded account. Only a known record shows a fault that changes a text in the same way in every response. */
import { NotChecked, requireRecords } from '../rules/rule.ts';
import { assertThat } from './session.ts';
import type { Page } from './listing.ts';
import type { Item } from './records.ts';
import type { Rule } from './rule.ts';
import type { Target } from './target.ts';

/** @returns the records in the example of an operation's response. */
function examplesOf({ operation }: Target): readonly Item[] {
  const example = operation.responses.get(200)?.content?.['application/json']?.example;
  const body = example as { readonly data?: readonly Item[] } & Item; // A test checks the examples against their schemas.
  return body.data ?? [body];
}

/** @returns the page of a list that has a record; `undefined` if it is not among the items that were read. */
async function pageOf(target: Target, id: string): Promise<Page | undefined> {
  const pages = await target.pages();
  return pages.find((page) => page.items.some((it) => it.id === id));
}

export const EXAMPLE_RULES: readonly Rule[] = [
  {
    id: 'record.example',
    title: 'with --seeded, the account has the example records of the contract, with the same values',
    dependsOn: ['list.pagination', 'get.found'],
    check: async (target) => {
      if (!target.isSeeded) throw new NotChecked('it requires an account with the example records (--seeded)');
      const missing: string[] = [];
      for (const example of examplesOf(target)) {
        const page = await pageOf(target.list ?? target, example.id);
        if (page === undefined) {
          missing.push(example.id);
          continue;
        }
        const { exchange, item } =
          target.list === undefined
            ? { exchange: page.exchange, item: page.items.find((it) => it.id === example.id) }
            : await target.get(example.id);
        target.requireValidRecords(exchange);
        const wrong = target.comparison.differenceOf(example, item);
        const expected = `the example in the contract: ${JSON.stringify(example)}`;
        assertThat(exchange, wrong === undefined, expected, undefined, wrong);
      }
      const what = `of the contract's examples: ${missing.join(', ')}`;
      requireRecords(missing.length === 0, { of: target.noun, count: missing.length, what });
    },
  },
];

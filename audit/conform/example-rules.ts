/** The rule of a seeded account. Only known records show a fault that changes a value in the same way in every response. */
import { exampleRecords } from '../../contract/examples.ts';
import { NotChecked, forEach, requireRecords } from '../rules/rule.ts';
import { LONG, own, quote, say } from '../rules/text.ts';
import { counted } from '../../contract/wording.ts';
import { assertThat } from './checked-session.ts';
import type { Item } from './records.ts';
import type { ContractRule } from './contract-rule.ts';
import { seedRecords } from './seed-records.ts';
import type { Target } from './target.ts';

// How many ids of missing records are shown.
const MAX_IDS = 3;

export const EXAMPLE_RULES: readonly ContractRule[] = [
  {
    id: 'record.example',
    title:
      'with --seeded, the account has the example records of the contract, with the same values; if it has any other record that --print-records prints, it has all of them',
    change:
      'Store and return strings, numbers and times unchanged (UTF-8, no trimming, 64-bit integers, all digits), and list every record. If the status is not 200, look up the request in the server log.',
    dependsOn: ['list.pagination', 'get.found'],
    check: async (target) => {
      if (!target.isSeeded) throw new NotChecked(say`it requires an account with the example records (--seeded)`);
      const { list, comparison } = target;
      await (list ?? target).items(0); // If the pages contradict one another, list.pagination fails.
      const pages = await (list ?? target).pages();
      const missing: string[] = [];
      await forEach(exampleRecords(target.contract, target.collection), async (example) => {
        const isIt = ({ id }: { readonly id: string }): boolean => id === example.id;
        const page = pages.find(({ items }) => items.some(isIt));
        if (page === undefined) {
          missing.push(example.id);
          return;
        }
        const listed = { response: page.response, item: page.items.find(isIt) };
        const { response, item } = list === undefined ? listed : await target.get(example.id);
        target.requireValidRecords(response);
        const wrong = comparison.differenceOf(example, item);
        const expected = say`the example in the contract: ${own(JSON.stringify(example))}`;
        assertThat(response, wrong === undefined, expected, undefined, wrong);
      });
      if (list === undefined) await checkOthers(target);
      const what = `of those that --print-records prints: ${shown(missing)}`;
      requireRecords(missing.length === 0, { of: target.noun, count: missing.length, what });
    },
  },
];

const shown = (ids: readonly string[]): string => {
  const others = ids.length > MAX_IDS ? ` and ${String(ids.length - MAX_IDS)} more` : '';
  return `${ids.slice(0, MAX_IDS).join(', ')}${others}`;
};

/** Checks the records that are no examples, if the list has any of them: then all were put there. */
async function checkOthers(target: Target): Promise<void> {
  const examples = new Set(exampleRecords(target.contract, target.collection).map(({ id }) => id));
  const { first } = seedRecords(target.contract).accounts;
  const others = (first?.[target.collection] as readonly Item[]).filter(({ id }) => !examples.has(id)); // Records of the contract.
  const pages = await target.pages();
  const found = new Map(pages.flatMap(({ response, items }) => items.map((item) => [item.id, { item, response }])));
  const lost = others.filter(({ id }) => !found.has(id)).map(({ id }) => id);
  const [last] = pages.slice(-1);
  if (lost.length === others.length || last === undefined) return;
  for (const record of others) {
    const { item, response = last.response } = found.get(record.id) ?? {};
    target.requireValidRecords(response);
    const wrong = item && target.comparison.differenceOf(record, item);
    const what = say`the record that --print-records prints`;
    assertThat(response, wrong === undefined, what, quote(JSON.stringify(item ?? null), LONG), wrong);
  }
  const what = say`a list with all ${counted(others.length, target.noun)} of --print-records that are no examples`;
  const isWhole = lost.length === 0 || !(await target.isWhole());
  assertThat(last.response, isWhole, what, say`${lost.length} of them are missing: ${own(shown(lost))}`);
}

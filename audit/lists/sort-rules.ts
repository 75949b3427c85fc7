/** The rule of the sorts that a user names: the order of the list without one hides equal and null values. */
import { be, counted } from '../../contract/wording.ts';
import { NotChecked } from '../rules/rule.ts';
import { code, say } from '../rules/text.ts';
import { failure, show, showAll } from './finding.ts';
import { isPage } from './list.ts';
import type { Rule } from './list-rule.ts';
import { checkReadings } from './walk-rules.ts';
import { lostIn } from './walk.ts';

const sorts: Rule = {
  id: 'sort.missing',
  title: 'with each sort, every page size returns each item once',
  dependsOn: ['end.never', 'page.error', 'items.repeated', 'items.missing'],
  on: { by: '`--sort-param`', isDeclaredIn: (given) => given.sorts !== undefined },
  why: 'Clients that sort the list miss items, or get some twice.',
  change: 'Sort by the value and then by the id, and compare both in the cursor, null values too.',
  notes: 'An order that changes from reading to reading is a note.',
  check: async (audited) => {
    const whole = await audited.walks();
    let read = 0;
    for (const [sort, sorted] of audited.sorted) {
      if (!isPage(await sorted.list.page(sorted.list.first(sorted.size)))) continue;
      read += 1;
      const how = say`with ${code(sort)}`;
      await checkReadings(sorted, how);
      const { reference, again } = await sorted.walks();
      if (reference.ending !== 'end' || again.ending !== 'end' || whole.reference.ending !== 'end') continue;
      const missing = lostIn(
        { ...reference, ids: [...reference.ids, ...again.ids] },
        whole.reference.ids,
        await audited.whole(),
      );
      const [first] = missing;
      if (first === undefined) continue;
      throw failure(
        reference.pages.at(-1),
        say`the items of the list without a sort`,
        say`${missing.length} of ${counted(whole.reference.ids.length, 'items')} ${be(missing.length)} missing ${how}; first missing: ${show(first)}`,
        say`ends the sorted list, which has ${counted(new Set(reference.ids).size, 'items')}: ${showAll(reference.ids)}`,
      );
    }
    if (read === 0) throw new NotChecked(say`the list rejects every sort`);
  },
};

export const SORT_RULES: readonly Rule[] = [sorts];

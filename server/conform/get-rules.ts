/** Rules of operations that retrieve one item by its id. */
import { MALFORMED_IDS, UNKNOWN_ID, assertThat, canonical, demandRecords } from './assertions.ts';
import type { Item } from './assertions.ts';
import type { Rule } from './rule.ts';
import type { Subject } from './target.ts';

// Of how many items each is looked up, from the newest to the oldest that is seen.
const LOOKUPS = 12;

/** @returns items from all over a list, its first and its last among them. */
function spread(items: readonly Item[]): readonly Item[] {
  const step = Math.max(1, (items.length - 1) / (LOOKUPS - 1));
  return items.filter((_, at) => Math.floor((at - 1) / step) < Math.floor(at / step) || at === items.length - 1);
}

async function assertFound(subject: Subject, item: Item, id: string): Promise<void> {
  const found = await subject.lookUp(id);
  const isSame = canonical(found.item) === canonical(item);
  assertThat(found.exchange, isSame, `the item that is listed: ${JSON.stringify(item)}`);
}

export const LOOKUP_RULES: readonly Rule[] = [
  {
    id: 'lookup.found',
    title: 'every item is looked up as it is listed',
    check: async (subject) => {
      for (const item of spread((await subject.list?.items(1)) ?? [])) await assertFound(subject, item, item.id);
    },
  },
  {
    id: 'lookup.case',
    title: 'an id is accepted in upper case too',
    check: async (subject) => {
      const items = (await subject.list?.items(1)) ?? [];
      const item = items.find((it) => it.id !== it.id.toUpperCase());
      demandRecords(item === undefined ? [`one of ${subject.noun} with a letter in its id`] : []);
      if (item !== undefined) await assertFound(subject, item, item.id.toUpperCase());
    },
  },
  {
    id: 'lookup.unknown',
    title: 'an unknown id is 404 not_found; so is that of an item of another collection',
    check: async (subject) => {
      const own = new Set((await subject.list?.items(0))?.map((it) => it.id));
      const others = (await Promise.all(subject.others().map((it) => it.items(0)))).flat();
      const foreign = others.map((it) => it.id).find((it) => !own.has(it));
      for (const id of [UNKNOWN_ID, ...(foreign === undefined ? [] : [foreign])]) {
        await subject.assertProblem({ target: subject.path(id) }, 'not_found');
      }
    },
  },
  {
    id: 'lookup.malformed',
    title: 'an id that is not a UUID is refused',
    check: async (subject) => {
      for (const id of MALFORMED_IDS) {
        await subject.assertProblem({ target: subject.path(id), mentions: ['id'] }, 'validation_error');
      }
    },
  },
];

/** Rules of operations that retrieve one item by its id. */
import { MALFORMED_IDS, UNKNOWN_ID, assertThat, canonical, requireRecords } from './assertions.ts';
import type { Item } from './assertions.ts';
import type { Rule } from './rule.ts';
import type { Target } from './target.ts';

// The maximum number of items that are retrieved, from the newest to the oldest listed item.
const MAX_GETS = 12;

/** @returns items spread over a list, including its first and its last. */
function spread(items: readonly Item[]): readonly Item[] {
  const step = Math.max(1, (items.length - 1) / (MAX_GETS - 1));
  return items.filter((_, at) => Math.floor((at - 1) / step) < Math.floor(at / step) || at === items.length - 1);
}

async function assertFound(target: Target, item: Item, id: string): Promise<void> {
  const found = await target.get(id);
  const isSame = canonical(found.item) === canonical(item);
  assertThat(found.exchange, isSame, `the item that is listed: ${JSON.stringify(item)}`);
}

export const GET_RULES: readonly Rule[] = [
  {
    id: 'get.found',
    title: 'every item is retrieved by its id as it is listed',
    check: async (target) => {
      for (const item of spread((await target.list?.items(1)) ?? [])) await assertFound(target, item, item.id);
    },
  },
  {
    id: 'get.id_case',
    title: 'an id is accepted in upper case too',
    check: async (target) => {
      const items = (await target.list?.items(1)) ?? [];
      const item = items.find((it) => it.id !== it.id.toUpperCase());
      requireRecords(item === undefined ? [`one of ${target.noun} with a letter in its id`] : []);
      if (item !== undefined) await assertFound(target, item, item.id.toUpperCase());
    },
  },
  {
    id: 'get.not_found',
    title: 'an unknown id is 404 not_found; so is that of an item of another collection',
    check: async (target) => {
      const own = new Set((await target.list?.items(0))?.map((it) => it.id));
      const others = (await Promise.all(target.otherLists().map((it) => it.items(0)))).flat();
      const foreign = others.map((it) => it.id).find((it) => !own.has(it));
      for (const id of [UNKNOWN_ID, ...(foreign === undefined ? [] : [foreign])]) {
        await target.assertProblem({ path: target.path(id) }, 'not_found');
      }
    },
  },
  {
    id: 'get.malformed_id',
    title: 'an id that is not a UUID is rejected',
    check: async (target) => {
      for (const id of MALFORMED_IDS) {
        await target.assertProblem({ path: target.path(id), mentions: ['id'] }, 'validation_error');
      }
    },
  },
];

/** Rules of operations that retrieve one item by its id. */
import { groupBy } from '../rules/group.ts';
import { forEach, requireRecords } from '../rules/rule.ts';
import { LONG, quote, say } from '../rules/text.ts';
import { cases } from './cases.ts';
import type { Case } from './cases.ts';
import { assertThat } from './checked-session.ts';
import type { Item } from './records.ts';
import type { ContractRule } from './contract-rule.ts';
import { sample } from './sample.ts';
import type { Target } from './target.ts';
import { UNKNOWN_ID, UNKNOWN_IDS, malformedIds, oddIds } from './values.ts';

// How many items are retrieved at random, in addition to the last one and one of each kind.
const GETS = 2;

/** @throws Failure unless an id has this item. */
async function assertFound(target: Target, item: Item, id: string): Promise<void> {
  const found = await target.get(id);
  const wrong = target.comparison.differenceOf(item, found.item);
  const expected = say`the listed item: ${quote(JSON.stringify(item), LONG)}`;
  assertThat(found.response, wrong === undefined, expected, undefined, wrong);
}

/** @returns the first item of each combination of values that properties with an enum have. */
function kindsOf({ operation }: Target, items: readonly Item[]): readonly Item[] {
  const { properties = {} } = operation.responses.get(200)?.content?.['application/json']?.schema ?? {};
  const names = Object.keys(properties).filter((name) => properties[name]?.enum !== undefined);
  const kinds = groupBy(items, (item) => JSON.stringify(names.map((name) => item[name])));
  return [...kinds.values()].flatMap((alike) => alike.slice(0, 1));
}

export const GET_RULES: readonly ContractRule[] = [
  {
    id: 'get.found',
    title: 'every listed item can be retrieved by its id, with the same values',
    change:
      'Look the id up among all items of the account, and write the item by the function that writes it in the list.',
    isForEachAccount: true,
    check: async (target) => {
      const items = (await target.list?.items(1)) ?? [];
      const chosen = new Set([...kindsOf(target, items), ...items.slice(-1), ...sample(items, GETS, target.random)]);
      await forEach(chosen, (item) => assertFound(target, item, item.id));
    },
  },
  {
    id: 'get.id_case',
    title: 'an id may be in upper case',
    change: 'Convert the id to lower case before it is looked up.',
    dependsOn: ['get.found'],
    isForEachAccount: true,
    check: async (target) => {
      const items = (await target.list?.items(1)) ?? [];
      const item = items.find(({ id }) => id !== id.toUpperCase());
      requireRecords(item !== undefined, { of: target.noun, count: 1, what: 'with a letter in the id' });
      const half = `${item.id.slice(0, 18).toUpperCase()}${item.id.slice(18)}`;
      await forEach([item.id.toUpperCase(), half], (id) => assertFound(target, item, id));
    },
  },
  {
    id: 'get.not_found',
    title: 'a request for an unknown id returns 404 not_found, for any UUID version and for ids of other collections',
    change:
      'Accept any id that matches the pattern of the contract, and return 404 if the account has no such item in this collection.',
    check: cases(async (target) =>
      [...UNKNOWN_IDS, ...((await target.foreignIds()) ?? [])].map((id): Case => [
        'not_found',
        { path: target.path(id) },
      ]),
    ),
  },
  {
    id: 'get.malformed_id',
    title: 'an id that is not a UUID is rejected',
    change:
      'Match the whole id, after it is decoded, against the pattern of the contract before it is looked up; reject an escape that cannot be decoded (%ff) like any other malformed id.',
    check: cases(async (target) => {
      const id = (await target.list?.items(0))?.[0]?.id ?? UNKNOWN_ID;
      const suffixed = ['.json', '.xml', ';v=1', '%3Bv=1', '%ff'].map((suffix) => `${target.path(id)}${suffix}`);
      const paths = [...[...malformedIds(id), ...oddIds(id)].map((badId) => target.path(badId)), ...suffixed];
      // A proxy may itself reject an encoded NUL or an invalid character, without naming a parameter.
      const mentionsOf = (path: string): readonly string[] => (/%(00|ff)/.test(path) ? [] : ['id']);
      return paths.map((path): Case => ['validation_error', { path, mentions: mentionsOf(path) }]);
    }),
  },
];

/** Rules of an operation that looks up one item by its id. */
import { demand } from './deviation.ts';
import type { Rule } from './rules.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

export const LOOKUP_RULES: readonly Rule[] = [
  {
    id: 'lookup.found',
    title: 'an item is looked up as it is listed, by its id in either case',
    check: async (subject) => {
      const items = (await subject.list?.atLeast(1)) ?? [];
      for (const item of items.slice(0, 5)) {
        for (const id of [item.id, item.id.toUpperCase()]) {
          const answer = await subject.ask({ target: subject.path(id) });
          demand(
            answer,
            JSON.stringify(answer.body) === JSON.stringify(item),
            `the item that is listed: ${JSON.stringify(item)}`,
          );
        }
      }
    },
  },
  {
    id: 'lookup.unknown',
    title: 'an unknown id is 404 not_found',
    check: (subject) => subject.refused({ target: subject.path(UNKNOWN_ID) }, 'not_found'),
  },
  {
    id: 'lookup.malformed',
    title: 'an id that is no UUID is refused',
    check: async (subject) => {
      for (const id of ['x', UNKNOWN_ID.slice(1), `urn:uuid:${UNKNOWN_ID}`, '%zz']) {
        await subject.refused({ target: subject.path(id) }, 'validation_error', 'id');
      }
    },
  },
];

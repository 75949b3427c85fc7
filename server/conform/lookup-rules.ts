/** Rules of an operation that looks up one item by its id. */
import { assertThat } from './assertions.ts';
import { MAX_LOOKUPS, UNKNOWN_ID } from './rule.ts';
import type { Rule } from './rule.ts';

export const LOOKUP_RULES: readonly Rule[] = [
  {
    id: 'lookup.found',
    title: 'an item is looked up as it is listed, by its id in either case',
    check: async (subject) => {
      const items = (await subject.list?.items(1)) ?? [];
      for (const item of items.slice(0, MAX_LOOKUPS)) {
        for (const id of [item.id, item.id.toUpperCase()]) {
          const found = await subject.lookUp(id);
          const listed = JSON.stringify(item);
          assertThat(found.exchange, JSON.stringify(found.item) === listed, `the item that is listed: ${listed}`);
        }
      }
    },
  },
  {
    id: 'lookup.unknown',
    title: 'an unknown id is 404 not_found',
    check: (subject) => subject.assertProblem({ target: subject.path(UNKNOWN_ID) }, 'not_found'),
  },
  {
    id: 'lookup.malformed',
    title: 'an id that is not a UUID is refused',
    check: async (subject) => {
      for (const id of ['x', UNKNOWN_ID.slice(1), `urn:uuid:${UNKNOWN_ID}`]) {
        await subject.assertProblem({ target: subject.path(id) }, 'validation_error', 'id');
      }
    },
  },
];

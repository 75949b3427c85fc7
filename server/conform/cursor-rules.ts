/** Rules of cursors: which are accepted, unknown or rejected, alone and beside a filter and a limit. */
import { forEach, requireRecords } from './findings.ts';
import type { Query } from './listing.ts';
import type { Rule } from './rule.ts';
import type { Target } from './target.ts';
import { UNKNOWN_ID, UNKNOWN_IDS, malformedIds, oddIds } from './values.ts';

const CURSORS = ['after', 'before'] as const;

/** @returns the queries that a cursor may stand beside: a limit, and the filter, if the list has one. */
function besides(target: Target, filter: string | undefined): readonly Query[] {
  const value = filter === undefined ? undefined : target.parameter(filter)?.enum?.[0];
  const filtered = filter === undefined || value === undefined ? [] : [{ [filter]: value, limit: target.limits.max }];
  return [{ limit: target.limits.min }, ...filtered];
}

/** @returns the requests with an id as each cursor: alone, beside a limit (as one of them), and beside the filter. */
const requestsWith = (id: string, [limited, ...filtered]: readonly Query[]): readonly Query[] => [
  ...CURSORS.map((name): Query => ({ [name]: id })),
  { ...limited, after: id },
  ...filtered.flatMap((query) => CURSORS.map((name): Query => ({ ...query, [name]: id }))),
];

/** @returns an id of a record, or one that is like it. */
const someId = async (target: Target): Promise<string> => (await target.items(0))[0]?.id ?? UNKNOWN_ID;

/** @param filter the name of the list's filter; `undefined` if it has none. */
export const cursorRules = (filter: string | undefined): readonly Rule[] => [
  {
    id: 'list.cursor_case',
    title: 'a cursor is accepted in upper case too',
    dependsOn: ['list.after', 'list.before'],
    check: async (target) => {
      const items = await target.items(3);
      const at = items.findIndex((it, index) => index > 0 && it.id !== it.id.toUpperCase());
      const id = items[at]?.id.toUpperCase() ?? '';
      requireRecords(at === -1 ? [`one of ${target.noun} with a letter in its id`] : []);
      const [older, newer] = [items.slice(at + 1, at + 3), items.slice(Math.max(0, at - 2), at)];
      await target.assertPage({ limit: 2, after: id }, older, 'what follows it in lower case');
      await target.assertPage({ limit: 2, before: id }, newer, 'what precedes it in lower case');
      const [, filtered] = besides(target, filter);
      if (filtered === undefined) return;
      const [lower, upper] = [await target.page({ ...filtered, after: id.toLowerCase() }), { ...filtered, after: id }];
      await target.assertPage(upper, lower.items, 'what follows it in lower case');
    },
  },
  {
    id: 'list.unknown_cursor',
    title: 'an unknown cursor is 404 not_found, whatever the version of its UUID, also beside a limit and a filter',
    check: async (target) => {
      const others = target.shareOf(UNKNOWN_IDS.slice(1)).map((id, at): Query => ({ [CURSORS[at % 2] ?? '']: id }));
      await forEach([...requestsWith(UNKNOWN_ID, besides(target, filter)), ...others], (query) =>
        target.assertProblem({ path: target.pathWith(query) }, 'not_found'),
      );
    },
  },
  {
    id: 'list.foreign_cursor',
    title: 'the id of an item of another collection is an unknown cursor, also beside a limit and a filter',
    dependsOn: ['list.unknown_cursor'],
    check: async (target) => {
      const own = new Set((await target.items(0)).map((it) => it.id));
      const lists = target.otherLists();
      const foreign: string[] = [];
      for (const list of lists) {
        const found = (await list.items(0)).find((it) => !own.has(it.id));
        if (found !== undefined) foreign.push(found.id);
      }
      requireRecords(foreign.length === 0 ? [`a record that is not one of ${target.noun}`] : []);
      const [first = '', ...others] = foreign;
      const queries = [
        { after: first },
        ...besides(target, filter)
          .slice(-1)
          .map((query): Query => ({ ...query, before: first })),
        ...others.map((id, at): Query => ({ [CURSORS[at % 2] ?? 'after']: id })),
      ];
      await forEach(queries, (query) => target.assertProblem({ path: target.pathWith(query) }, 'not_found'));
    },
  },
  {
    id: 'list.malformed_cursor',
    title: 'a cursor that is not a UUID is rejected',
    check: async (target) => {
      const id = await someId(target);
      // Half of the values stand beside the filter.
      const [, filtered] = besides(target, filter);
      const queries = ['', ...malformedIds(id), ...target.shareOf(oddIds(id))].map((value, at) => {
        const name = CURSORS[at % 2] ?? 'after';
        const query = { ...(at % 4 > 1 && filtered), [name]: value };
        return [
          name,
          new URLSearchParams(Object.entries(query).map(([of, it]): [string, string] => [of, String(it)])).toString(),
        ] as const;
      });
      const valueless = target.shareOf(CURSORS).map((name) => [name, name] as const);
      await forEach([...queries, ...valueless], ([name, query]) =>
        target.assertProblem({ path: `${target.path()}?${query}`, mentions: [name] }, 'validation_error'),
      );
    },
  },
  {
    id: 'list.conflicting_cursors',
    title: 'both cursors at once are rejected, whatever they are and whatever is beside them',
    check: async (target) => {
      const [first = { id: UNKNOWN_ID }, second = first] = await target.items(0);
      const [a, b] = [first.id, second.id];
      const [limited, filtered = {}] = besides(target, filter);
      const queries: Query[] = [
        { after: a, before: a },
        { before: a, after: UNKNOWN_ID },
        target.shareOf([0]).length > 0 ? { ...filtered, after: a, before: b } : { ...limited, after: b, before: a },
      ];
      await forEach(queries, (query) =>
        target.assertProblem({ path: target.pathWith(query), mentions: CURSORS }, 'validation_error'),
      );
    },
  },
];

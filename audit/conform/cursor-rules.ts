/** Rules of cursors: which are accepted, unknown or rejected, alone and with a filter and a limit. */
import { DoesNotApply, Failure, forEach, requireRecords } from '../rules/rule.ts';
import { say } from '../rules/text.ts';
import type { Query } from './listing.ts';
import type { Item } from './records.ts';
import type { ContractRule } from './contract-rule.ts';
import type { Target } from './target.ts';
import { UNKNOWN_ID, UNKNOWN_IDS, malformedIds, oddIds } from './values.ts';

const CURSORS = ['after', 'before'] as const;
/** As many characters of an id as half of it has. */
const HALF = 18;

/** @returns the queries to combine a cursor with: a limit, and the filter, if the list has one. */
function besides(target: Target): readonly Query[] {
  const { filter } = target;
  const value = filter === undefined ? undefined : target.parameter(filter)?.enum?.[0];
  const filtered = filter === undefined || value === undefined ? [] : [{ [filter]: value, limit: target.limits.max }];
  return [{ limit: target.limits.min }, ...filtered];
}

/** @returns the requests with an id as each cursor: alone, with a limit (one of them), and with the filter. */
const requestsWith = (id: string, [limited, ...filtered]: readonly Query[]): readonly Query[] => [
  ...CURSORS.map((name): Query => ({ [name]: id })),
  { ...limited, after: id },
  ...filtered.flatMap((query) => CURSORS.map((name): Query => ({ ...query, [name]: id }))),
];

/** @returns the id of a record, or an id in the same form. */
const someId = async (target: Target): Promise<string> => (await target.items(0))[0]?.id ?? UNKNOWN_ID;

/** @returns a query with its cursor in lower case. */
const lowered = ({ after, before, ...query }: Query): Query => ({
  ...query,
  ...(after !== undefined && { after: after.toLowerCase() }),
  ...(before !== undefined && { before: before.toLowerCase() }),
});

/** @throws Failure that the letter case is not the cause. */
function blameOthers(error: unknown): never {
  if (!(error instanceof Failure)) throw error;
  const [first, ...others] = error.findings;
  throw new Failure({ ...first, change: NOT_CASE }, ...others);
}
const NOT_CASE = say`The letter case is not the cause: this cursor is in lower case. Compare the filter, the limit and the items around the cursor.`;

export const CURSOR_RULES: readonly ContractRule[] = [
  {
    id: 'list.cursor_case',
    title: 'a cursor may be in upper or mixed case, with and without a filter',
    change: 'Convert the cursor to lower case before it is looked up, everywhere.',
    dependsOn: ['list.after', 'list.before', 'list.filter_cursor'],
    check: async (target) => {
      const items = await target.items(3);
      // Behind the first page of two, if it can be.
      const hasLetter = ({ id }: Item, from: number, at: number): boolean => at >= from && id !== id.toUpperCase();
      const at = Math.max(...[1, 3].map((from) => items.findIndex((item, index) => hasLetter(item, from, index))));
      const id = items[at]?.id.toUpperCase() ?? '';
      requireRecords(at !== -1, { of: target.noun, count: 1, what: 'with a letter in the id' });
      const mixed = `${id.slice(0, HALF)}${id.slice(HALF).toLowerCase()}`;
      const [, filtered] = besides(target);
      const queries: readonly Query[] = [
        { limit: 2, after: id },
        { limit: 2, before: mixed },
        ...(filtered === undefined ? [] : CURSORS.map((name): Query => ({ ...filtered, [name]: id }))),
      ];
      await forEach(queries, async (query) => {
        try {
          await target.assertPage(query);
        } catch (error) {
          await target.assertPage(lowered(query)).catch(blameOthers);
          throw error;
        }
      });
    },
  },
  {
    id: 'list.unknown_cursor',
    title:
      'a request with an unknown cursor returns 404 not_found, for any UUID version, with and without a limit and a filter',
    change: 'Look the cursor up first; if there is no such item, return 404 not_found, not a page.',
    check: async (target) => {
      const others = target.shareOf(UNKNOWN_IDS.slice(1)).map((id, at): Query => ({ [CURSORS[at % 2] ?? '']: id }));
      await forEach([...requestsWith(UNKNOWN_ID, besides(target)), ...others], (query) =>
        target.assertProblem({ path: target.pathWith(query) }, 'not_found'),
      );
    },
  },
  {
    id: 'list.foreign_cursor',
    title: 'the id of an item of another collection is an unknown cursor, with and without a limit and a filter',
    change: 'Look the cursor up only in the collection of the list.',
    dependsOn: ['list.unknown_cursor'],
    check: async (target) => {
      const foreign = await target.foreignIds();
      if (foreign === undefined) throw new DoesNotApply(say`the server has no other list that can be read`);
      const of = target.otherLists()[0]?.noun ?? target.noun;
      requireRecords(foreign.length > 0, { of, count: 1 });
      const [first = '', ...others] = foreign;
      const queries = [
        { after: first },
        ...besides(target)
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
    change: 'Match the whole cursor against the pattern of the contract before it is looked up.',
    check: async (target) => {
      const id = await someId(target);
      // Each value as one of the cursors, alone or with the filter, if there is one.
      const [limited = {}, filtered = limited] = besides(target);
      const paths = ['', ...malformedIds(id), ...target.shareOf(oddIds(id))].map((value, at) => {
        const [name, other] = target.inRotation(
          [
            ['after', {}],
            ['before', filtered],
            ['after', filtered],
            ['before', {}],
          ],
          at,
        );
        return [name, target.pathWith({ ...other, [name]: value })] as const;
      });
      const raw = target.shareOf([...CURSORS, `before=${id}%ff`]).map((query) => {
        return [query.replace(/=.*/, ''), `${target.path()}?${query}`] as const;
      });
      await forEach([...paths, ...raw], ([name, path]) =>
        target.assertProblem({ path, mentions: [name] }, 'validation_error'),
      );
    },
  },
  {
    id: 'list.conflicting_cursors',
    title: '`after` and `before` together are rejected, with any values and any other parameters',
    change: 'Reject a request that has both cursors before either is looked up.',
    check: async (target) => {
      const [first = { id: UNKNOWN_ID }, second = first] = await target.items(0);
      const [a, b] = [first.id, second.id];
      const [limited, filtered = {}] = besides(target);
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

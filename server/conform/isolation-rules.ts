/** Rules of two accounts, each with its key: nothing of one exists for the other. */
import { Failure, Skipped, assertThat, demandRecords } from './assertions.ts';
import { idsOf } from './items.ts';
import type { Rule } from './rule.ts';
import type { Item } from './items.ts';
import type { Subject } from './subject.ts';

/** An account, the other one, and the items that only the other one has. */
interface Sides {
  readonly own: Subject;
  readonly foreign: readonly Item[];
}

/** @returns both directions. @throws Skipped if there is no item that only one of them has. */
async function sidesOf(subject: Subject): Promise<readonly Sides[]> {
  const twin = twinOf(subject);
  const [mine, theirs] = [await listOf(subject).items(0), await listOf(twin).items(0)];
  const only = (items: readonly Item[], others: readonly Item[]): readonly Item[] => {
    const ids = new Set(others.map((it) => it.id));
    return items.filter((it) => !ids.has(it.id));
  };
  const sides = [
    { own: subject, foreign: only(theirs, mine) },
    { own: twin, foreign: only(mine, theirs) },
  ].filter(({ foreign }) => foreign.length > 0);
  demandRecords(sides.length === 0 ? [`${subject.noun} that the account of --key2 has not`] : []);
  return sides;
}

const listOf = (subject: Subject): Subject => subject.list ?? subject;

function twinOf({ twin }: Subject): Subject {
  if (twin === undefined) throw new Skipped('there is no key of another account (--key2)');
  return twin;
}

export const LIST_ISOLATION_RULES: readonly Rule[] = [
  {
    id: 'isolation.list',
    title: 'a list has nothing of another account',
    check: async (subject) => {
      const twin = twinOf(subject);
      const [mine, theirs] = [await subject.items(0), await twin.items(0)];
      const ids = new Set(mine.map((it) => it.id));
      const shared = theirs.filter((it) => ids.has(it.id));
      const [{ exchange } = await twin.page()] = await twin.pages();
      if (shared.length > 0)
        throw new Failure(exchange, 'no item of the account of --key', `${idsOf(shared.slice(0, 5))}, in both`);
      demandRecords(mine.length === 0 || theirs.length === 0 ? [`${subject.noun} in both accounts`] : []);
    },
  },
  {
    id: 'isolation.cursor',
    title: 'the id of an item of another account is an unknown cursor',
    buildsOn: ['list.cursor-unknown'],
    check: async (subject) => {
      for (const { own, foreign } of await sidesOf(subject)) {
        for (const name of ['after', 'before']) {
          await own.assertProblem({ target: own.target({ [name]: foreign[0]?.id ?? '' }) }, 'not_found');
        }
      }
    },
  },
  {
    id: 'isolation.tag',
    title: 'the ETag of another account is another one',
    buildsOn: ['conditional.other'],
    check: async (subject) => {
      const twin = twinOf(subject);
      const [mine, theirs] = [await subject.page(), await twin.page()];
      demandRecords(mine.exchange.text === theirs.exchange.text ? [`${subject.noun} in one of both accounts`] : []);
      const headers = { 'if-none-match': mine.exchange.headers.get('etag') ?? '"none"' };
      const exchange = await twin.send({ target: twin.target({}), headers });
      assertThat(exchange, exchange.status === 200, '200');
    },
  },
];

export const LOOKUP_ISOLATION_RULES: readonly Rule[] = [
  {
    id: 'isolation.lookup',
    title: 'an item of another account does not exist',
    buildsOn: ['lookup.unknown'],
    check: async (subject) => {
      for (const { own, foreign } of await sidesOf(subject)) {
        await own.assertProblem({ target: own.path(foreign[0]?.id) }, 'not_found');
      }
    },
  },
];

/** Rules of API keys, and of the isolation of two accounts from each other. */
import { Failure, Skipped, assertThat, demandRecords, idsOf } from './assertions.ts';
import type { Item } from './assertions.ts';
import type { Rule } from './rule.ts';
import type { Subject } from './target.ts';

const WRONG_KEY = 'rollcall_0000000000000000000000000000000000000000';

export const KEY_RULES: readonly Rule[] = [
  {
    id: 'key.missing',
    title: 'without a bearer key: 401 missing_api_key; a key without its scheme is none',
    check: async (subject) => {
      for (const authorization of [null, 'Bearer', 'Basic bearer', 'Basic dXNlcjpwYXNz', subject.key]) {
        await subject.assertProblem({ target: subject.path(), authorization }, 'missing_api_key');
      }
    },
  },
  {
    id: 'key.query',
    title: 'a key in the query lets nobody in',
    buildsOn: ['key.missing'],
    check: async (subject) => {
      const key = encodeURIComponent(subject.key);
      for (const name of ['key', 'api_key', 'apikey', 'token', 'access_token']) {
        const target = `${subject.path()}?${name}=${key}`;
        await subject.assertProblem({ target, authorization: null }, 'missing_api_key');
      }
    },
  },
  {
    id: 'key.scheme',
    title: 'the scheme is Bearer in any case',
    check: async (subject) => {
      const target = await subject.existingTarget();
      for (const scheme of ['bearer', 'BEARER']) {
        await subject.request({ target, authorization: `${scheme} ${subject.key}` });
      }
    },
  },
  {
    id: 'key.invalid',
    title: 'with a wrong key: 401 invalid_api_key',
    check: async (subject) => {
      for (const key of wrongKeys(subject)) {
        await subject.assertProblem({ target: subject.path(), authorization: `Bearer ${key}` }, 'invalid_api_key');
      }
    },
  },
  {
    id: 'key.first',
    title: 'the path is checked before the method, the method before the key, the key before the parameters',
    buildsOn: ['key.missing', 'method.other', 'path.unknown'],
    check: async (subject) => {
      const target = `${subject.path()}?nonsense=1`;
      await subject.assertProblem({ target, authorization: null }, 'missing_api_key');
      await subject.assertProblem({ method: 'POST', target, authorization: null }, 'method_not_allowed');
      const nowhere = `/nonsense${subject.path()}`;
      await subject.assertProblem({ target: nowhere, authorization: null }, 'not_found');
      await subject.assertProblem({ method: 'POST', target: nowhere, authorization: null }, 'not_found');
    },
  },
];

/** One that nobody has, and what is almost the right one. */
function wrongKeys({ key }: Subject): readonly string[] {
  const last = key.endsWith('0') ? '1' : '0';
  return [WRONG_KEY, key.slice(0, -1) || 'x', `${key}0`, `${key.slice(0, -1)}${last}`];
}

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

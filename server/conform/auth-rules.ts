/** Rules of API keys, and of the isolation of two accounts from each other. */
import { Failure, Skipped, assertThat, requireRecords, idsOf } from './assertions.ts';
import type { Item } from './assertions.ts';
import type { Rule } from './rule.ts';
import type { Target } from './target.ts';

const UNKNOWN_KEY = 'rollcall_0000000000000000000000000000000000000000';

export const AUTH_RULES: readonly Rule[] = [
  {
    id: 'auth.missing',
    title: 'without a bearer key: 401 missing_api_key; a key without its scheme does not count',
    check: async (target) => {
      for (const authorization of [null, 'Bearer', 'Basic bearer', 'Basic dXNlcjpwYXNz', target.key]) {
        await target.assertProblem({ path: target.path(), authorization }, 'missing_api_key');
      }
    },
  },
  {
    id: 'auth.in_query',
    title: 'a key in the query does not authenticate',
    dependsOn: ['auth.missing'],
    check: async (target) => {
      const key = encodeURIComponent(target.key);
      for (const name of ['key', 'api_key', 'apikey', 'token', 'access_token']) {
        const path = `${target.path()}?${name}=${key}`;
        await target.assertProblem({ path, authorization: null }, 'missing_api_key');
      }
    },
  },
  {
    id: 'auth.scheme_case',
    title: 'the scheme is Bearer in any case',
    check: async (target) => {
      const path = await target.existingPath();
      for (const scheme of ['bearer', 'BEARER']) {
        await target.request({ path, authorization: `${scheme} ${target.key}` });
      }
    },
  },
  {
    id: 'auth.unknown',
    title: 'an unknown key: 401 invalid_api_key',
    check: async (target) => {
      for (const key of unknownKeys(target)) {
        await target.assertProblem({ path: target.path(), authorization: `Bearer ${key}` }, 'invalid_api_key');
      }
    },
  },
  {
    id: 'auth.precedence',
    title: 'the path is checked before the method, the method before the key, the key before the parameters',
    dependsOn: ['auth.missing', 'request.method_not_allowed', 'request.unknown_path'],
    check: async (target) => {
      const path = `${target.path()}?nonsense=1`;
      await target.assertProblem({ path, authorization: null }, 'missing_api_key');
      await target.assertProblem({ method: 'POST', path, authorization: null }, 'method_not_allowed');
      const nowhere = `/nonsense${target.path()}`;
      await target.assertProblem({ path: nowhere, authorization: null }, 'not_found');
      await target.assertProblem({ method: 'POST', path: nowhere, authorization: null }, 'not_found');
    },
  },
];

/** @returns a key that no account has, and some that are almost the right one. */
function unknownKeys({ key }: Target): readonly string[] {
  const last = key.endsWith('0') ? '1' : '0';
  return [UNKNOWN_KEY, key.slice(0, -1) || 'x', `${key}0`, `${key.slice(0, -1)}${last}`];
}

/** The operation of one account, and the items that only the other account has. */
interface Side {
  readonly own: Target;
  readonly foreign: readonly Item[];
}

/** @returns a side for each account that lacks items of the other. @throws Skipped if both have the same items. */
async function sidesOf(target: Target): Promise<readonly Side[]> {
  const otherAccount = otherAccountOf(target);
  const [mine, theirs] = [await listOf(target).items(0), await listOf(otherAccount).items(0)];
  const only = (items: readonly Item[], others: readonly Item[]): readonly Item[] => {
    const ids = new Set(others.map((it) => it.id));
    return items.filter((it) => !ids.has(it.id));
  };
  const sides = [
    { own: target, foreign: only(theirs, mine) },
    { own: otherAccount, foreign: only(mine, theirs) },
  ].filter(({ foreign }) => foreign.length > 0);
  requireRecords(sides.length === 0 ? [`${target.noun} that the account of --key2 does not have`] : []);
  return sides;
}

const listOf = (target: Target): Target => target.list ?? target;

function otherAccountOf({ otherAccount }: Target): Target {
  if (otherAccount === undefined) throw new Skipped('there is no key of another account (--key2)');
  return otherAccount;
}

export const LIST_ISOLATION_RULES: readonly Rule[] = [
  {
    id: 'isolation.list',
    title: 'a list has no items of another account',
    check: async (target) => {
      const otherAccount = otherAccountOf(target);
      const [mine, theirs] = [await target.items(0), await otherAccount.items(0)];
      const ids = new Set(mine.map((it) => it.id));
      const shared = theirs.filter((it) => ids.has(it.id));
      const [{ exchange } = await otherAccount.page()] = await otherAccount.pages();
      if (shared.length > 0)
        throw new Failure(exchange, 'no item of the account of --key', `${idsOf(shared.slice(0, 5))}, in both`);
      requireRecords(mine.length === 0 || theirs.length === 0 ? [`${target.noun} in both accounts`] : []);
    },
  },
  {
    id: 'isolation.cursor',
    title: 'the id of an item of another account is an unknown cursor',
    dependsOn: ['list.unknown_cursor'],
    check: async (target) => {
      for (const { own, foreign } of await sidesOf(target)) {
        for (const name of ['after', 'before']) {
          await own.assertProblem({ path: own.pathWith({ [name]: foreign[0]?.id ?? '' }) }, 'not_found');
        }
      }
    },
  },
  {
    id: 'isolation.etag',
    title: 'the ETag of another account is another one',
    dependsOn: ['http.modified'],
    check: async (target) => {
      const otherAccount = otherAccountOf(target);
      const [mine, theirs] = [await target.page(), await otherAccount.page()];
      requireRecords(mine.exchange.text === theirs.exchange.text ? [`${target.noun} in one of both accounts`] : []);
      const headers = { 'if-none-match': mine.exchange.headers.get('etag') ?? '"none"' };
      const exchange = await otherAccount.send({ path: otherAccount.pathWith({}), headers });
      assertThat(exchange, exchange.status === 200, '200');
    },
  },
];

export const GET_ISOLATION_RULES: readonly Rule[] = [
  {
    id: 'isolation.get',
    title: 'an item of another account is 404 not_found',
    dependsOn: ['get.not_found'],
    check: async (target) => {
      for (const { own, foreign } of await sidesOf(target)) {
        await own.assertProblem({ path: own.path(foreign[0]?.id) }, 'not_found');
      }
    },
  },
];

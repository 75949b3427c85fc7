/** Rules of two accounts: neither can see the records of the other. */
import { Failure, NotChecked, forEach, requireRecords } from '../rules/rule.ts';
import { assertThat } from './session.ts';
import type { Query } from './listing.ts';
import { canonical } from './records.ts';
import type { Item } from './records.ts';
import type { Rule } from './rule.ts';
import type { Exchange, Request } from './session.ts';
import type { Target } from './target.ts';
import { UNKNOWN_ID } from './values.ts';

/** The operation of one account, and the items that only the other account has. */
interface Side {
  readonly own: Target;
  readonly foreign: readonly Item[];
}

const listOf = (target: Target): Target => target.list ?? target;

function otherAccountOf({ otherAccount }: Target): Target {
  if (otherAccount === undefined) throw new NotChecked('it requires the key of another account (--key2)');
  return otherAccount;
}

/** @returns a side for each account that lacks items of the other. @throws NotChecked if both have the same items. */
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
  if (sides.length === 0 && mine.length > 0) throw new NotChecked(ONE_ACCOUNT);
  requireRecords(sides.length > 0, { of: target.noun, count: 1, what: 'that the account of --key2 does not have' });
  return sides;
}

/** Why nothing could be checked where the accounts do not differ. */
export const ONE_ACCOUNT = 'both keys return the same records, so they may belong to one account';

export const LIST_ISOLATION_RULES: readonly Rule[] = [
  {
    id: 'isolation.list',
    title: 'a list contains no items of another account',
    change: 'Select by the account of the key in every query.',
    check: async (target) => {
      const otherAccount = otherAccountOf(target);
      const [mine, theirs] = [await target.items(0), await otherAccount.items(0)];
      requireRecords(mine.length > 0 && theirs.length > 0, { of: target.noun, count: 1, what: 'in both accounts' });
      // Two accounts may share ids and even items, such as those of the examples.
      const { valueOf } = target.comparison;
      const ofMine = new Set(mine.map(valueOf));
      const shared = theirs.filter((it) => ofMine.has(valueOf(it)));
      const isLeak = shared.length > 1 && shared.length === Math.min(mine.length, theirs.length);
      if (!isLeak) return;
      const isOne = mine.length === theirs.length;
      if (isOne && !target.isSeeded) throw new NotChecked(ONE_ACCOUNT);
      const { exchange } = await otherAccount.page();
      const actual = `${isOne ? 'the same items' : `all ${String(shared.length)} items of one account`} for both keys`;
      throw new Failure({ request: exchange.request, expected: 'other items than those of the first key', actual });
    },
  },
  {
    id: 'isolation.cursor',
    title: 'the id of an item of another account is an unknown cursor',
    change: 'Look the cursor up among the items of the account of the key.',
    dependsOn: ['list.unknown_cursor'],
    check: async (target) => {
      const sides = await sidesOf(target);
      const requests = sides.flatMap((it) => ['after', 'before'].map((name) => ({ ...it, name })));
      await forEach(requests, ({ own, foreign, name }) =>
        own.assertProblem({ path: own.pathWith({ [name]: foreign[0]?.id ?? '' }) }, 'not_found'),
      );
      const [side] = sides;
      if (side !== undefined)
        await forEach(besides(side), (query) =>
          side.own.assertProblem({ path: side.own.pathWith(query) }, 'not_found'),
        );
    },
  },
  disclosureRule(['isolation.cursor'], (target, id) => target.pathWith({ after: id })),
  {
    id: 'isolation.etag',
    title: 'two accounts with different records have different ETags',
    change: 'Compute the ETag from the response, after the account is known.',
    dependsOn: ['http.modified'],
    check: async (target) => {
      const otherAccount = otherAccountOf(target);
      const [mine, theirs] = [await target.plain(), await otherAccount.plain()];
      const isSame = canonical(mine.body) === canonical(theirs.body);
      const hasRecords = (await target.items(0)).length > 0;
      if (isSame && hasRecords) throw new NotChecked(ONE_ACCOUNT);
      requireRecords(!isSame, { of: target.noun, count: 1, what: 'in at least one of the two accounts' });
      const headers = { 'if-none-match': mine.headers.get('etag') ?? '"none"' };
      const exchange = await otherAccount.send({ path: otherAccount.pathWith({}), headers });
      assertThat(exchange, exchange.status === 200, '200');
    },
  },
];

export const GET_ISOLATION_RULES: readonly Rule[] = [
  {
    id: 'isolation.get',
    title:
      'a request for an item of another account returns 404 not_found, with HEAD, any letter case and any If-None-Match',
    change: 'Look up by account and id at once, for HEAD and conditional requests too.',
    dependsOn: ['get.not_found', 'http.conditional_errors', 'http.head'],
    check: async (target) => {
      const sides = await sidesOf(target);
      for (const { own, foreign } of sides) await own.assertProblem({ path: own.path(foreign[0]?.id) }, 'not_found');
      const [{ own, foreign: [item] } = { own: target, foreign: [] }] = sides;
      const other = own === target ? otherAccountOf(target) : target;
      const path = own.path(item?.id);
      const tag = (await other.request({ path })).headers.get('etag') ?? '"none"';
      const requests: readonly Request[] = [
        { method: 'HEAD', path },
        { path: own.path(item?.id.toUpperCase()) },
        ...[tag, '*'].map((it) => ({ path, headers: { 'if-none-match': it } })),
      ];
      await forEach(requests, (request) => own.assertProblem(request, 'not_found'));
    },
  },
  disclosureRule(['isolation.get'], (target, id) => target.path(id)),
];

/** The other requests with the id of a foreign item as their cursor. */
function besides({ own, foreign: [item] }: Side): readonly Query[] {
  const id = item?.id ?? '';
  const [filter] = own.operation.parameters.filter((it) => it.in === 'query' && it.schema.enum !== undefined);
  const value = filter?.schema.enum?.[0] ?? '';
  return [
    { limit: own.limits.min, after: id },
    { limit: own.limits.min, before: id },
    { after: id.toUpperCase() },
    ...(filter === undefined ? [] : [{ [filter.name]: value, after: id }]),
  ];
}

/** @returns the rule that the 404 for an id of another account is that for an id that nothing has. */
function disclosureRule(dependsOn: readonly string[], pathOf: (target: Target, id: string) => string): Rule {
  return {
    id: 'isolation.disclosure',
    title: 'the 404 for an id of another account says the same as that for an unknown id',
    change: 'Look up by account and id at once, so that a foreign id takes the path of an unknown one.',
    dependsOn,
    check: async (target) => {
      const [{ own, foreign: [item] } = { own: target, foreign: [] }] = await sidesOf(target);
      const bodyOf = async (id: string): Promise<readonly [Exchange, readonly string[]]> => {
        const exchange = await own.send({ path: pathOf(own, id) });
        return [exchange, wordsOf(exchange.body)];
      };
      const [[, one], [, other]] = [
        await bodyOf(UNKNOWN_ID),
        await bodyOf(item?.id.replace(/^.{8}/, 'deadbeef') ?? ''),
      ];
      const [exchange, foreign] = await bodyOf(item?.id ?? '');
      if (one.length !== other.length) throw new NotChecked('the responses to two unknown ids have different words');
      // A word that differs between two unknown ids tells nothing.
      const told = foreign.filter((word, at) => word !== one[at] && one[at] === other[at]);
      const isSame = told.length === 0 && foreign.length === one.length;
      assertThat(exchange, isSame, `the same as for an unknown id: ${one.join(' ')}`, foreign.join(' '));
    },
  };
}

/** @returns the words of a body, without those with digits: ids and numbers may differ from one request to the next. */
const wordsOf = (body: unknown): readonly string[] =>
  canonical(body)
    .match(/[\w-]+/g)
    ?.filter((it) => !/\d/.test(it)) ?? [];

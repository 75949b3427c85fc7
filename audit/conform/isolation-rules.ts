/** Rules of two accounts: neither can see the records of the other. */
import { Failure, NotChecked, forEach, requireRecords } from '../rules/rule.ts';
import { LONG, joined, quote, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { assertCases, filtered } from './cases.ts';
import { assertThat } from './checked-session.ts';
import type { CheckedResponse, Request } from './checked-session.ts';
import type { Query } from './listing.ts';
import { canonical } from './records.ts';
import type { ContractRule } from './contract-rule.ts';
import type { Target } from './target.ts';
import { UNKNOWN_ID } from './values.ts';

/** The operation of one account, that of the other one, and the id of an item that only the other account has. */
interface Side {
  readonly own: Target;
  readonly other: Target;
  readonly id: string;
}

function otherAccountOf({ otherAccount }: Target): Target {
  if (otherAccount === undefined) throw new NotChecked(say`it requires the key of another account (--other-key)`);
  return otherAccount;
}

/** @returns a side for each account that lacks items of the other. @throws NotChecked if both have the same items. */
async function sidesOf(target: Target): Promise<readonly [Side, ...Side[]]> {
  const pairs = [
    [target, otherAccountOf(target)],
    [otherAccountOf(target), target],
  ] as const;
  const sides: Side[] = [];
  for (const [own, other] of pairs) {
    const ids = new Set((await (own.list ?? own).items(0)).map(({ id }) => id));
    const foreign = (await (other.list ?? other).items(0)).find(({ id }) => !ids.has(id));
    if (foreign !== undefined) sides.push({ own, other, id: foreign.id });
  }
  const [first, ...others] = sides;
  if (first === undefined && (await (target.list ?? target).items(0)).length > 0)
    throw new NotChecked(say`${ONE_ACCOUNT}`);
  requireRecords(first !== undefined, {
    of: target.noun,
    count: 1,
    what: 'that the account of --other-key does not have',
  });
  return [first, ...others];
}

/** Why nothing could be checked where the accounts do not differ. */
export const ONE_ACCOUNT = 'both keys return the same records, so they may belong to one account';

export const LIST_ISOLATION_RULES: readonly ContractRule[] = [
  {
    id: 'isolation.list',
    title: 'a list contains no items of another account, also if both are read at the same time',
    change: 'Select by the account of the key in every query.',
    check: async (target) => {
      const otherAccount = otherAccountOf(target);
      const [mine, theirs] = [await target.items(0), await otherAccount.items(0)];
      // What one request leaves behind on a server, another one at the same time may find.
      const path = target.pathWith({ ...filtered(target), limit: target.limits.min });
      const pages = await Promise.all([target.send({ path, isRaw: true }), otherAccount.send({ path })]);
      for (const [at, page] of pages.entries()) {
        const [own, others] = at === 0 ? [mine, theirs] : [theirs, mine];
        const foreign = others.find(({ id }) => page.text.includes(id) && !own.some((item) => item.id === id));
        assertThat(page, foreign === undefined, say`no items of the other account`, quote(foreign?.id ?? ''));
      }
      requireRecords(mine.length > 0 && theirs.length > 0, { of: target.noun, count: 1, what: 'in both accounts' });
      // Two accounts may share ids and even items, such as those of the examples.
      const { valueOf } = target.comparison;
      const ofMine = new Set(mine.map(valueOf));
      const shared = theirs.filter((item) => ofMine.has(valueOf(item)));
      const isLeak = shared.length > 1 && shared.length === Math.min(mine.length, theirs.length);
      if (!isLeak) return;
      const isOne = mine.length === theirs.length;
      if (isOne && !target.isSeeded) throw new NotChecked(say`${ONE_ACCOUNT}`);
      const { response } = await otherAccount.page();
      const actual = say`${isOne ? 'the same items' : say`all ${shared.length} items of one account`} for both keys`;
      throw new Failure({ request: response.request, expected: say`other items than those of the first key`, actual });
    },
  },
  {
    id: 'isolation.cursor',
    title: 'the id of an item of another account is an unknown cursor',
    change: 'Look the cursor up among the items of the account of the key.',
    dependsOn: ['list.unknown_cursor'],
    check: async (target) => {
      await forEach(await sidesOf(target), ({ own, id }) => {
        const { min } = own.limits;
        const queries: readonly Query[] = [
          ...[{ after: id }, { before: id }, { after: id.toUpperCase() }, { limit: min, before: id }],
          ...['after', 'before'].map((name): Query => ({ ...filtered(own), limit: min, [name]: id })),
        ];
        // Of the other account, the plain ones are enough.
        const asked = own === target ? queries : queries.slice(0, 2);
        return assertCases(
          own,
          asked.map((query) => ['not_found', { path: own.pathWith(query) }]),
        );
      });
    },
  },
  disclosureRule(['isolation.cursor'], (target, id) => target.pathWith({ after: id })),
  {
    id: 'isolation.etag',
    title: 'two accounts with different records have different ETags, and get a 304 only for their own',
    change:
      'Compute the ETag from the response, after the account is known, and compare If-None-Match with it for every account.',
    dependsOn: ['http.modified', 'http.not_modified'],
    check: async (target) => {
      const otherAccount = otherAccountOf(target);
      const [mine, theirs] = [await target.plain(), await otherAccount.plain()];
      const isSame = canonical(mine.body) === canonical(theirs.body);
      const hasRecords = (await target.items(0)).length > 0;
      if (isSame && hasRecords) throw new NotChecked(say`${ONE_ACCOUNT}`);
      requireRecords(!isSame, { of: target.noun, count: 1, what: 'in at least one of the two accounts' });
      const headers = { 'if-none-match': mine.headers.get('etag') ?? '"none"' };
      await otherAccount.request({ path: otherAccount.pathWith({}), headers });
      const own = theirs.headers.get('etag');
      if (own === undefined) return; // Another rule reports that.
      await otherAccount.request({ path: otherAccount.pathWith({}), headers: { 'if-none-match': own } }, 304);
    },
  },
];

export const GET_ISOLATION_RULES: readonly ContractRule[] = [
  {
    id: 'isolation.get',
    title:
      'a request for an item of another account returns 404 not_found, with HEAD, any letter case and any If-None-Match',
    change: 'Look up by account and id at once, for HEAD and conditional requests too.',
    dependsOn: ['get.not_found', 'http.conditional_errors', 'http.head'],
    check: async (target) => {
      await forEach(await sidesOf(target), async ({ own, other, id }) => {
        const path = own.path(id);
        await own.assertProblem({ path }, 'not_found');
        // What one request leaves behind on a server, another one at the same time, or a later one, may find.
        const [found, lost] = await Promise.all([other.request({ path }), own.send({ path, isRaw: true })]);
        const isLost = lost.status === own.contract.problemStatus.not_found;
        assertThat(lost, isLost, say`404 not_found, also at the same time as a request with the other key`);
        const tag = found.headers.get('etag') ?? '"none"';
        const requests: readonly Request[] = [
          ...[
            { method: 'HEAD', path },
            { path: `/${path}`, headers: { 'if-none-match': tag } },
          ],
          { path: own.path(id.toUpperCase()), headers: { 'if-none-match': '*' } },
        ];
        const asked =
          own === target ? requests : [{ path: own.path(id.replace(/[a-f]/, (letter) => letter.toUpperCase())) }];
        await assertCases(
          own,
          asked.map((request) => ['not_found', request]),
        );
      });
    },
  },
  disclosureRule(['isolation.get'], (target, id) => target.path(id)),
];

/** @returns the rule that the 404 for an id of another account is that for an id that nothing has. */
function disclosureRule(dependsOn: readonly string[], pathOf: (target: Target, id: string) => string): ContractRule {
  return {
    id: 'isolation.disclosure',
    title: 'the 404 for an id of another account says the same as that for an unknown id',
    change: 'Look up by account and id at once, so that a foreign id takes the path of an unknown one.',
    dependsOn,
    check: async (target) => {
      const [{ own, id }] = await sidesOf(target);
      const rejected = (of: string): Promise<CheckedResponse> =>
        own.request({ path: pathOf(own, of) }, own.contract.problemStatus.not_found);
      const unknown = [await rejected(UNKNOWN_ID), await rejected(id.replace(/^.{8}/, 'deadbeef'))] as const;
      const [one, other] = [wordsOf(unknown[0].body), wordsOf(unknown[1].body)];
      const response = await rejected(id);
      const foreign = wordsOf(response.body);
      if (one.length !== other.length) throw new NotChecked(say`the responses to two unknown ids have different words`);
      // A word or a header that differs between two unknown ids tells nothing.
      const told = foreign.filter((word, at) => word !== one[at] && one[at] === other[at]);
      const isSame = told.length === 0 && foreign.length === one.length;
      const words = (body: unknown): Text => quote(canonical(body), LONG, (shown) => wordsIn(shown).join(' '));
      const same = say`the same as for an unknown id: ${words(unknown[0].body)}`;
      assertThat(response, isSame, same, words(response.body));
      const names = [...new Set([response, ...unknown].flatMap(({ headers }) => [...headers.keys()]))];
      const oddOf = (answer: CheckedResponse): readonly string[] =>
        names.filter((name) => unknown.every(({ headers }) => headers.has(name) !== answer.headers.has(name)));
      // Some responses have a header more by chance, such as the last of a connection.
      const odd = oddOf(response).length === 0 ? [] : oddOf(await rejected(id));
      assertThat(
        response,
        odd.length === 0,
        say`the same headers as for an unknown id`,
        say`other headers: ${joined(odd.map((name) => quote(name)))}`,
      );
    },
  };
}

/** @returns the words of a body, without those with digits: ids and numbers may differ from one request to the next. */
const wordsIn = (text: string): readonly string[] => text.match(/[\w-]+/g)?.filter((word) => !/\d/.test(word)) ?? [];
const wordsOf = (body: unknown): readonly string[] => wordsIn(canonical(body));

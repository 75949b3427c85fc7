/** The model of the contract, without `conform`: it decides as the contract does, and says where the contract leaves a choice. */
import { expect, test } from '@jest/globals';
import { CHOICES, answerOf, isMatch, listsOf } from '../../../audit/conform/model.ts';
import type { World } from '../../../audit/conform/model.ts';
import { allRules } from '../../../audit/conform/rules.ts';
import { COLLECTIONS, pathOf } from '../../../contract/collections.ts';
import { contract } from '../../support/app.ts';
import { ALL, RECORDS } from '../../support/decisions.ts';
import type { Decision } from '../../support/decisions.ts';
import { createModelServer } from '../../support/model-server.ts';

const KEY = 'rollcall_key';
const known = COLLECTIONS.map((it) => [pathOf(it), { items: [...RECORDS[it]], isWhole: true }] as const);
const accounts: World['accounts'] = new Map([[KEY, new Map(known)]]);
const world: World = { accounts, lists: listsOf(contract), status: contract.problemStatus };
const serve = createModelServer(contract, accounts);
const sentOf = ({ method, target, authorization }: Decision) => ({
  ...{ method, target },
  authorization: authorization === undefined ? [] : [authorization.replaceAll('KEY', KEY)],
});

test.each(ALL.map((it): [string, Decision] => [`${it.method} ${it.target}, ${String(it.authorization)}`, it]))(
  '%s',
  (_, decision) => {
    const { method, status, name, message, ids, hasMore } = decision;
    const sent = sentOf(decision);
    const response = serve({ ...sent, headers: {} });
    expect(response.status).toBe(status);
    expect(allRules(contract).has(answerOf(world, sent).rule)).toBe(true);
    if (method === 'HEAD' || status === 204) return;
    const body = JSON.parse(response.body) as {
      name: string;
      message: string;
      data: { id: string }[];
      has_more: boolean;
    };
    if (name !== undefined) expect([body.name, body.message]).toEqual([name, message ?? body.message]);
    if (ids !== undefined) expect([body.data.map(({ id }) => id), body.has_more]).toEqual([ids, hasMore]);
  },
);

const guide = JSON.stringify((contract.document as { 'x-guide': unknown })['x-guide']).replaceAll(/(\\n|\s)+/g, ' ');
test.each(Object.entries(CHOICES))('the contract leaves the choice of %s', (_, sentence) => {
  expect(guide).toContain(sentence);
});

test.each<[choice: string, target: string, method: string, authorization: string[], right: number[], wrong: number[]]>([
  ['escaped', '/%61utomations', 'GET', [`Bearer ${KEY}`], [200, 404], [401, 422]],
  ['escaped', '/%61utomations?limit=0', 'GET', [`Bearer ${KEY}`], [404, 422], [200]],
  ['method', '/automations', 'get', [], [400, 405, 422], [200, 401]],
  ['scheme', '/automations', 'GET', [`Bearer:${KEY}`], [401], [200, 404]],
  ['scheme', '/automations', 'GET', [`Basic x, Bearer ${KEY}`], [401], [200, 404]],
  ['several', '/automations', 'GET', [`Bearer ${KEY}`, `Bearer ${KEY}`], [400, 401], [200]],
])('%s: %s', (choice, target, method, authorization, right, wrong) => {
  const answer = answerOf(world, { method, target, authorization });
  if (answer.kind !== 'choice') throw new Error(answer.kind);
  expect(answer.choice).toBe(choice);
  expect([...right, ...wrong].map((it) => answer.isRight(it))).toEqual([
    ...right.map(() => true),
    ...wrong.map(() => false),
  ]);
});

test('nothing is known of what was not read', () => {
  const part = new Map([[KEY, new Map([['/automations', { items: [...RECORDS.automations], isWhole: false }]])]]);
  const answer = (target: string) => {
    return answerOf({ ...world, accounts: part }, { method: 'GET', target, authorization: [`Bearer ${KEY}`] });
  };
  expect(answer(`/automations?after=00000000-0000-4000-8000-000000000000`).kind).toBe('unknown');
  expect(answer('/contact-properties').kind).toBe('unknown');
  expect(answer(`/contacts/imports/00000000-0000-4000-8000-000000000000`).kind).toBe('unknown');
  expect(answer('/automations?limit=22')).toMatchObject({ kind: 'page', hasMore: undefined, isCut: false });
  expect(answer('/automations?limit=23')).toMatchObject({ kind: 'page', hasMore: undefined, isCut: true });
  expect(answer('/automations?limit=21')).toMatchObject({ kind: 'page', hasMore: true, isCut: false });
});

test.each<[ifNoneMatch: string, tag: string, expected: boolean]>([
  ['"a"', '"a"', true],
  ['W/"a"', '"a"', true],
  ['"a"', 'W/"a"', true],
  ['"b", W/"a"', '"a"', true],
  [' * ', '"a"', true],
  ['"b"', '"a"', false],
  ['a', '"a"', false],
  ['"*"', '"a"', false],
  ['', '"a"', false],
])('If-None-Match: %s has %s: %s', (ifNoneMatch, tag, expected) => {
  expect(isMatch(ifNoneMatch, tag)).toBe(expected);
});

/** What the model of the contract must answer, without `conform`: for its test, and for the weakenings of the model. */
import { answerOf, isMatch, listsOf } from '../../../audit/conform/model.ts';
import type { Answer, Sent, World } from '../../../audit/conform/model.ts';
import { COLLECTIONS, pathOf } from '../../../contract/collections.ts';
import { loadContract } from '../../../contract/document.ts';
import { ALL, RECORDS } from '../../support/decisions.ts';
import type { Decision } from '../../support/decisions.ts';
import type { Records } from '../../../testkit/index.ts';
import { createModelServer } from '../../support/model-server.ts';

/** What comes of a case, and what must. */
export interface Case {
  readonly name: string;
  readonly run: () => { readonly actual: unknown; readonly expected: unknown };
}

const contract = loadContract();
const KEY = 'rollcall_key';
const AUTHORIZED = [`Bearer ${KEY}`];
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const records: Records = RECORDS; // A contract may have more collections than these.
const known = COLLECTIONS.map((it) => [pathOf(it), { items: [...(records[it] ?? [])], isWhole: true }] as const);
const accounts: World['accounts'] = new Map([[KEY, new Map(known)]]);
const part: World['accounts'] = new Map([
  [KEY, new Map([['/automations', { items: [...RECORDS.automations], isWhole: false }]])],
]);
const answer = (sent: Partial<Sent> & Pick<Sent, 'target'>, of = accounts): Answer => {
  const world = { accounts: of, lists: listsOf(contract), status: contract.problemStatus };
  return answerOf(world, { method: 'GET', authorization: AUTHORIZED, ...sent });
};

function ofDecision({ method, target, authorization, status, name, message, ids, hasMore }: Decision): Case {
  const authorizations = authorization === undefined ? [] : [authorization.replaceAll('KEY', KEY)];
  return {
    name: `${method} ${target}, ${String(authorization)}`,
    run: () => {
      const response = createModelServer(
        contract,
        accounts,
      )({
        ...{ method, target, headers: {} },
        authorization: authorizations,
      });
      const body = (response.body === '' ? {} : JSON.parse(response.body)) as {
        readonly name?: string;
        readonly message?: string;
        readonly data?: readonly { readonly id: string }[];
        readonly has_more?: boolean;
      };
      return {
        actual: [
          response.status,
          name && body.name,
          message && body.message,
          ids && body.data?.map(({ id }) => id),
          ids && body.has_more,
        ],
        expected: [status, name, message, ids, hasMore],
      };
    },
  };
}

type Row = readonly [
  choice: string,
  sent: Parameters<typeof answer>[0],
  right: readonly number[],
  wrong: readonly number[],
];
const CHOICES: readonly Row[] = [
  ['escaped', { target: '/%61utomations' }, [200, 404], [401, 422]],
  ['escaped', { target: '/%61utomations?limit=0' }, [404, 422], [200]],
  ['escaped', { target: '/%61utomations', authorization: [`Bearer:${KEY}`] }, [401, 404], [200]],
  ['method', { target: '/automations', method: 'get' }, [400, 405, 422], [200, 399, 401]],
  ['scheme', { target: '/automations', authorization: [`Bearer:${KEY}`] }, [401], [200, 404]],
  ['scheme', { target: '/automations', authorization: [`Basic x, Bearer ${KEY}`] }, [401], [200, 404]],
  ['several', { target: '/automations', authorization: [...AUTHORIZED, ...AUTHORIZED] }, [300, 400, 401], [200, 299]],
];
const PARTS: readonly (readonly [target: string, expected: Partial<Record<string, unknown>>])[] = [
  [`/automations?after=${UNKNOWN}`, { kind: 'unknown' }],
  ['/contact-properties', { kind: 'unknown' }],
  [`/contacts/imports/${UNKNOWN}`, { kind: 'unknown' }],
  ['/automations?limit=23', { kind: 'page', hasMore: undefined, isCut: true }],
  ['/automations?limit=21', { kind: 'page', hasMore: true, isCut: false }],
];
// Which rule an answer follows, and of several wrong parameters, which.
const RULES: readonly (readonly [target: string, rule: string, wrong?: readonly string[]])[] = [
  ['/automations?limit=2', 'list.limit'],
  [`/automations?after=${RECORDS.automations[3]?.id ?? ''}`, 'list.after'],
  [`/automations?before=${RECORDS.automations[3]?.id ?? ''}`, 'list.before'],
  ['/automations?status=enabled', 'list.filter'],
  [`/automations?status=enabled&before=${RECORDS.automations[3]?.id ?? ''}`, 'list.filter_cursor'],
  ['/automations?limit=0&x=1', 'list.invalid_limit', ['limit minimum', 'x']],
  ['/automations?limit=101', 'list.invalid_limit', ['limit maximum']],
  ['/automations?limit=x&after=x', 'list.invalid_limit', ['limit', 'after']],
  ['/automations?after=x&before=x', 'list.malformed_cursor', ['after', 'before', 'after']],
  ['/contacts/imports/x?limit=1', 'get.malformed_id', ['id', 'limit']],
];
const TAGS: readonly (readonly [ifNoneMatch: string, tag: string, expected: boolean])[] = [
  ['"a"', '"a"', true],
  ['W/"a"', '"a"', true],
  ['"a"', 'W/"a"', true],
  ['"b", W/"a"', '"a"', true],
  [' * ', '"a"', true],
  ['"b"', '"a"', false],
  ['a', '"a"', false],
  ['"*"', '"a"', false],
  ['"aW/b"', '"ab"', false],
  ['', '"a"', false],
];

const pick = (value: object, like: object): object =>
  Object.fromEntries(Object.keys(like).map((name) => [name, (value as Readonly<Record<string, unknown>>)[name]])); // As any object has.

const SCHEME: Case = {
  name: 'a scheme that ends in Bearer leaves no choice',
  run: () => {
    const { kind } = answer({ target: '/automations', authorization: [`xBearer:${KEY}`] });
    return { actual: kind, expected: 'problem' };
  },
};

export const CASES: readonly Case[] = [
  SCHEME,
  ...ALL.map(ofDecision),
  ...CHOICES.map(([choice, sent, right, wrong]): Case => ({
    name: `the choice ${choice}: ${sent.target}, ${String(sent.method)}, ${String(sent.authorization)}`,
    run: () => {
      const it = answer(sent);
      const isRight = it.kind === 'choice' ? [...right, ...wrong].map((status) => it.isRight(status)) : [];
      return {
        actual: [pick(it, { choice }), isRight],
        expected: [{ choice }, [...right.map(() => true), ...wrong.map(() => false)]],
      };
    },
  })),
  ...PARTS.map(([target, expected]): Case => ({
    name: `what was not read: ${target}`,
    run: () => ({ actual: pick(answer({ target }, part), expected), expected }),
  })),
  ...RULES.map(([target, rule, wrong = []]): Case => ({
    name: `the rule of ${target}`,
    run: () => {
      const it = answer({ target });
      const names =
        it.kind === 'problem' ? it.wrong.map(({ name, beyond }) => [name, beyond].filter(Boolean).join(' ')) : [];
      return { actual: [it.rule, names], expected: [rule, wrong] };
    },
  })),
  ...TAGS.map(([ifNoneMatch, tag, expected]): Case => ({
    name: `If-None-Match: ${ifNoneMatch} has ${tag}`,
    run: () => ({ actual: isMatch(ifNoneMatch, tag), expected }),
  })),
];

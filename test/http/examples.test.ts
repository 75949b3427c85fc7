/** The error examples of the contract are the server's responses, to the letter. */
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import type { Response } from 'supertest';
import { headersOfStatus } from '../../server/http/respond.ts';
import type { Contract, MediaType } from '../../server/contract/document.ts';
import { rateLimitExceeded } from '../../server/contract/problems.ts';
import { StoreUnavailable } from '../../server/store/store.ts';
import type { Store } from '../../server/store/store.ts';
import { automation } from '../../server/testing/builders.ts';
import { contract, openTestApp } from '../support/app.ts';

const UUID = '00000000-0000-4000-8000-000000000000';

async function get(target: string, fails?: Error): Promise<Response> {
  const list: Partial<Store> =
    fails === undefined
      ? {}
      : {
          list: () => {
            throw fails;
          },
        };
  const { app, key } = await openTestApp({ automations: [automation()] }, list);
  return request(app).get(target).set('authorization', `Bearer ${key}`);
}
const getWith = async (headers: Record<string, string>): Promise<Response> =>
  request((await openTestApp()).app)
    .get('/automations')
    .set(headers);

/** How each example comes about, by the status of its response and its name in it. */
const provoke: Record<string, () => Promise<Response>> = {
  '401 noKey': () => getWith({}),
  '401 wrongKey': () => getWith({ authorization: 'Bearer nonsense' }),
  '404 unknownImport': () => get(`/contacts/imports/${UUID}`),
  '404 unknownCursor': () => get(`/automations?after=${UUID}`),
  '404 unknownPath': () => get('/nope'),
  '405 example': async () => request((await openTestApp()).app).post('/automations'),
  '422 limitOutOfRange': () => get('/automations?limit=0'),
  '422 repeatedLimit': () => get('/automations?limit=1&limit=1'),
  '422 unknownStatus': () => get('/automations?status=paused'),
  '422 malformedId': () => get('/contacts/imports/x'),
  '422 unknownParameter': () => get('/automations?page=2'),
  '422 bothCursors': () => get(`/automations?after=${UUID}&before=${UUID}`),
  '429 example': () => get('/automations', rateLimitExceeded(1)),
  '500 example': () => get('/automations', new Error('a fault')),
  '503 example': () => get('/automations', new StoreUnavailable('locked')),
};

const examplesOf = ({ example, examples = {} }: MediaType): [name: string, value: unknown][] => [
  ...(example === undefined ? [] : [['example', example] as [string, unknown]]),
  ...Object.entries(examples).map(([name, { value }]): [string, unknown] => [name, value]),
];
const examples = new Map(
  contract.operations
    .flatMap(({ responses }) => [...responses])
    .filter(([status]) => status >= 400)
    .flatMap(([status, { content }]) =>
      Object.values(content ?? {})
        .flatMap(examplesOf)
        .map(([name, value]) => [`${String(status)} ${name}`, value] as const),
    ),
);

test('every example is provoked, and nothing else', () => {
  expect(Object.keys(provoke).toSorted()).toEqual([...examples.keys()].toSorted());
});

test.each([...examples])('%s', async (name, example) => {
  expect((await provoke[name]?.())?.body).toEqual(example);
});

describe('what the contract says of one operation is not taken for all', () => {
  /** The contract with another `Allow` on one operation. */
  const edited: Contract = {
    ...contract,
    operations: contract.operations.map((operation) => {
      if (operation.id !== 'listAutomations') return operation;
      const schema = { type: 'string', enum: ['GET'] };
      const { headers, ...rest } = operation.responses.get(405) ?? {};
      const response = { ...rest, headers: { ...headers, Allow: { schema } } };
      return { ...operation, responses: new Map([...operation.responses, [405, response]]) };
    }),
  };
  const [first, second] = edited.operations;

  test('an operation has its own headers', () => {
    expect(headersOfStatus(edited, 405, first)).toMatchObject({ Allow: 'GET' });
    expect(headersOfStatus(edited, 405, second)).toMatchObject({ Allow: 'GET, HEAD, OPTIONS' });
  });

  test('what is no operation’s has those that all of them share', () => {
    expect(headersOfStatus(edited, 405)).not.toHaveProperty('Allow');
    expect(headersOfStatus(edited, 405)).toMatchObject({ 'Cache-Control': 'private, no-cache', Vary: 'Authorization' });
    expect(headersOfStatus(contract, 405)).toHaveProperty('Allow', 'GET, HEAD, OPTIONS');
  });
});

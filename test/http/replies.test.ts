/** Every response of every operation, errors too, against the contract's schemas and its examples, to the letter. */
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import type { Response } from 'supertest';
import { COLLECTIONS } from '../../contract/collections.ts';
import type { Contract, MediaType } from '../../contract/document.ts';
import { rateLimitExceeded } from '../../contract/problems.ts';
import type { Parts } from '../../server/http/pipeline.ts';
import { createRateLimits } from '../../server/http/rate-limits.ts';
import { headersOfStatus } from '../../server/http/respond.ts';
import { StoreUnavailable } from '../../server/store/store.ts';
import type { Store } from '../../server/store/store.ts';
import { build } from '../../testkit/builders.ts';
import { contract, openTestApp } from '../support/app.ts';
import type { Records, TestApp } from '../support/app.ts';
import { expectDeclared } from '../support/declared.ts';
import { expectProblem, get } from '../support/requests.ts';

const UUID = 'c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const ORIGIN = 'https://app.example';
const ask = (t: TestApp, path: string, headers: Record<string, string> = {}): Promise<Response> =>
  get(t, path, { origin: ORIGIN, ...headers });
const RECORDS = Object.fromEntries(
  COLLECTIONS.map((it) => [it, [build[it](), build[it](), build[it]({ id: UUID })]]),
) as Records; // Of each collection its own.
const full = (settings: Partial<Parts> = {}, overrides: Partial<Store> = {}): Promise<TestApp> =>
  openTestApp(RECORDS, overrides, undefined, settings);
const failing = (error: Error): Partial<Store> => {
  const fail = (): never => {
    throw error;
  };
  return { list: fail, get: fail };
};

/** How each declared status is brought about. */
const OF_STATUS: Readonly<Record<number, (path: string, settings?: Partial<Parts>) => Promise<Response>>> = {
  200: async (path, settings) => ask(await full(settings), path),
  304: async (path, settings) => ask(await full(settings), path, { 'if-none-match': '*' }),
  401: async (path, settings) => ask({ ...(await full(settings)), key: 'nonsense' }, path),
  404: async (path, settings) =>
    ask(await openTestApp({}, {}, undefined, settings), path.endsWith(UUID) ? path : `${path}?after=${UUID}`),
  405: async (path, settings) =>
    request((await full(settings)).app)
      .post(path)
      .set('origin', ORIGIN),
  422: async (path, settings) => ask(await full(settings), `${path}?nonsense=1`),
  429: async (path, settings) => {
    const t = await full({ ...settings, rateLimits: createRateLimits({ requests: 1, seconds: 3600 }) });
    await ask(t, path);
    return ask(t, path);
  },
  500: async (path, settings) => ask(await full(settings, failing(new Error('SELECT secret FROM nowhere'))), path),
  503: async (path, settings) => ask(await full(settings, failing(new StoreUnavailable('busy'))), path),
};
const CASES = contract.operations.flatMap(({ id, route, responses }) =>
  [...responses.keys()].map((status) => [id, status, route.replace(':id', UUID)] as const),
);

test.each(CASES)('%s: a %i is as declared, with and without rate limits and origins', async (id, status, path) => {
  const provoke = OF_STATUS[status];
  if (provoke === undefined) throw new Error(`No way is known to bring about a ${String(status)}.`);
  for (const corsOrigins of [[ORIGIN], ['*']]) {
    const rateLimits = createRateLimits({ requests: 100, seconds: 3600 });
    const response = await provoke(path, { corsOrigins, rateLimits });
    expect(response.status).toBe(status);
    expectDeclared(id, response, true);
  }
  if (status === 429) return; // Only a server that limits rates has it.
  const plain = await provoke(path);
  expect(plain.status).toBe(status);
  expectDeclared(id, plain);
});

/** How each example of an error comes about, by the status of its response and its name in it. */
const fails = async (error: Error): Promise<Response> => get(await full({}, failing(error)), '/automations');
const gets = (target: string) => async (): Promise<Response> => get(await full(), target);
const OF_EXAMPLE: Readonly<Record<string, () => Promise<Response>>> = {
  '401 noKey': async () => request((await full()).app).get('/automations'),
  '401 wrongKey': async () => get({ ...(await full()), key: 'nonsense' }, '/automations'),
  '404 unknownImport': gets(`/contacts/imports/${UNKNOWN}`),
  '404 unknownCursor': gets(`/automations?after=${UNKNOWN}`),
  '404 unknownPath': gets('/nope'),
  '405 example': async () => request((await full()).app).post('/automations'),
  '422 limitOutOfRange': gets('/automations?limit=0'),
  '422 repeatedLimit': gets('/automations?limit=1&limit=1'),
  '422 unknownStatus': gets('/automations?status=paused'),
  '422 malformedId': gets('/contacts/imports/x'),
  '422 unknownParameter': gets('/automations?page=2'),
  '422 bothCursors': gets(`/automations?after=${UUID}&before=${UUID}`),
  '429 example': () => fails(rateLimitExceeded(1)),
  '500 example': () => fails(new Error('a fault')),
  '503 example': () => fails(new StoreUnavailable('locked')),
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

describe('the examples of errors are the responses', () => {
  test('every example is provoked, and nothing else', () => {
    expect(Object.keys(OF_EXAMPLE).toSorted()).toEqual([...examples.keys()].toSorted());
  });

  test.each([...examples])('%s', async (name, example) => {
    expect((await OF_EXAMPLE[name]?.())?.body).toEqual(example);
  });
});

describe('faults of the server', () => {
  test('a 500 says nothing of its cause, and reports it under the id of the request', async () => {
    const error = new Error('SELECT secret FROM nowhere');
    const t = await openTestApp({}, failing(error));
    const response = await ask(t, '/automations', { 'x-request-id': 'r-1' });
    expectProblem(response, 500, 'application_error', 'Internal server error.');
    expect(t.reported).toEqual([{ error, requestId: 'r-1' }]);
  });

  test('a 503 says when to come back, also where the key cannot be read', async () => {
    const error = new StoreUnavailable('busy');
    const t = await openTestApp({}, { authenticate: () => Promise.reject(error) });
    const response = await ask(t, '/automations');
    expect(response.body).toMatchObject({ statusCode: 503, name: 'service_unavailable' });
    expectDeclared('listAutomations', response);
    expect(response.headers['retry-after']).toBe('1');
    expect(t.reported).toMatchObject([{ error }]);
  });

  test('what a caller did is not reported', async () => {
    const t = await openTestApp();
    await ask(t, '/nope');
    await ask(t, '/automations?limit=0');
    expect(t.reported).toEqual([]);
  });
});

test('what the contract says of one operation is not taken for all', () => {
  /** The contract with another `Allow` on one operation. */
  const edited: Contract = {
    ...contract,
    operations: contract.operations.map((operation) => {
      if (operation.id !== 'listAutomations') return operation;
      const { headers, ...rest } = operation.responses.get(405) ?? {};
      const response = { ...rest, headers: { ...headers, Allow: { schema: { type: 'string', enum: ['GET'] } } } };
      return { ...operation, responses: new Map([...operation.responses, [405, response]]) };
    }),
  };
  const [first, second] = edited.operations;
  expect(headersOfStatus(edited, 405, first)).toMatchObject({ Allow: 'GET' });
  expect(headersOfStatus(edited, 405, second)).toMatchObject({ Allow: 'GET, HEAD, OPTIONS' });
  // What is no operation's has those that all of them share.
  expect(headersOfStatus(edited, 405)).not.toHaveProperty('Allow');
  expect(headersOfStatus(edited, 405)).toMatchObject({ 'Cache-Control': 'private, no-cache', Vary: 'Authorization' });
  expect(headersOfStatus(contract, 405)).toHaveProperty('Allow', 'GET, HEAD, OPTIONS');
});

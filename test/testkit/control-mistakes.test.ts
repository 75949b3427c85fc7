/** The control API rejects every mistake with a problem that names what is wrong and what is allowed, and nothing has changed. */
import { expect, test } from '@jest/globals';
import { COLLECTIONS } from '../../contract/collections.ts';
import { LIMITS } from '../../server/http/connections.ts';
import { createServerState } from '../../testkit/server-state.ts';
import { automation, contactImport, contactProperty } from '../../testkit/index.ts';
import { afterFile } from '../support/after-test.ts';
import { openControl } from '../support/control.ts';

const first = automation();
const property = contactProperty({ type: 'number' });
const queued = contactImport({ status: 'queued' });
const ended = contactImport({ status: 'completed' });
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const { state, send } = await openControl(createServerState(), LIMITS, afterFile);
await state.createAccount({
  ...{ name: 'a', apiKey: 'key' },
  records: { automations: [first], contactImports: [queued, ended] },
});

const ID = 'a UUID in any letter case, such as "b2c3d4e5-f6a7-8901-bcde-f12345678901".';
const NAME =
  'an account name of 1 to 100 letters, digits or characters of `_.@-`, without a dot at the start, such as "account-1".';
const THERE_ARE = `Expected one of: ${COLLECTIONS.join(', ')}.`;
const OPERATIONS = `Expected one of: ${state.contract.operations.map((it) => it.id).join(', ')}.`;
const TIMES = 'must be a whole number from 1 to 9007199254740991.';
const BOTH = '`times` and `always` cannot be combined. Send only one of them.';
const NOTHING = 'This path does not exist. See /openapi.yaml for all paths.';
const STATUS_PARAMETER = 'a whole number from 100 to 599.';

type Problem = readonly [status: number, name: string, message: string];
const json = (message: string): Problem => [400, 'invalid_json', message];
const invalid = (message: string): Problem => [422, 'validation_error', message];
const notFound = (message: string): Problem => [404, 'not_found', message];
const conflict = (message: string): Problem => [409, 'conflict', message];
const notAllowed = (methods: string): Problem => [
  ...([405, 'method_not_allowed'] as const),
  `This path supports only ${methods}. See /openapi.yaml for all operations.`,
];

const then = [{ revokeKey: true }];
const MISTAKES: readonly (readonly [request: string, body: unknown, problem: Problem])[] = [
  // What is not JSON, or not an object.
  ['POST /accounts', '', json('The body must be JSON: a value is expected at offset 0.')],
  ['POST /accounts', '{"name" 1}', json('The body must be JSON: a colon is expected at offset 8.')],
  [
    'POST /accounts',
    '['.repeat(101),
    json('The body must be JSON: an end of nesting after 100 levels is expected at offset 101.'),
  ],
  ['POST /accounts', new Uint8Array([0x22, 0xff, 0x22]), json('The body must be JSON in UTF-8.')],
  ['POST /accounts', '{"name":"b","name":"c"}', json('/name appears more than once.')],
  ['PUT /snapshot', '{"version":1,"accounts":{"a":{},"a":{}}}', json('/accounts/a appears more than once.')],
  [
    'POST /faults',
    '{"fault":{"delayMs":1.0000000000000000001}}',
    json('/fault/delayMs must be a number that a double can represent exactly; 1.0000000000000000001 would become 1.'),
  ],
  [
    'POST /accounts',
    '1e999',
    json('The body must be a number that a double can represent exactly; 1e999 would become Infinity.'),
  ],
  ['POST /accounts', [], invalid('The body must be an object.')],
  ['POST /accounts', 'null', invalid('The body must be an object.')],
  // Accounts.
  [
    'POST /accounts',
    { nmae: 'b' },
    invalid('/nmae is an unknown property; allowed properties: name, apiKey, records.'),
  ],
  ['POST /accounts', { name: 5 }, invalid(`/name must be ${NAME}`)],
  ['POST /accounts', { name: '..' }, invalid(`/name must be ${NAME}`)],
  ['POST /accounts', { name: 'a b' }, invalid(`/name must be ${NAME}`)],
  ['POST /accounts', { name: 'x'.repeat(101) }, invalid(`/name must be ${NAME}`)],
  [
    'POST /accounts',
    { apiKey: 'a b' },
    invalid(
      '/apiKey must be an API key of 1 to 200 letters, digits or characters of `-._~+/`, optionally followed by `=` characters, such as "test-key".',
    ),
  ],
  ['POST /accounts', { name: 'a' }, conflict('The account a already exists.')],
  ['POST /accounts', { records: { automation: [] } }, invalid(`Unknown collection "automation". ${THERE_ARE}`)],
  [
    'POST /accounts',
    { records: { automations: {} } },
    invalid('/records/automations must be a list of at most 100000 items.'),
  ],
  ['POST /accounts', { records: { automations: [{}] } }, invalid('/records/automations/0/id is missing.')],
  ['POST /accounts', { records: { automations: [{ id: 'x' }] } }, invalid(`/records/automations/0/id must be ${ID}`)],
  [
    'POST /accounts',
    { records: { automations: [{ ...first, status: 'on' }] } },
    invalid('automations[0] does not match the contract: /status: must be one of "enabled", "disabled"'),
  ],
  [
    'POST /accounts',
    JSON.stringify({ records: { contactProperties: [{ ...property, fallback_value: 7 }] } }).replace(':7', ':-0'),
    invalid('contactProperties[0] does not match the contract: /fallback_value: must not be -0, which would become 0'),
  ],
  ['DELETE /accounts/b', undefined, notFound('There is no account b.')],
  ['POST /accounts/a%20b/reset', undefined, invalid(`\`account\` must be ${NAME.replaceAll('"', '`')}`)],
  ['POST /accounts/%zz/reset', undefined, invalid('The path must be percent-encoded UTF-8: send % as %25.')],
  // Records.
  ['POST /accounts/a/put', {}, invalid('/collection is missing.')],
  [
    'POST /accounts/a/put',
    { collection: 'contacts', records: [] },
    invalid(`Unknown collection "contacts". ${THERE_ARE}`),
  ],
  [
    'POST /accounts/a/remove',
    { collection: 'automations', ids: [first.id, UNKNOWN] },
    notFound(`There is no record ${UNKNOWN} in automations. No record was removed.`),
  ],
  ['POST /accounts/a/remove', { collection: 'automations', ids: ['x'] }, invalid(`/ids/0 must be ${ID}`)],
  ['POST /accounts/a/move-import', { id: UNKNOWN }, notFound(`There is no contact import ${UNKNOWN}.`)],
  [
    'POST /accounts/a/move-import',
    { id: ended.id },
    conflict(`The contact import ${ended.id} has ended: it is completed.`),
  ],
  [
    'POST /accounts/a/move-import',
    { id: queued.id, end: 'queued' },
    invalid('/end must be one of "completed", "failed".'),
  ],
  [
    'POST /accounts/a/move-import',
    { id: queued.id, total: -1 },
    invalid('/total must be a whole number from 0 to 9007199254740991.'),
  ],
  ['POST /accounts/a/move-import', { id: queued.id, toEnd: 1 }, invalid('/toEnd must be true or false.')],
  // Faults.
  ['POST /faults', { status: 503 }, invalid('/fault is missing.')],
  [
    'POST /faults',
    { fault: { status: 418 } },
    invalid('No error has status 418. Expected one of: 401, 404, 405, 422, 429, 500, 503.'),
  ],
  ['POST /faults', { fault: { status: 200 } }, invalid('/fault/status must be a whole number from 400 to 599.')],
  ['POST /faults', { fault: { status: '503' } }, invalid('/fault/status must be a whole number from 400 to 599.')],
  [
    'POST /accounts/a/faults',
    { fault: { error: 'teapot' } },
    invalid(`Unknown error "teapot". Expected one of: ${Object.keys(state.contract.problemStatus).join(', ')}.`),
  ],
  [
    'POST /faults',
    { fault: { status: 429, retryAfter: 0 } },
    invalid('/fault/retryAfter must be a whole number from 1 to 86400.'),
  ],
  ['POST /faults', { fault: { delayMs: 2 ** 31 } }, invalid('/fault/delayMs must be a number from 0 to 2147483647.')],
  ['POST /faults', { fault: { disconnect: false } }, invalid('/fault/disconnect must be true.')],
  ['POST /faults', { fault: { status: 503 }, times: 0 }, invalid(`/times ${TIMES}`)],
  ['POST /faults', { fault: { status: 503 }, times: 1e300 }, invalid(`/times ${TIMES}`)],
  ['POST /faults', { fault: { status: 503 }, always: false }, invalid('/always must be true.')],
  ['POST /faults', { fault: { status: 503 }, times: 2, always: true }, invalid(BOTH)],
  // Cues.
  ['POST /accounts/a/cues', { then }, invalid('/when is missing.')],
  ['POST /accounts/a/cues', { when: {}, then: [] }, invalid('/then must be a list of 1 to 100 items.')],
  ...[{}, { revokeKey: true, fail: { status: 503 } }].map(
    (it) =>
      [
        'POST /accounts/a/cues',
        { when: {}, then: [it] },
        invalid('/then/0 must be an object with exactly one of put, remove, moveImport, revokeKey, fail.'),
      ] as const,
  ),
  [
    'POST /accounts/a/cues',
    { when: {}, then: [{ delete: 1 }] },
    invalid('/then/0/delete is an unknown property; allowed properties: put, remove, moveImport, revokeKey, fail.'),
  ],
  ['POST /accounts/a/cues', { when: { cursor: 'x' }, then }, invalid(`/when/cursor must be ${ID}`)],
  ['POST /accounts/a/cues', { when: { nth: 0 }, then }, invalid(`/when/nth ${TIMES}`)],
  [
    'POST /accounts/a/cues',
    { when: { operation: 'listContacts' }, then },
    invalid(`Unknown operation "listContacts". ${OPERATIONS}`),
  ],
  ['POST /accounts/a/cues', { when: {}, then, at: 'during' }, invalid('/at must be one of "before", "after".')],
  ['POST /accounts/a/cues', { when: {}, then, times: 1, always: true }, invalid(BOTH)],
  // Parameters.
  ['GET /requests?status=99', undefined, invalid(`\`status\` must be ${STATUS_PARAMETER}`)],
  ['GET /requests?status=0x1ad', undefined, invalid(`\`status\` must be ${STATUS_PARAMETER}`)],
  ['GET /requests?status=', undefined, invalid(`\`status\` must be ${STATUS_PARAMETER}`)],
  [
    'GET /requests?status=429&status=500',
    undefined,
    invalid(`\`status\` must be sent only once, as ${STATUS_PARAMETER}`),
  ],
  [
    'GET /accounts/a/requests?operation=listContacts',
    undefined,
    invalid(`Unknown operation "listContacts". ${OPERATIONS}`),
  ],
  [
    'GET /requests?limit=5',
    undefined,
    invalid('Unknown parameter `limit`. Allowed parameters: `operation`, `status`.'),
  ],
  // Snapshots.
  ['PUT /snapshot', { version: 2, accounts: {} }, invalid('/version must be 1.')],
  ['PUT /snapshot', { version: 1, accounts: { a: { x: 5 } } }, invalid(`Unknown collection "x". ${THERE_ARE}`)],
  [
    'PUT /snapshot',
    { version: 1, accounts: [{ x: 5 }] },
    invalid('/accounts must be an object of at most 10000 members.'),
  ],
  [
    'PUT /snapshot',
    { version: 1, accounts: { 'a b': {} } },
    invalid('The name of an account must be 1 to 100 letters, digits or characters of _.@-.'),
  ],
  // Paths and methods.
  ['GET /nothing', undefined, notFound(NOTHING)],
  ['GET /accounts/', undefined, notFound(NOTHING)],
  ['GET /Accounts', undefined, notFound(NOTHING)],
  ['POST /accounts//reset', undefined, notFound(NOTHING)],
  ['PUT /accounts', {}, notAllowed('GET, POST')],
  ['OPTIONS /faults', undefined, notAllowed('POST, DELETE')],
];

/** All that a request can change. */
const changeable = (): unknown => ({
  ...state.snapshot(),
  cues: state.accounts.get('a')?.cues.list(),
  faults: [state.faults.take(undefined), state.accounts.get('a')?.faults.take(undefined)],
});
const before = changeable();

test.each(MISTAKES)('%s %j', async (request, sent, [statusCode, name, message]) => {
  const [method = '', path = ''] = request.split(' ');
  const { status, body, headers } = await send(method, path, sent);
  expect({ status, body }).toEqual({ status: statusCode, body: { statusCode, name, message } });
  expect(headers.get('allow')).toBe(statusCode === 405 ? /supports only ([^.]*)\./.exec(message)?.[1] : null);
  expect(changeable()).toEqual(before);
});

test('HEAD has no body, and is no GET', async () => {
  expect(await send('HEAD', '/accounts')).toMatchObject({ status: 405, text: '' });
});

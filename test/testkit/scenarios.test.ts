/**
 * The scenarios of docs/test-kit.md, through JavaScript and through the control API. Our client does what is correct, and a client with a
 * mistake that the scenario is about gets another result.
 */
import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createClient } from '../../client/index.ts';
import type { RollcallClient } from '../../client/index.ts';
import { COLLECTIONS } from '../../contract/collections.ts';
import { readDocument } from '../../contract/document.ts';
import { createBuilders, startRollcall } from '../../testkit/index.ts';
import type { Records, ScenarioName, ScenarioOptions, TestServer } from '../../testkit/index.ts';
import { afterFile } from '../support/after-test.ts';
import { openFolder } from '../support/cli.ts';
import { proseOf } from '../support/docs.ts';
import { start } from '../support/kit.ts';
import { AUTOMATIONS, CASES, LIMIT, TIES, listed, names } from './scenario-cases.ts';
import type { Get, Page } from './scenario-cases.ts';

const NAMES = Object.keys(CASES) as ScenarioName[]; // The compiler holds them to be these.

interface SeenRequest {
  readonly status?: number | undefined;
  readonly cues: readonly number[];
}
/** An account, through JavaScript or through the control API. */
interface Account {
  readonly url: string;
  readonly apiKey: string;
  readonly scenario: (name: ScenarioName, options?: ScenarioOptions) => Promise<unknown>;
  readonly fired: () => Promise<readonly number[]>;
  readonly requests: () => Promise<readonly SeenRequest[]>;
  readonly reset: () => Promise<unknown>;
}

let server: TestServer;
let control: { readonly url: string; readonly json: <T>(method: string, path: string, body?: object) => Promise<T> };
beforeAll(async () => {
  server = await startRollcall();
  afterFile(() => server.close());
  const folder = openFolder();
  afterFile(folder.remove);
  const argv = ['demo', '--port', '0', '--key', 'k', '--control', '--json'];
  const [line] = await folder.start(argv).printed(/^.*\n/);
  const { url, control: api } = JSON.parse(line) as { url: string; control: { url: string; key: string } };
  const headers = { authorization: `Bearer ${api.key}` };
  control = {
    url,
    json: async (method, path, body) => {
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      const text = await (await fetch(api.url + path, init)).text();
      return JSON.parse(text === '' ? '{}' : text) as never; // As the caller says.
    },
  };
});

const WAYS: Readonly<Record<string, (records: Records) => Promise<Account>>> = {
  JavaScript: async (records) => {
    const account = await server.account(records);
    return {
      ...{ url: server.url, apiKey: account.apiKey, scenario: (...it) => Promise.resolve(account.scenario(...it)) },
      reset: () => account.reset(),
      fired: () => Promise.resolve(account.cues.map((it) => it.fired)),
      requests: () => Promise.resolve(account.requests),
    };
  },
  'the control API': async (records) => {
    const { url, json } = control;
    const { name, apiKey } = await json<{ name: string; apiKey: string }>('POST', '/accounts', { records });
    const path = `/accounts/${name}`;
    return {
      ...{ url, apiKey },
      scenario: (scenario, options) => json('POST', `${path}/scenarios`, { name: scenario, ...options }),
      fired: async () => (await json<{ data: { fired: number }[] }>('GET', `${path}/cues`)).data.map((it) => it.fired),
      requests: async () => (await json<{ data: SeenRequest[] }>('GET', `${path}/requests`)).data,
      reset: () => json('POST', `${path}/reset`),
    };
  },
};

const pauses: number[] = [];
beforeEach(() => {
  pauses.length = 0;
  jest.spyOn(Math, 'random').mockReturnValue(0); // Which makes each pause the longest that it can be.
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** @returns our client, whose pauses before a retry take no time. */
function ourClient({ url, apiKey }: Account): RollcallClient {
  return createClient({
    baseUrl: url,
    apiKey,
    onRetry: ({ pauseMs }) => {
      pauses.push(pauseMs);
      setImmediate(() => {
        jest.advanceTimersByTime(pauseMs); // The pause has begun.
      });
    },
  });
}

const getOf =
  ({ url, apiKey }: Account): Get =>
  async (path, headers = {}) => {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${apiKey}`, ...headers } });
    const text = await response.text();
    const body = text === '' ? undefined : (JSON.parse(text) as Partial<Page>);
    return { status: response.status, etag: response.headers.get('etag') ?? '', body };
  };

const logOf = (requests: readonly SeenRequest[]): string =>
  requests.map(({ status, cues }) => [status ?? 'none', ...cues.map((it) => `cue ${String(it)}`)].join(' ')).join(', ');

describe.each(Object.keys(WAYS))('through %s', (way) => {
  test.each(NAMES)('%s', async (name) => {
    const { records, ours = listed, expected, log, wrong, found, fires, ...it } = CASES[name];
    const account = await WAYS[way]?.(records);
    if (account === undefined) throw new Error(way);
    if (it.pauses !== undefined) jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    await account.scenario(name, { limit: LIMIT });
    expect(await ours(ourClient(account))).toBe(expected);
    expect(logOf(await account.requests())).toBe(log);
    expect(pauses).toEqual(it.pauses ?? []);
    expect(await account.fired()).toEqual([fires[0]]);

    await account.reset();
    await account.scenario(name); // With the same limit, which is the default.
    expect(await wrong(getOf(account))).toBe(found);
    expect(await account.fired()).toEqual([fires[1]]);
  });
});

const ITEMS = 6;
/** Of an account with one collection: what our client makes of it, with the cursor's record removed, ties, and the others. */
const OF_OTHERS = NAMES.filter((it) => it !== 'import-progresses-per-poll' && it !== 'key-revoked-midway');
const DELAYED: readonly ScenarioName[] = ['rate-limited-midway', 'outage-and-recovery'];

describe.each(['contactProperties', 'contactImports'] as const)('for %s', (collection) => {
  test.each(
    OF_OTHERS.filter((it) => !DELAYED.includes(it) && (collection === 'contactImports' || !it.startsWith('status'))),
  )('%s fires, and our client returns every record once', async (name) => {
    const { build } = createBuilders({ seed: name });
    const filter = name.startsWith('status') ? { status: 'queued' as const } : {};
    const records = Array.from({ length: ITEMS }, () => build[collection](filter));
    const account = await server.account({ [collection]: records });
    const cue = account.scenario(name, { collection, limit: LIMIT });
    const list = createClient({ baseUrl: server.url, apiKey: account.apiKey })[collection].list({
      limit: LIMIT,
      ...filter,
    });
    const ids = (await list.toArray({ max: 100 })).map(({ id }) => id);
    expect(ids.toSorted()).toEqual(records.map(({ id }) => id).toSorted());
    expect([cue.fired, cue.errors]).toEqual([name === 'last-page-full' ? 0 : 1, []]);
  });
});

test('ties-across-pages changes the order of the list', () => {
  expect(names(TIES)).not.toBe('B C D');
});

const { schemas } = (
  readDocument('control') as {
    components: { schemas: { ScenarioName: { enum: string[] }; Cue: { example: { when: { cursor: string } } } } };
  }
).components;

test('the table of docs/test-kit.md has each scenario of control.yaml, in its order, and no empty cell', () => {
  const { enum: documented } = schemas.ScenarioName;
  const rows = [...proseOf('docs/test-kit.md').matchAll(/^\| `([a-z]+-[a-z-]+)` +\|(.+?)\|(.+?)\|(.+?)\|$/gm)];
  expect(rows.map(([, name]) => name)).toEqual(documented);
  expect(rows.flatMap(([, , ...cells]) => cells).filter((it) => !/[a-z]/.test(it))).toEqual([]);
  expect(NAMES).toEqual(documented);
});

test('control.yaml shows a cue as it is', async () => {
  const shown = schemas.Cue.example;
  const [first, , ...others] = AUTOMATIONS;
  const second = { ...AUTOMATIONS[1], id: shown.when.cursor };
  const records = { automations: [first, second, ...others] };
  const { name } = await control.json<{ name: string }>('POST', '/accounts', { records });
  const cue = await control.json('POST', `/accounts/${name}/scenarios`, { name: 'cursor-removed', limit: 2 });
  expect(cue).toEqual(shown);
  expect(await control.json('GET', `/accounts/${name}/cues`)).toEqual({ data: [shown] });
});

describe('is rejected', () => {
  test.each(NAMES)('%s in an account without the records', async (name) => {
    const account = await start();
    const message = `The scenario ${name} requires ${CASES[name].needs} in the account.`;
    expect(() => account.scenario(name)).toThrow(new RangeError(message));
    expect(account.cues).toEqual([]);
  });

  test('by the control API with a conflict', async () => {
    const { name } = await control.json<{ name: string }>('POST', '/accounts', {});
    expect(await control.json('POST', `/accounts/${name}/scenarios`, { name: 'cursor-removed', limit: 7 })).toEqual({
      statusCode: 409,
      name: 'conflict',
      message: 'The scenario cursor-removed requires 8 automations in the account.',
    });
  });

  test.each<[unknown, unknown, Error]>([
    ['other', {}, new TypeError(`Unknown scenario "other". Expected one of: ${NAMES.join(', ')}.`)],
    ['cursor-removed', { limit: 0 }, new RangeError('`limit` must be a whole number from 1 to 100.')],
    ['cursor-removed', { limit: '2' }, new TypeError('`limit` must be a whole number from 1 to 100.')],
    [
      'cursor-removed',
      { size: 2 },
      new TypeError('Unknown scenario option "size". Expected one of: collection, limit.'),
    ],
    [
      'cursor-removed',
      { collection: 'a' },
      new TypeError(`Unknown collection "a". Expected one of: ${COLLECTIONS.join(', ')}.`),
    ],
    [
      'status-changes-out-of-filter',
      { collection: 'contactProperties' },
      new RangeError(
        'The scenario status-changes-out-of-filter requires a collection with a filter, and contactProperties have none.',
      ),
    ],
  ])('%j with %j', async (name, options, error) => {
    const account = await start({ automations: AUTOMATIONS });
    expect(() => account.scenario(name as ScenarioName, options as ScenarioOptions)).toThrow(error);
    expect(account.cues).toEqual([]);
  });

  test('after the server has been closed', async () => {
    const account = await start({ automations: AUTOMATIONS });
    await account.close();
    expect(() => account.scenario('cursor-removed')).toThrow(new Error('The server has been closed.'));
  });
});

/** `conform --har`: what is judged of captured traffic, which rule finds which fault, and what is never judged wrongly. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Result } from '../../server/conform/conform.ts';
import { judgeHar } from '../../server/conform/har-report.ts';
import type { Judged } from '../../server/conform/har-report.ts';
import { startRollcall } from '../../server/testing/index.ts';
import { contract } from '../support/app.ts';
import fc from '../support/fast-check.ts';
import { recordsOf } from './records.ts';
import { harOf, openRecorder } from './recorder.ts';
import type { RecordedEntry, Recorder } from './recorder.ts';

const COUNT = 45;
const ROUNDS = 3;

/** Pages of 10 from the newest item on, then of one status, then backward from the last page. */
async function traverse({ get }: Recorder, path: string, limit = 10): Promise<readonly string[]> {
  const all: string[] = [];
  for (const filter of ['', '&status=enabled']) {
    const start = `${path}?limit=${String(limit)}${filter}`;
    for (let page = await get(start); ; page = await get(`${start}&after=${page.ids.at(-1) ?? ''}`)) {
      if (filter === '') all.push(...page.ids);
      if (!page.hasMore) break;
    }
  }
  const start = `${path}?limit=${String(limit)}`;
  for (let at = all.at(-(all.length % limit)); at !== undefined;) {
    const page = await get(`${start}&before=${at}`);
    at = page.hasMore ? page.ids[0] : undefined;
  }
  return all;
}

let traffic: readonly RecordedEntry[];
beforeAll(async () => {
  await using server = await startRollcall(recordsOf('own', COUNT));
  const recorder = openRecorder(server.url, server.apiKey);
  for (let round = 0; round < ROUNDS; round += 1) await traverse(recorder, '/automations');
  traffic = recorder.entries;
});

interface Body {
  object: string;
  has_more: boolean;
  data: Record<string, unknown>[];
}
const bodyOf = (entry: RecordedEntry): Body => JSON.parse(entry.response.content.text ?? '') as Body;
const idsOf = (entry: RecordedEntry | undefined): readonly unknown[] =>
  entry === undefined ? [] : bodyOf(entry).data.map((it) => it['id']);

/** Replaces the body of a response, with another ETag. */
function setBody({ response }: RecordedEntry, body: unknown): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.content = { ...response.content, text, size: Buffer.byteLength(text) };
  for (const it of response.headers) if (it.name === 'etag') it.value = `"${String(text.length)}-changed"`;
}

const failed = ({ results }: Judged): Extract<Result, { outcome: 'failed' }>[] =>
  results.filter((it) => it.outcome === 'failed');
const failedRules = (judged: Judged): string[] => failed(judged).map((it) => it.rule);
const judge = (entries: readonly RecordedEntry[], base?: string): Judged =>
  judgeHar(contract, harOf(entries), { base });

const roundOf = (of: number): number => (traffic.length / ROUNDS) * of;
/** @returns the traffic with one exchange of the second round changed. */
function changed(at: number, change: (entry: RecordedEntry, all: RecordedEntry[]) => void): RecordedEntry[] {
  const all = structuredClone([...traffic]);
  const entry = all[roundOf(1) + at];
  if (entry === undefined) throw new Error('There is no such exchange.');
  change(entry, all);
  return all;
}
const changedBody = (at: number, change: (body: Body) => void): RecordedEntry[] =>
  changed(at, (entry) => {
    const body = bodyOf(entry);
    change(body);
    setBody(entry, body);
  });
const swap = (data: Body['data'], a: number, b: number): void => {
  const [x, y] = [data[a], data[b]];
  if (x !== undefined && y !== undefined) [data[a], data[b]] = [y, x];
};

test('real traffic is green, each rule of pages is checked, and nothing is left out', () => {
  const judged = judge(traffic);
  const { origin } = new URL(traffic[0]?.request.url ?? '');
  expect(failed(judged)).toEqual([]);
  expect(judged).toMatchObject({ exchanges: traffic.length, judged: traffic.length, accounts: 1 });
  expect(judged.traffic).toEqual({ bases: [origin], leftOut: new Map(), withoutKey: 0 });
  const ofPages = judged.results.filter((it) => it.operation === 'listAutomations');
  expect(ofPages.map((it) => [it.rule, it.outcome])).toEqual(
    [
      ...['list.order', 'list.ties', 'har.limit', 'har.filter', 'har.skipped', 'har.ended_early', 'har.repeated'],
      'har.cursor',
    ].map((it) => [it, 'passed']),
  );
  expect(new Set(judged.results.map((it) => it.operation))).toEqual(new Set(['listAutomations', 'every response']));
  expect(judged.absent).toEqual(contract.operations.map((it) => it.id).filter((it) => it !== 'listAutomations'));
});

// The exchanges of a round: five pages, then those of one status, then backward.
const [SECOND, LAST, FILTERED] = [1, 4, 5];
const BACKWARD = (): number => roundOf(1) - 4;

describe('a single fault is found by its own rule:', () => {
  const FAULTS: readonly (readonly [rule: string, fault: string, entries: () => RecordedEntry[]])[] = [
    ['har.skipped', 'an item is left out', () => changedBody(SECOND, ({ data }) => data.splice(4, 1))],
    ['har.skipped', 'the first item is left out', () => changedBody(0, ({ data }) => data.shift())],
    ['har.skipped', 'the item after the cursor is left out', () => changedBody(SECOND, ({ data }) => data.shift())],
    ['har.skipped', 'an item is left out with a filter', () => changedBody(FILTERED, ({ data }) => data.splice(2, 2))],
    ['har.skipped', 'the item before the cursor is left out', () => changedBody(BACKWARD(), ({ data }) => data.pop())],
    [
      'har.repeated',
      'the item at the cursor is given again',
      () =>
        changed(SECOND, (entry, all) => {
          const body = bodyOf(entry);
          const before = bodyOf(all[roundOf(1)] ?? entry).data;
          setBody(entry, { ...body, data: [before.at(-1), ...body.data.slice(0, -1)] });
        }),
    ],
    [
      'har.repeated',
      'two items of the page before are given again',
      () =>
        changed(SECOND + 1, (entry, all) => {
          const body = bodyOf(entry);
          const before = bodyOf(all[roundOf(1) + SECOND] ?? entry).data;
          setBody(entry, { ...body, data: [...before.slice(-3, -1), ...body.data.slice(0, -2)] });
        }),
    ],
    [
      'har.repeated',
      'a page ignores its cursor',
      () =>
        changed(SECOND + 1, (entry, all) => {
          setBody(entry, bodyOf(all[roundOf(1)] ?? entry));
        }),
    ],
    [
      'har.repeated',
      'an item is twice in a page',
      () => changedBody(SECOND, ({ data }) => data.splice(3, 1, data[2] ?? {})),
    ],
    [
      'har.ended_early',
      'has_more is false',
      () =>
        changedBody(SECOND, (body) => {
          body.has_more = false;
        }),
    ],
    [
      'har.ended_early',
      'has_more is false backward',
      () =>
        changedBody(BACKWARD(), (body) => {
          body.has_more = false;
        }),
    ],
    [
      'har.ended_early',
      'a page is empty',
      () =>
        changedBody(SECOND, (body) => {
          body.data = [];
          body.has_more = false;
        }),
    ],
    ['har.ended_early', 'the last item is lost', () => changedBody(LAST, ({ data }) => data.pop())],
    [
      'har.limit',
      'a page has an item more than its limit',
      () =>
        changed(SECOND, (entry, all) => {
          const next = bodyOf(all[roundOf(1) + SECOND + 1] ?? entry).data;
          const body = bodyOf(entry);
          setBody(entry, { ...body, data: [...body.data, next[0]] });
        }),
    ],
    [
      'har.filter',
      'a filter is ignored',
      () =>
        changed(FILTERED, (entry, all) => {
          setBody(entry, bodyOf(all[roundOf(1)] ?? entry));
        }),
    ],
    [
      'list.order',
      'two items in the wrong order',
      () =>
        changedBody(SECOND, ({ data }) => {
          const at = data.findIndex((it, index) => it['created_at'] !== data[index + 1]?.['created_at']);
          swap(data, at, at + 1);
        }),
    ],
    [
      'list.order',
      'the last page in the wrong order',
      () => changedBody(LAST, ({ data }) => data.push(...data.splice(0, 1))),
    ],
    ['response.schema', 'a property is missing', () => changedBody(SECOND, ({ data }) => delete data[2]?.['name'])],
    [
      'response.schema',
      'the body is no JSON',
      () =>
        changed(SECOND, (entry) => {
          setBody(entry, '<html></html>');
        }),
    ],
    [
      'response.status',
      'an undeclared status',
      () =>
        changed(SECOND, (entry) => {
          entry.response.status = 418;
        }),
    ],
    [
      'response.encoding',
      'bytes that are not UTF-8',
      () =>
        changed(SECOND, ({ response }) => {
          const text = Buffer.from(response.content.text ?? '');
          text[text.indexOf('own')] = 0xff;
          response.content = {
            ...response.content,
            text: text.toString('base64'),
            size: text.length,
            encoding: 'base64',
          };
          for (const it of response.headers) if (it.name === 'etag') it.value = '"other"';
        }),
    ],
    [
      'header.x_request_id',
      'a header is missing',
      () =>
        changed(SECOND, ({ response }) => {
          response.headers = response.headers.filter((it) => it.name !== 'x-request-id');
        }),
    ],
  ];
  test.each(FAULTS)('%s: %s', (rule, _, entries) => {
    const judged = judge(entries());
    expect(failed(judged).map((it) => [it.rule, it.findings.length])).toEqual([[rule, 1]]);
  });

  test('list.ties: two items of one instant in the wrong order', () => {
    const entries = changedBody(SECOND, ({ data }) => {
      const at = data.findIndex((it, index) => index > 0 && it['created_at'] === data[index + 1]?.['created_at']);
      swap(data, at, at + 1);
    });
    expect(failedRules(judge(entries))).toEqual(['list.ties']);
  });

  test('list.order: a page goes on before its cursor, with items that no page before it has given', () => {
    // Without the first page of each round, nothing has given its items in this direction.
    const entries = changed(SECOND, (entry, all) => {
      setBody(entry, bodyOf(all[roundOf(1)] ?? entry));
    }).filter((_, at) => at % roundOf(1) !== 0);
    expect(failed(judge(entries)).map((it) => [it.rule, it.findings.length])).toEqual([['list.order', 1]]);
  });
});

test('har.repeated: whether the item at the cursor was moved is not known: the page is not checked', () => {
  const [first, second] = structuredClone(traffic.slice(0, 2)) as [RecordedEntry, RecordedEntry];
  const [before, body] = [bodyOf(first), bodyOf(second)];
  setBody(second, { ...body, data: [...before.data.slice(-3, -1), ...body.data.slice(0, -2)] });
  const judged = judge([first, second]);
  expect(failed(judged)).toEqual([]);
  expect(judged.results.find((it) => it.rule === 'har.repeated')).toMatchObject({ outcome: 'not_checked' });
  expect(judged.partly.get('har.repeated')).toEqual({ checked: 0, concerned: 1 });
});

test('pages that break a rule of responses are no pages for the others, and that is said', () => {
  const first = structuredClone(traffic.slice(0, 1)) as [RecordedEntry];
  setBody(first[0], { object: 'list' });
  const judged = judge(first);
  expect(failedRules(judged)).toEqual(['response.schema']);
  expect(judged.results.find((it) => it.rule === 'har.limit')).toMatchObject({
    outcome: 'not_checked',
    reason: 'the file has no pages; 1 page cannot be read, because a response rule failed',
  });
});

test('a finding says the request with its place, the items and who was missing', () => {
  const { data } = JSON.parse(traffic[SECOND]?.response.content.text ?? '') as {
    data: Record<'id' | 'created_at', string>[];
  };
  const [, , , , lost = { id: '', created_at: '' }] = data;
  const [result] = failed(judge(changedBody(SECOND, ({ data }) => data.splice(4, 1))));
  const [at, width] = [roundOf(1) + SECOND, roundOf(1)];
  expect(result).toMatchObject({ operation: 'listAutomations', rule: 'har.skipped' });
  const [finding] = result?.findings ?? [];
  const { searchParams } = new URL(traffic[SECOND]?.request.url ?? '');
  expect(finding?.request).toBe(
    `GET /automations?limit=10&after=${searchParams.get('after') ?? ''} (log.entries[${String(at)}])`,
  );
  expect(finding?.expected).toContain(
    `${lost.id} (${lost.created_at}) appears before and after this page, in log.entries[`,
  );
  expect(finding?.expected).toContain(`and log.entries[`);
  expect(finding?.difference).toContain(`not ${lost.id} (${lost.created_at})`);
  expect(width).toBeGreaterThan(LAST);
});

test('har.cursor: a client that goes on with another item than the last is told so; the server is not blamed', async () => {
  await using server = await startRollcall(recordsOf('own', COUNT));
  const recorder = openRecorder(server.url, server.apiKey);
  for (let round = 0; round < ROUNDS; round += 1) {
    const { ids } = await recorder.get('/automations?limit=10');
    await recorder.get(`/automations?limit=10&after=${ids[6]?.toUpperCase() ?? ''}`);
    await recorder.get(`/automations?limit=10&before=${ids[6] ?? ''}`);
  }
  const judged = judge(recorder.entries);
  expect(failedRules(judged)).toEqual(['har.cursor']);
  const [first, second] = failed(judged)[0]?.findings ?? [];
  const ids = idsOf(recorder.entries[0]).map(String);
  expect(first).toEqual({
    request: `GET /automations?limit=10&after=${ids[6]?.toUpperCase() ?? ''} (log.entries[1])`,
    expected: `after=${ids[9] ?? ''}, the last item of log.entries[0]`,
    actual: `after=${ids[6] ?? ''}, item 7 of 10 on that page: an error of the client, not of the server`,
  });
  expect(second?.expected).toMatch(/^before=/);
});

const STEP = fc.record({
  what: fc.constantFrom('get', 'get', 'get', 'get', 'add', 'remove', 'move', 'enable'),
  at: fc.nat(60),
});
const second = (at: number): string => `2026-04-17 ${new Date(at * 1000).toISOString().slice(11, 19)}.678+00`;

test('an account that changes during the capture is no fault', async () => {
  let checkedPages = 0;
  const property = fc.asyncProperty(fc.array(STEP, { minLength: 60, maxLength: 120 }), async (steps) => {
    const { automations = [] } = recordsOf('own', 30);
    await using server = await startRollcall({ automations });
    const recorder = openRecorder(server.url, server.apiKey);
    const records = new Map(automations.map((it) => [it.id, it]));
    let next = '/automations?limit=4';
    for (const [clock, { what, at }] of steps.entries()) {
      const record = [...records.values()][at % records.size];
      if (record === undefined) throw new Error('There is always a record.');
      if (what === 'get') {
        const { ids, hasMore } = await recorder.get(next);
        const direction = at % 3 === 0 ? 'before' : 'after';
        const cursor = direction === 'before' ? ids[0] : ids.at(-1);
        const start = `/automations?limit=${String((at % 4) + 2)}${at % 5 === 0 ? '&status=enabled' : ''}`;
        next = cursor === undefined || (!hasMore && at % 2 === 0) ? start : `${start}&${direction}=${cursor}`;
      } else if (what === 'remove') {
        if (records.size === 1) continue;
        records.delete(record.id);
        await server.remove('automations', [record.id]);
      } else {
        // No value comes back: what was changed and changed back between two exchanges cannot be seen.
        const id = what === 'add' ? `${String(clock).padStart(8, '0')}-0000-4000-8000-000000000000` : record.id;
        const changedRecord =
          what === 'enable' ? { ...record, status: 'enabled' as const } : { ...record, id, created_at: second(clock) };
        records.set(id, changedRecord);
        await server.put('automations', [changedRecord]);
      }
    }
    const judged = judge(recorder.entries);
    expect(failed(judged)).toEqual([]);
    checkedPages += judged.partly.get('har.skipped')?.checked ?? 0;
  });
  await fc.assert(property, { numRuns: 12 });
  expect(checkedPages).toBeGreaterThan(20);
});

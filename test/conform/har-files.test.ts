/** What `conform --har` does not judge, and files that are not HAR, are hostile or hold secrets. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { HarError, parseHar } from '../../server/conform/har.ts';
import { judgeHar, trafficLines } from '../../server/conform/har-report.ts';
import type { Judged } from '../../server/conform/har-report.ts';
import { startRollcall } from '../../server/testing/index.ts';
import { contract } from '../support/app.ts';
import { recordsOf } from './records.ts';
import { harOf, openRecorder } from './recorder.ts';
import type { RecordedEntry } from './recorder.ts';

let traffic: readonly RecordedEntry[];
let url: string;
let key: string;
beforeAll(async () => {
  await using server = await startRollcall(recordsOf('own', 12));
  ({ url, apiKey: key } = server);
  const recorder = openRecorder(url, key);
  const { ids } = await recorder.get('/contacts/imports?limit=5');
  await recorder.get(`/contacts/imports?limit=5&after=${ids[4] ?? ''}`);
  await recorder.get(`/contacts/imports/${ids[0] ?? ''}`);
  traffic = recorder.entries;
});

const judge = (entries: readonly RecordedEntry[], base?: string): Judged =>
  judgeHar(contract, harOf(entries), { base });
const failedRules = ({ results }: Judged): string[] =>
  results.filter((it) => it.outcome === 'failed').map((it) => it.rule);
const copy = (): [RecordedEntry, RecordedEntry, RecordedEntry] =>
  structuredClone([...traffic]) as [RecordedEntry, RecordedEntry, RecordedEntry];
/** @returns the traffic with its first exchange changed. */
function changed(change: (entry: RecordedEntry) => void): RecordedEntry[] {
  const all = copy();
  change(all[0]);
  return all;
}

describe('not judged, but counted:', () => {
  test.each<readonly [reason: string, what: string, change: (entry: RecordedEntry) => void]>([
    ['of other paths', 'another path', (it) => (it.request.url = `${url}/automations/`)],
    ['of other paths', 'another scheme', (it) => (it.request.url = 'data:text/plain,/automations')],
    ['of other paths', 'no URL', (it) => (it.request.url = 'proxy:::')],
    ['OPTIONS', 'a preflight', (it) => (it.request.method = 'OPTIONS')],
    ['of methods other than GET', 'HEAD', (it) => (it.request.method = 'HEAD')],
    ['without a response', 'status 0', (it) => (it.response.status = 0)],
    ['without a response', 'an aborted response', (it) => (it.response['_error'] = 'net::ERR_ABORTED')],
    ["from the browser's cache or a service worker", 'the cache of Chrome', (it) => (it['_fromCache'] = 'disk')],
    ['with the headers left out', 'no headers', (it) => (it.response.headers = [])],
    ['with the body left out', 'no text', (it) => delete it.response.content.text],
    ['with the body left out', 'no content', (it) => delete (it.response as Partial<typeof it.response>).content],
    [
      'with the body cut',
      'a shorter text than its size',
      (it) => (it.response.content.text = it.response.content.text?.slice(0, 200)),
    ],
    [
      'with a body of more than 100 levels',
      'a deep body',
      (it) => (it.response.content.text = `${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    ],
    [
      'redirected to https',
      'a redirect by a proxy',
      (it) => {
        it.response.status = 307;
        it.response.headers.push({ name: 'Location', value: it.request.url.replace('http:', 'https:') });
      },
    ],
  ])('%s: %s', (reason, _, change) => {
    const judged = judge(changed(change));
    expect(failedRules(judged)).toEqual([]);
    expect(judged).toMatchObject({ exchanges: 3, judged: 2 });
    expect(judged.traffic.leftOut).toEqual(new Map([[reason, 1]]));
    expect(trafficLines(judged)).toContain(`Ignored: 1 ${reason}.`);
  });
});

describe('judged, and right:', () => {
  test.each<readonly [what: string, change: (entry: RecordedEntry) => void]>([
    [
      'a base64 body',
      ({ response: { content } }) => {
        content.text = Buffer.from(content.text ?? '').toString('base64');
        content.encoding = 'base64';
      },
    ],
    ['a compressed size', ({ response: { content } }) => (content.size = 17)],
    ['no size', ({ response: { content } }) => (content.size = -1)],
    [
      'names of headers as HTTP/1.1 has them, and those of HTTP/2',
      ({ response }) => {
        for (const it of response.headers) it.name = it.name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
        response.headers.push({ name: ':status', value: '200' });
      },
    ],
    [
      '304 with the body that the browser had',
      ({ response }) => {
        response.status = 304;
        response.headers = response.headers.filter((it) => it.name !== 'content-type');
      },
    ],
    [
      '304 as Playwright writes it: 200, without bytes of a body',
      ({ request, response }) => {
        const etag = response.headers.find((it) => it.name === 'etag')?.value ?? '';
        request.headers.push({ name: 'If-None-Match', value: etag });
        response.headers = response.headers.filter((it) => it.name !== 'content-type');
        response['bodySize'] = 0;
      },
    ],
    ['a byte order mark before the file', () => undefined],
  ])('%s', (_, change) => {
    const judged = judgeHar(contract, `\ufeff${harOf(changed(change))}`);
    expect(failedRules(judged)).toEqual([]);
    expect(judged).toMatchObject({ exchanges: 3, judged: 3 });
    // The first page is there for the second.
    expect(judged.results.find((it) => it.rule === 'har.cursor')?.outcome).toBe('passed');
  });
});

test('without a duration a response is judged, and its page is no evidence for others', () => {
  const judged = judge(changed((it) => (it.time = -1)));
  expect(failedRules(judged)).toEqual([]);
  expect(judged.judged).toBe(3);
  expect(judged.results.find((it) => it.rule === 'har.cursor')).toMatchObject({ outcome: 'not_checked' });
});

test('an empty body that was sent is judged', () => {
  const entries = changed(({ response }) => {
    response.content = { size: 0, mimeType: 'application/json', text: '' };
  });
  expect(failedRules(judge(entries))).toEqual(['response.schema']);
});

test('the API may be below any prefix; a page of a site at the path of a list is not of the API, unless the URL says so', () => {
  const [first, second, third] = copy();
  first.request.url = first.request.url.replace(url, 'https://site.example');
  first.response.content = { size: 15, mimeType: 'text/html', text: '<!doctype html>' };
  for (const it of [second, third]) it.request.url = it.request.url.replace(url, 'https://site.example/api/v1');
  const judged = judge([first, second, third]);
  expect(failedRules(judged)).toEqual([]);
  expect(judged.traffic).toMatchObject({
    bases: ['https://site.example/api/v1'],
    leftOut: new Map([['of other paths', 1]]),
  });
  expect(judge([first, second, third], 'https://site.example/api/v1/')).toMatchObject({ judged: 2 });
  expect(failedRules(judge([first, second, third], 'https://site.example'))).toEqual(['response.schema']);
  expect(judge([first, second, third], 'https://other.example')).toMatchObject({ judged: 0, results: [] });
});

test('exchanges of each key are of an account of their own; those without a readable key are of one', () => {
  const [first, second, third] = copy();
  const set = (it: RecordedEntry, value: string): void => {
    it.request.headers = [{ name: 'Authorization', value }];
  };
  set(first, `Bearer ${'a'.repeat(20)}`);
  set(second, `bearer  ${'b'.repeat(20)}`);
  set(third, `BEARER ${'b'.repeat(20)}`);
  expect(judge([first, second, third])).toMatchObject({ accounts: 2, traffic: { withoutKey: 0 } });
  set(first, 'Bearer [REDACTED]');
  second.request.headers = [];
  const judged = judge([first, second, third]);
  expect(judged).toMatchObject({ accounts: 2, traffic: { withoutKey: 2 } });
  expect(trafficLines(judged)).toContain('2 exchanges without a readable key, treated as one account.');
});

test.each<readonly [message: string, text: string]>([
  ['it is not JSON at position 1 (line 1 column 2)', `{key: rollcall_${'0'.repeat(40)}`],
  ['it is not JSON', ''],
  ['the file must be an object', '[]'],
  ['log must be an object', '{}'],
  ['log.entries must be an array', '{"log":{"entries":{}}}'],
  ['log.entries[0] must be an object', '{"log":{"entries":[null]}}'],
  ['log.entries[0].request must be an object', '{"log":{"entries":[{}]}}'],
])('what is not HAR is an error that names its place: %s', (message, text) => {
  expect(() => parseHar(text)).toThrow(new HarError(message));
});

test.each<readonly [message: string, change: (entry: RecordedEntry) => unknown]>([
  ['startedDateTime must be an instant such as 2026-04-16T13:49:40.678Z', (it) => (it.startedDateTime = 'now')],
  ['request.url must be a string', (it) => Object.assign(it.request, { url: 7 })],
  ['request.method must be a string', (it) => Object.assign(it.request, { method: null })],
  ['request.headers must be an array', (it) => Object.assign(it.request, { headers: {} })],
  ['response.headers[0] must be an object', (it) => Object.assign(it.response, { headers: ['x'] })],
  ['response.headers[0].value must be a string', (it) => Object.assign(it.response, { headers: [{ name: 'a' }] })],
  ['response.status must be a whole number', (it) => Object.assign(it.response, { status: '200' })],
  ['response.content must be an object', (it) => Object.assign(it.response, { content: [] })],
  ['response.content.text must be a string', (it) => Object.assign(it.response.content, { text: {} })],
  ['response.content.text must be base64', (it) => Object.assign(it.response.content, { encoding: 'base64' })],
  ['response.content.encoding must be base64', (it) => Object.assign(it.response.content, { encoding: 'gzip' })],
])('a wrong entry is an error that names its place: %s', (message, change) => {
  const entries = copy();
  change(entries[1]);
  expect(() => parseHar(harOf(entries))).toThrow(new HarError(`log.entries[1].${message}`));
});

test('a file that nests deeply is read or rejected, and does not break the command', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const text = harOf(traffic).replace('"entries"', `"deep":${deep},"entries"`);
  expect(judgeHar(contract, text)).toMatchObject({ judged: 3 });
  expect(() => parseHar(deep)).toThrow(new HarError('the file must be an object'));
});

test('keys, cookies and passwords of the file are in no result', () => {
  const cookie = 'session-0123456789';
  const other = 'another secret of 30 characters';
  const entries = copy();
  entries[0].request.headers.push({ name: 'Cookie', value: `sid=${cookie}; a=b` });
  entries[0].request.cookies = [{ name: 'x', value: other }];
  entries[1].request.url += `&access_token=${cookie}&q=${encodeURIComponent(other)}`;
  const secret = `${key} Bearer ${key.slice(0, -1)} ${cookie} ${other} ${encodeURIComponent(other)}`;
  for (const { response } of entries) {
    response.status = 418;
    response.content = { size: -1, mimeType: 'text/plain', text: secret };
    response.headers.push({ name: 'X-Request-Id', value: secret });
    response.headers.push({ name: 'Set-Cookie', value: `a=${cookie}; Path=/; Domain=127.0.0.1; SameSite=Lax` });
  }
  const judged = judge(entries);
  const shown = JSON.stringify([judged, [...judged.traffic.leftOut], trafficLines(judged)]);
  expect(failedRules(judge(entries, url))).toContain('response.status');
  const all = shown + JSON.stringify(judge(entries, url));
  for (const it of [key.slice(0, -1), cookie, other, encodeURIComponent(other)]) expect(all).not.toContain(it);
  expect(all).toContain('<secret>');
  expect(all).toContain(url); // Though the domain of a cookie is in it.
});

/** Failures: for good on page 2 and on the first page, and once. */
import { LINKS, NUMBERS, TOKENS } from '../scenario.ts';
import type { Canned, Scenario } from '../scenario.ts';

const SEVERAL = { pages: 3.5 };
/** Above it, a client never gives up. */
const MANY = 20;

const status = (
  code: number,
  body: 'error' | 'html' | 'none' = 'error',
  headers?: Readonly<Record<string, string>>,
): Canned => ({
  ...{ status: code, body },
  ...(headers !== undefined && { headers }),
});

interface Failing {
  readonly name: string;
  readonly server: string;
  readonly report: string;
  readonly reply: Canned;
}
const later = ({ name, server, report, reply }: Failing): Scenario => ({
  ...{ name, pack: name, server: `${server} for page 2, every time`, expect: 'error', report },
  does: { length: SEVERAL, fault: { on: 'second', reply } },
});
const first = ({ name, server, report, reply }: Failing): Scenario => ({
  ...{ name: `${name}-first`, pack: `${name}-first`, server: `${server} for page 1, every time` },
  ...{ expect: 'error', report, does: { length: SEVERAL, fault: { on: 'first', reply } } },
});
const once = ({ name, server, report, reply }: Failing): Scenario => ({
  ...{ name: `${name}-once`, pack: `${name}-once`, server: `${server} for page 2, once` },
  ...{
    expect: 'all-or-error',
    report,
    does: { length: SEVERAL, fault: { on: 'second', once: true, reply } },
  },
});
/** Errors that a retry cannot change. */
const permanent = (scenario: Scenario): Scenario => ({
  ...scenario,
  watch: { retries: { above: MANY, is: 'failure' } },
});
const patient = (scenario: Scenario): Scenario => ({
  ...scenario,
  client: 'it may retry for a long time',
  watch: { retries: { above: MANY, is: 'note' } },
});
const obeys = (scenario: Scenario): Scenario => ({
  ...scenario,
  client: 'it must not repeat the request before the time in `Retry-After`',
  watch: { early: 'failure' },
});

const failing = (name: string, server: string, reply: Canned, report: string): Failing => ({
  name,
  server,
  reply,
  report,
});
const SECONDS = { 'Retry-After': '3' };

// prettier-ignore
const [UNAUTHORIZED, NOT_FOUND, LIMITED, DATED, INTERNAL, BAD_GATEWAY, UNAVAILABLE] = [
  failing('status.401', 'returns 401', status(401), 'a key that expires meanwhile ends the list'),
  failing('status.404', 'returns 404', status(404), 'a page that is not found ends the list'),
  failing('status.429', 'returns 429 with `Retry-After: 3`', status(429, 'error', SECONDS), 'a limit of requests ends the list'),
  failing('status.429-date', 'returns 429 with a date in `Retry-After`', status(429, 'error', { 'Retry-After': 'date' }),
    'a date in Retry-After is no number for the client'),
  failing('status.500', 'returns 500', status(500), 'a page that fails ends the list'),
  failing('status.502', 'returns 502 with HTML of a proxy', status(502, 'html'), 'an HTML error page is read as JSON'),
  failing('status.503', 'returns 503 with `Retry-After: 3`', status(503, 'error', SECONDS), 'an outage ends the list'),
] as const;
// prettier-ignore
const [HTML, OK_ERROR, NONE, CUT, CUT_CHUNKS, CLOSED] = [
  failing('body.html', 'returns 200 with HTML', status(200, 'html'), 'a page for logging in is an empty page'),
  failing('body.error', 'returns 200 with an error', status(200), 'an error with 200 is an empty page'),
  failing('body.none', 'returns 200 without a body', status(200, 'none'), 'an empty body is an empty page'),
  failing('body.cut', 'cuts the body', { cut: 'length' }, 'a body that is cut counts as its beginning'),
  failing('body.cut-chunks', 'leaves out the last chunk and the Link header', { cut: 'chunks' },
    'a body without its last chunk counts as whole'),
  failing('connection.closed', 'closes the connection without a response', { closed: true }, 'a network error ends the list'),
] as const;
/** Of an item that is read by its id. */
const ofItem = (name: string, { server, report, reply }: Failing, others: Partial<Scenario> = {}): Scenario => ({
  ...{ name, pack: name, reads: 'item', needs: { get: true }, expect: 'error', report },
  ...{ server: `${server} for the item, every time`, does: { fault: { on: 'item', reply } } },
  ...others,
});
const HAS_CURSORS = { ways: ['id', ...TOKENS, ...LINKS] as const };
const EXPIRED = 'returns 410 (expired cursor)';

export const FAILURES: readonly Scenario[] = [
  permanent(later(UNAUTHORIZED)),
  {
    ...permanent(later(NOT_FOUND)),
    client: 'with page numbers or offsets, it may be the end',
    instead: [{ ways: NUMBERS, expect: 'any' }],
  },
  ...[LIMITED, INTERNAL, BAD_GATEWAY, UNAVAILABLE].map((it) => patient(later(it))),
  ...[HTML, OK_ERROR, NONE].map((failure) => ({ ...later(failure), client: 'a body without items is not the end' })),
  ...[CUT, CUT_CHUNKS, CLOSED].map(later),
  permanent(first(UNAUTHORIZED)),
  ...[INTERNAL, HTML, CLOSED].map(first),
  ...[LIMITED, DATED].map((it) => obeys(once(it))),
  // Of 503, RFC 9110 calls the time an expectation.
  {
    ...once(UNAVAILABLE),
    client: 'an earlier request is a note',
    watch: { early: 'note' },
  },
  ...[INTERNAL, HTML, CUT, CLOSED].map(once),
  {
    ...once(failing('response', 'returns page 2', { lateMs: 1500 }, 'a request that takes too long ends the list')),
    ...{ name: 'response.late', pack: 'response.late', server: 'responds after 1.5 seconds for page 2, once' },
  },
  {
    ...later(failing('cursor.expired', EXPIRED, status(410), 'an expired cursor ends the list')),
    ...{
      client: 'it may start again',
      expect: 'all-or-error',
      needs: HAS_CURSORS,
    },
  },
  {
    ...once(failing('cursor.expired', EXPIRED, status(410), 'an expired cursor starts the list again')),
    client: 'it may start again, but must not repeat an item',
    needs: HAS_CURSORS,
  },
  {
    ...{ name: 'item.found', pack: 'item.found', reads: 'item', needs: { get: true }, does: {} },
    ...{ server: 'has the item', expect: 'all', report: 'an item is read from another path' },
  },
  {
    ...{ name: 'item.reserved', pack: 'item.reserved', reads: 'item', needs: { get: true, ids: ['free'] } },
    ...{ does: { ids: ['reserved'] }, server: 'has an item whose id has +/=&?#% and a space', expect: 'all' },
    ...{ client: 'it must encode the id', report: 'an id is not encoded' },
  },
  permanent(ofItem('item.404', NOT_FOUND)),
  ...[ofItem('item.html', HTML), ofItem('item.cut', CUT)],
  obeys(
    ofItem('item.429-once', LIMITED, {
      ...{ server: `${LIMITED.server} for the item, once`, expect: 'all-or-error' },
      does: { fault: { on: 'item', once: true, reply: LIMITED.reply } },
    }),
  ),
];

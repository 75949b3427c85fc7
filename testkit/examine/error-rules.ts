/** Rules of errors: whatever a server responds with, the client reports an error with the right status. */
import { FAILURES, GET, LIST, PAGES, pagesOf } from './failures.ts';
import type { ServerFailure } from './failures.ts';
import { NotChecked } from '../../audit/rules/rule.ts';
import { say } from '../../audit/rules/text.ts';
import { assertError, assertEvery, assertLoud, assertThat, failureOf, requestsOfTask } from './judge.ts';
import { forEachCase, forEachRun } from './rule.ts';
import type { Examined, Rule } from './rule.ts';
import type { Collection } from '../../contract/collections.ts';
import { automations, pageOf, recordsOf } from './scenario.ts';
import type { Scenario } from './scenario.ts';

const PAGE_1 = automations(3);
/** Rules of retries judge these too. */
export const UNKNOWN_KEY: Scenario = { ...LIST, hasUnknownKey: true };
const UNKNOWN_ID = String(recordsOf('automations', 9).at(-1)?.id); // Not in these lists.
export const NOT_FOUND: readonly Scenario[] = [
  { ...GET, task: { do: 'get', id: UNKNOWN_ID } },
  {
    ...LIST,
    task: { do: 'list', collection: 'contactImports', after: UNKNOWN_ID },
    alternative: { do: 'list-all', collection: 'automations', after: UNKNOWN_ID },
  },
];

const [AFTER, BEFORE] = [PAGE_1[0]?.id, PAGE_1[2]?.id];
/** Options that the types of many clients do not rule out. */
const INVALID_OPTIONS = [
  { limit: 1000, after: AFTER, before: BEFORE },
  { limit: 0 },
  { limit: 1.5, status: 'ENABLED' },
].map((it): Scenario => ({
  task: { do: 'list', collection: 'automations', ...it },
  alternative: { do: 'list-all', collection: 'automations', ...it },
  records: LIST.records,
}));

const OK = 200;
/** @returns a list whose second page has a fault. */
function withFaulty(collection: Collection, fault: string | object, isBackward?: boolean): Scenario {
  const items = recordsOf(collection, 5);
  const body =
    typeof fault === 'string'
      ? fault
      : JSON.stringify({ object: 'list', has_more: false, data: items.slice(3), ...fault });
  return {
    ...pagesOf(collection, isBackward),
    respond: (_, nth) => (nth === 1 ? pageOf(items.slice(0, 3), true) : { status: OK, body }),
  };
}
/** Lists whose responses are JSON, and no page. */
const UNEXPECTED: readonly Scenario[] = [
  { ...LIST, respond: () => ({ status: OK, body: '{}' }) },
  withFaulty('automations', 'null', true),
  withFaulty('contactImports', '{}'),
  withFaulty('automations', '[]'),
  withFaulty('automations', { data: null }),
  withFaulty('contactProperties', { has_more: undefined }),
  withFaulty('contactImports', { data: undefined }),
];
/** @returns a scenario that goes on elsewhere from the nth request on. The body says so too, for the report. */
const redirected = (scenario: Scenario, status: number, nth = 1): Scenario => ({
  ...scenario,
  respond: ({ url }, at, elsewhere) => {
    const location = elsewhere + url;
    return at < nth ? undefined : { status, headers: { Location: location }, body: `Location: ${location}` };
  },
});
/** Where a redirect of the same origin leads. A client need not send its key there. */
export const MOVED = '/moved';
/** The same, by way of another path of the same origin. */
const redirectedTwice = (scenario: Scenario, status: number): Scenario => ({
  ...scenario,
  respond: ({ url }, at, elsewhere) => {
    if (at === 1) return undefined;
    const location = url.startsWith(MOVED) ? elsewhere + url.slice(MOVED.length) : MOVED + url;
    return { status, headers: { Location: location }, body: `Location: ${location}` };
  },
});
/** What is elsewhere. Rules of requests judge it too. */
export const REDIRECTED: readonly Scenario[] = [
  redirected(LIST, 307),
  redirectedTwice(PAGES, 302),
  redirectedTwice(pagesOf('contactImports', true), 308),
  redirected(GET, 301),
];

// Longer than the time limits that many clients have.
const LATE_MS = 11_000;
/** A list whose second page comes late, once. */
const LATE: Scenario = {
  ...PAGES,
  prepare: (account) => {
    account.cue({ when: { nth: 2 }, then: [{ fail: { delayMs: LATE_MS } }] });
  },
};

const PAGE_IDS = (PAGES.records?.automations ?? []).map((it) => it.id);

const RUNS = ['driver.runs'];
/** Rules of errors that a client may retry first. */
const RETRIED = [...RUNS, 'retries.bounded', 'retries.same_request'];

/** @returns the rule of failures of a list. */
const ruleOf = (
  failures: readonly [ServerFailure, ...ServerFailure[]],
  title: string,
  reason: string,
  dependsOn = RETRIED,
): Rule => ({
  ...{ id: failures[0].rule, title, reason, dependsOn },
  check: (examined) =>
    forEachCase(
      examined,
      failures.map(({ list, errors }) => ({
        scenario: list,
        check: (run) => {
          assertError(run, errors(examined.contract));
        },
      })),
    ),
});

/** Checks that failures are reported elsewhere too, of those that `list` reports. @param isAfterIds whether ids may come before the error. */
const checkElsewhere = (
  examined: Examined,
  failures: readonly ServerFailure[],
  scenarioOf: (failure: ServerFailure) => Scenario,
  isAfterIds = false,
): Promise<void> =>
  forEachCase(
    examined,
    failures.map((failure) => ({
      scenario: scenarioOf(failure),
      unlessFailed: failure.rule,
      check: (run) => {
        assertError(run, failure.errors(examined.contract), isAfterIds);
      },
    })),
  );

const { noKey, wrongKey, notFound, invalid, limited, internal, unavailable, badGateway, html, cut, reset } = FAILURES;
const FAILING_LATER = [wrongKey, invalid, limited, internal, unavailable, badGateway, html, cut, reset];
const FAILING_GET = [noKey, badGateway];
/** What fails, which rules of requests judge too. */
export const ERROR_RUNS: readonly Scenario[] = [
  ...Object.values(FAILURES).flatMap((it) => (it === wrongKey || it === notFound ? [] : it.list)),
  UNKNOWN_KEY,
  ...FAILING_LATER.map((it) => it.later),
  ...[...FAILING_GET, html].map((it) => it.get),
  ...NOT_FOUND,
  ...INVALID_OPTIONS,
  ...UNEXPECTED,
];

export const ERROR_RULES: readonly Rule[] = [
  ruleOf(
    [FAILURES.noKey],
    'a 401 is an error with its name, missing_api_key',
    'A program without a key must not look like one whose account is empty.',
    RUNS,
  ),
  {
    id: FAILURES.wrongKey.rule,
    title: 'a 401 for an unknown key is an error with its name, invalid_api_key',
    reason: 'A program whose key was revoked must say so, instead of finding nothing.',
    dependsOn: RUNS,
    check: (examined) =>
      forEachRun(examined, [UNKNOWN_KEY], (run) => {
        assertError(run, FAILURES.wrongKey.errors(examined.contract));
      }),
  },
  {
    id: FAILURES.notFound.rule,
    title: 'a 404 of an import or of a cursor is an error with its name, not_found',
    reason: 'An item that does not exist differs from an empty list.',
    dependsOn: RUNS,
    check: (examined) =>
      forEachCase(
        examined,
        NOT_FOUND.map((scenario) => ({
          scenario,
          unlessFailed: scenario.task.do === 'get' ? 'values.record' : 'pagination.after',
          check: (run) => {
            assertError(run, FAILURES.notFound.errors(examined.contract));
          },
        })),
      ),
  },
  ruleOf(
    [FAILURES.invalid],
    'a 422 is an error with its name, validation_error',
    'Only the error says which parameter is wrong.',
    RUNS,
  ),
  {
    id: 'errors.invalid_option',
    title: 'an option that the contract does not allow is an error: it is never corrected, and never dropped',
    reason: 'A list without the filter that was asked for, or with another limit, looks like the right one.',
    dependsOn: [FAILURES.invalid.rule, 'pagination.limit', 'pagination.filter'],
    check: (examined) =>
      forEachRun(examined, INVALID_OPTIONS, (run) => {
        const { broken, error, lines } = run.printed;
        const [{ status, name }] = FAILURES.invalid.errors(examined.contract);
        // A client may validate options itself. How it reports that is up to it.
        if (run.requests.length === 0)
          assertThat(run, broken !== undefined || lines.length === 0, 'an error, or no ids');
        else if (error?.status !== status || error.name !== name)
          throw failureOf(run, `\`error ${String(status)} ${name}\``);
        const { task } = run.scenario;
        for (const option of task.do === 'get' ? [] : (['limit', 'status', 'after', 'before'] as const)) {
          const value = task.do === 'get' ? undefined : task[option];
          const other = requestsOfTask(run).find(
            ({ query }) =>
              value !== undefined && ![String(value), String(value).toUpperCase()].includes(String(query[option])),
          );
          assertThat(run, other === undefined, `${option}=${String(value)} in every request`, other?.url);
        }
      }),
  },
  ruleOf(
    [FAILURES.limited],
    'a 429 that persists is an error with its name, rate_limit_exceeded',
    'After its retries, a client must not return an empty list.',
  ),
  ruleOf(
    [FAILURES.internal],
    'a 500 that persists is an error with its name, application_error',
    'A failed server must not look like an empty account.',
  ),
  ruleOf(
    [FAILURES.unavailable],
    'a 503 that persists is an error with its name, service_unavailable, also if its body has other properties',
    'A server that is down must not look like an empty account.',
  ),
  ruleOf(
    [FAILURES.badGateway, FAILURES.noBackend],
    'a 502 with the HTML page of a proxy, or a 503 with JSON without a `name`, is an error with its status, `unreadable`',
    'Errors of proxies are not those of the contract: a client that parses first fails with a syntax error, and loses the status, or makes up a name.',
  ),
  ruleOf([FAILURES.cut], 'a body that is cut is an error', 'Half of a list must not pass for the whole.'),
  ruleOf(
    [FAILURES.html, FAILURES.malformed],
    'a 200 whose body is not JSON is an error with its status, `unreadable`',
    'Login pages of networks and maintenance pages come with 200.',
  ),
  {
    id: 'errors.unexpected_body',
    title:
      'a 200 with other JSON than a page is an error, on later pages too: `{}`, `null`, `[]`, a page without `has_more` or `data`',
    reason: 'Gateways respond so when a server behind them fails. Default values of a parser make an empty list of it.',
    dependsOn: [...RETRIED, 'errors.not_json', 'pagination.limit', 'pagination.every_item'],
    check: (examined) =>
      forEachRun(examined, UNEXPECTED, (run) => {
        assertLoud(run, `\`error ${String(OK)} unreadable\`: a page has \`has_more\` and \`data\``);
      }),
  },
  {
    id: 'errors.redirect',
    title: 'a redirect that is not followed is an error',
    reason: 'A redirect has no items. A client that takes it for an empty list finds nothing after a server has moved.',
    dependsOn: [...RUNS, 'errors.get'],
    check: (examined) =>
      forEachRun(examined, REDIRECTED, (run) => {
        assertLoud(run, 'the error of the redirect, such as `error 307 unreadable`, or the error of where it leads');
      }),
  },
  ruleOf(
    [FAILURES.reset],
    'a connection that is closed without a response is the error `error 0 network`',
    'There is no status then: no response must not look like an empty one.',
  ),
  {
    id: 'errors.get',
    title: '`get` reports errors like `list`: 401, and HTML with 200 and 502',
    reason: 'The two are separate code in many clients.',
    dependsOn: [...RETRIED, 'requests.key', 'requests.path', 'requests.method', 'requests.parameters'],
    check: async (examined) => {
      await checkElsewhere(examined, FAILING_GET, ({ get }) => get);
      // A client whose lists misread HTML is told so once.
      const isListRight = await examined.requireRule(html.rule).then(
        () => true,
        () => false,
      );
      if (!isListRight) return;
      await forEachRun(examined, [html.get], (run) => {
        assertLoud(run, 'an error: HTML is no record');
      });
    },
  },
  {
    id: 'errors.list_all',
    title: '`list-all` reports an error of the first page, instead of an empty list',
    reason: 'Iterators that swallow errors end as if the list were empty.',
    dependsOn: RETRIED,
    check: (examined) =>
      checkElsewhere(examined, [FAILURES.noKey, FAILURES.internal, FAILURES.html], ({ listAll }) => listAll),
  },
  {
    id: 'errors.later_page',
    title:
      'an error on a later page is reported, of any list and with `--before`: a part of a list never ends without an error',
    reason: 'A list that ends early without an error is silent data loss.',
    dependsOn: [
      ...RETRIED,
      ...['limit', 'every_item', 'filter', 'after', 'before'].map((it) => `pagination.${it}`),
      'errors.list_all',
    ],
    check: (examined) => checkElsewhere(examined, FAILING_LATER, ({ later }) => later, true),
  },
  {
    id: 'errors.late_page',
    title: 'a page that comes after 11 seconds is awaited, requested again, or an error: it never ends the list',
    reason: 'A time limit whose error is swallowed loses the rest of a list whenever a server is slow.',
    dependsOn: [...RETRIED, 'errors.later_page', 'retries.temporary', 'retries.resume'],
    check: (examined) =>
      forEachRun(examined, [LATE], (run) => {
        const { broken, error, ending } = run.printed;
        if (ending.kind !== 'exited') throw new NotChecked(say`the client waits longer than --timeout`);
        const expected = `the ids of all ${String(PAGE_IDS.length)} items, or an error`;
        if (broken === undefined && error === undefined) assertEvery(run, PAGE_IDS, expected);
      }),
  },
];

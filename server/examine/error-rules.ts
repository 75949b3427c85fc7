/** Rules of errors: whatever a server responds with, the client reports an error with the right status. */
import type { ProblemName } from '../contract/types.ts';
import type { Fault } from '../testing/faults.ts';
import { PROBE } from './driver-rules.ts';
import { assertError } from './judge.ts';
import type { Canned } from './log.ts';
import { forEachRun } from './rule.ts';
import type { Examined, Rule } from './rule.ts';
import { automations, proxyPage, recordsOf } from './scenario.ts';
import type { Scenario } from './scenario.ts';
import { NETWORK, UNREADABLE } from './task.ts';
import type { PrintedError } from './task.ts';

const LIST: Scenario = { task: { do: 'list', collection: 'automations' }, records: PROBE.records };
const LIST_OF_ANY: Scenario = { ...LIST, alternative: { do: 'list-all', collection: 'automations' } };
const LIST_ALL: Scenario = { ...LIST, task: { do: 'list-all', collection: 'automations' } };
const IMPORTS = recordsOf('contactImports', 1);
const GET: Scenario = {
  task: { do: 'get', id: String(IMPORTS[0]?.id) },
  records: { contactImports: IMPORTS },
};
const PAGES: Scenario = {
  task: { do: 'list-all', collection: 'automations', limit: 3 },
  records: { automations: automations(8) },
};
const UNKNOWN_ID = String(recordsOf('automations', 9).at(-1)?.id); // Not in these lists.

/** @returns a scenario in which every response has a fault, from the n-th request on. */
export const failing = (scenario: Scenario, fault: Fault, nth = 1, times = Infinity): Scenario => ({
  ...scenario,
  prepare: (account) => {
    account.cue({ when: { nth }, then: [{ fail: fault }], times });
  },
});
/** @returns a scenario in which the responses from the n-th on are replaced. */
export const replaced = (scenario: Scenario, canned: Canned, nth = 1, times = Infinity): Scenario => ({
  ...scenario,
  respond: (_, number) => (number >= nth && number < nth + times ? canned : undefined),
});

const OK = 200;
const unreadable = (status: number): PrintedError => ({ status, name: UNREADABLE });
const NO_RESPONSE: PrintedError = { status: 0, name: NETWORK };
/** A client may see a body that is cut as one that cannot be read, or as a connection that failed. */
const CUT = [unreadable(OK), NO_RESPONSE] as const;
const problem = ({ contract }: Examined, name: ProblemName): PrintedError => ({
  status: contract.problemStatus[name],
  name,
});

const BAD_GATEWAY = 502;
const UNAVAILABLE = 503;
const NOT_JSON: Canned = { ...proxyPage(OK), headers: { 'Content-Type': 'text/html' } };

const ONLY_FOR_SOME = ['pagination.every_item'];
const RUNS = ['driver.runs'];
/** Rules of errors that a client may retry first. */
const RETRIED = [...RUNS, 'retries.bounded'];

/** @returns the rule of an error of the contract that every response is. */
function ruleOf(
  name: ProblemName,
  title: string,
  reason: string,
  dependsOn: readonly string[],
  base = LIST_OF_ANY,
): Rule {
  const scenario = failing(base, { error: name });
  return {
    ...{ id: `errors.${name}`, title, reason, dependsOn },
    check: (examined) =>
      forEachRun(examined, [scenario], (run) => {
        assertError(run, [problem(examined, name)]);
      }),
  };
}

const UNKNOWN_KEY: Scenario = { ...LIST_OF_ANY, hasUnknownKey: true };
const NOT_FOUND: readonly Scenario[] = [
  { ...GET, task: { do: 'get', id: UNKNOWN_ID } },
  { ...LIST_OF_ANY, task: { do: 'list', collection: 'automations', after: UNKNOWN_ID } },
];
const OF_GET = ['missing_api_key', 'application_error'] as const satisfies readonly ProblemName[];
const GETS = OF_GET.map((it) => failing(GET, { error: it }));
const GET_HTML = replaced(GET, proxyPage(BAD_GATEWAY));
const LIST_ALLS = OF_GET.map((it) => failing(LIST_ALL, { error: it }));
const PROXY = [BAD_GATEWAY, UNAVAILABLE].map((it) => replaced(LIST_OF_ANY, proxyPage(it)));
const TRUNCATED = failing(LIST_OF_ANY, { body: 'cut' });
const NOT_JSONS = [replaced(LIST_OF_ANY, NOT_JSON), failing(LIST_OF_ANY, { body: 'malformed' })];
const RESET = failing(LIST_OF_ANY, { disconnect: true });
const LATER = {
  problem: failing(PAGES, { error: 'application_error' }, 2),
  limited: failing(PAGES, { error: 'rate_limit_exceeded', retryAfter: 1 }, 2),
  denied: failing(PAGES, { error: 'invalid_api_key' }, 2),
  html: replaced(PAGES, proxyPage(BAD_GATEWAY), 2),
  cut: failing(PAGES, { body: 'cut' }, 2),
  reset: failing(PAGES, { disconnect: true }, 2),
} as const;

export const ERROR_RULES: readonly Rule[] = [
  ruleOf(
    'missing_api_key',
    'a 401 is an error with its name, missing_api_key',
    'A program without a key must not look like one whose account is empty.',
    RUNS,
  ),
  {
    id: 'errors.invalid_api_key',
    title: 'a 401 for an unknown key is an error with its name, invalid_api_key',
    reason: 'A program whose key was revoked must say so, instead of finding nothing.',
    dependsOn: RUNS,
    check: (examined) =>
      forEachRun(examined, [UNKNOWN_KEY], (run) => {
        assertError(run, [problem(examined, 'invalid_api_key')]);
      }),
  },
  {
    id: 'errors.not_found',
    title: 'a 404 of an import or of a cursor is an error with its name, not_found',
    reason: 'An item that does not exist differs from an empty list.',
    dependsOn: RUNS,
    check: (examined) =>
      forEachRun(examined, NOT_FOUND, (run) => {
        assertError(run, [problem(examined, 'not_found')]);
      }),
  },
  ruleOf(
    'validation_error',
    'a 422 is an error with its name, validation_error',
    'Only the error says which parameter is wrong.',
    RUNS,
  ),
  ruleOf(
    'rate_limit_exceeded',
    'a 429 that stays is an error with its name, rate_limit_exceeded',
    'After its retries, a client must not return an empty list.',
    RETRIED,
  ),
  ruleOf(
    'application_error',
    'a 500 that stays is an error with its name, application_error',
    'A failed server must not look like an empty account.',
    RETRIED,
  ),
  ruleOf(
    'service_unavailable',
    'a 503 that stays is an error with its name, service_unavailable',
    'A server that is down must not look like an empty account.',
    RETRIED,
  ),
  {
    id: 'errors.proxy_html',
    title: 'a 502 or 503 with the HTML page of a proxy is an error with its status, `unreadable`',
    reason:
      'Errors of proxies are not JSON: a client that parses first fails with a syntax error and loses the status.',
    dependsOn: RETRIED,
    check: (examined) =>
      forEachRun(examined, PROXY, (run, index) => {
        assertError(run, [unreadable([BAD_GATEWAY, UNAVAILABLE][index] ?? UNAVAILABLE)]);
      }),
  },
  {
    id: 'errors.truncated',
    title: 'a body that is cut is an error',
    reason: 'Half of a list must not pass for the whole.',
    dependsOn: RETRIED,
    check: (examined) =>
      forEachRun(examined, [TRUNCATED], (run) => {
        assertError(run, CUT);
      }),
  },
  {
    id: 'errors.not_json',
    title: 'a 200 whose body is not JSON is an error with its status, `unreadable`',
    reason: 'Login pages of networks and maintenance pages come with 200.',
    dependsOn: RETRIED,
    check: (examined) =>
      forEachRun(examined, NOT_JSONS, (run) => {
        assertError(run, [unreadable(OK)]);
      }),
  },
  {
    id: 'errors.reset',
    title: 'a connection that is closed without a response is the error `error 0 network`',
    reason: 'There is no status then: no response must not look like an empty one.',
    dependsOn: RETRIED,
    check: (examined) =>
      forEachRun(examined, [RESET], (run) => {
        assertError(run, [NO_RESPONSE]);
      }),
  },
  {
    id: 'errors.get',
    title: '`get` reports errors like `list`: 401, 500, and the HTML page of a proxy',
    reason: 'The two are separate code in many clients.',
    dependsOn: RETRIED,
    check: (examined) =>
      forEachRun(examined, [...GETS, GET_HTML], (run, index) => {
        const name = OF_GET[index];
        assertError(run, [name === undefined ? unreadable(BAD_GATEWAY) : problem(examined, name)]);
      }),
  },
  {
    id: 'errors.list_all',
    title: '`list-all` reports an error of the first page, instead of an empty list',
    reason: 'Iterators that swallow errors end as if the list were empty.',
    dependsOn: RETRIED,
    check: (examined) =>
      forEachRun(examined, LIST_ALLS, (run, index) => {
        assertError(run, [problem(examined, OF_GET[index] ?? 'application_error')]);
      }),
  },
  {
    id: 'errors.later_page',
    title: 'an error on a later page is reported: a part of a list never ends without an error',
    reason: 'A list that ends early without an error is data loss that nobody notices.',
    dependsOn: [...RETRIED, ...ONLY_FOR_SOME],
    check: (examined) => {
      const cases: readonly (readonly [Scenario, readonly [PrintedError, ...PrintedError[]]])[] = [
        [LATER.problem, [problem(examined, 'application_error')]],
        [LATER.limited, [problem(examined, 'rate_limit_exceeded')]],
        [LATER.denied, [problem(examined, 'invalid_api_key')]],
        [LATER.html, [unreadable(BAD_GATEWAY)]],
        [LATER.cut, CUT],
        [LATER.reset, [NO_RESPONSE]],
      ];
      return forEachRun(
        examined,
        cases.map(([it]) => it),
        (run, index) => {
          const [, allowed = CUT] = cases[index] ?? [];
          assertError(run, allowed, true);
        },
      );
    },
  },
];

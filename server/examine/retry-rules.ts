/** Rules of retries: a client may retry what may be temporary, and must wait, and must give up. */
import type { ProblemName } from '../contract/types.ts';
import { NotChecked } from '../report/findings.ts';
import type { Fault } from '../testing/faults.ts';
import type { Run } from './client.ts';
import { PROBE } from './driver-rules.ts';
import { failing, replaced } from './error-rules.ts';
import { assertEvery, assertThat, failureOf, isSame } from './judge.ts';
import { forEachRun } from './rule.ts';
import type { Rule } from './rule.ts';
import { automations, idsOf, idsWithStatus, proxyPage } from './scenario.ts';
import type { Scenario } from './scenario.ts';
import { NETWORK, UNREADABLE } from './task.ts';

const ITEMS = automations(8);
const LIST: Scenario = { ...PROBE, task: { do: 'list', collection: 'automations' } };
const ALL: Scenario = {
  task: { do: 'list-all', collection: 'automations', status: 'enabled', limit: 2 },
  records: { automations: ITEMS },
};

const WAIT_SECONDS = 2;
// Clocks of timers are coarse, and a response takes a while to be sent.
const TOLERANCE_MS = 100;
const LATER = ['rate_limit_exceeded', 'service_unavailable'] as const satisfies readonly ProblemName[];
const WAITING = LATER.map((error) => failing(LIST, { error, retryAfter: WAIT_SECONDS }, 1, 1));
const DAY_SECONDS = 86_400; // The maximum of the contract.
const LONG_WAITING = failing(LIST, { error: 'service_unavailable', retryAfter: DAY_SECONDS });

const TEMPORARY: readonly { readonly scenario: Scenario; readonly status: number; readonly name: string }[] = [
  ...(
    [
      [{ error: 'rate_limit_exceeded', retryAfter: 1 }, 429, 'rate_limit_exceeded'],
      [{ error: 'application_error' }, 500, 'application_error'],
      [{ error: 'service_unavailable', retryAfter: 1 }, 503, 'service_unavailable'],
      [{ disconnect: true }, 0, NETWORK],
    ] as const satisfies readonly (readonly [Fault, number, string])[]
  ).map(([fault, status, name]) => ({ scenario: failing(LIST, fault, 1, 1), status, name })),
  { scenario: replaced(LIST, proxyPage(502), 1, 1), status: 502, name: UNREADABLE },
];
const PERMANENT = (['missing_api_key', 'invalid_api_key', 'not_found', 'validation_error'] as const).map((error) =>
  failing(LIST, { error }),
);
const FOR_EVER = failing(LIST, { error: 'application_error' });
/** More attempts of one request would be an attack. */
const MAX_ATTEMPTS = 20;
const INTERRUPTED = (
  [{ error: 'service_unavailable', retryAfter: 1 }, { error: 'application_error' }, { disconnect: true }] as const
).map((it) => failing(ALL, it, 2, 1));

/** @throws Failure if a request follows another one earlier than after these seconds. */
function assertPause(run: Run, seconds: number): void {
  const [first, second] = run.requests;
  if (first?.endedMs === undefined || second === undefined) return;
  const ms = second.arrivedMs - first.endedMs;
  const actual = `a retry after ${(ms / 1000).toFixed(1)} seconds`;
  assertThat(
    run,
    ms >= seconds * 1000 - TOLERANCE_MS,
    `no retry earlier than after Retry-After: ${String(seconds)}`,
    actual,
  );
}

const RUNS = ['driver.runs'];
const BOUNDED = 'retries.bounded';
const RETRY_AFTER = 'retries.retry_after';

export const RETRY_RULES: readonly Rule[] = [
  {
    id: BOUNDED,
    title: `a request that fails for ever is tried no more than ${String(MAX_ATTEMPTS)} times, within the time limit`,
    reason: 'A client that never gives up hangs its program, and keeps a failing server down.',
    dependsOn: RUNS,
    check: (examined) =>
      forEachRun(examined, [FOR_EVER], (run) => {
        const { length } = run.requests;
        const expected = `an end after no more than ${String(MAX_ATTEMPTS)} requests`;
        assertThat(run, length <= MAX_ATTEMPTS, expected, `${String(length)} requests`);
        assertThat(run, run.printed.ending.kind === 'exited', expected);
      }),
  },
  {
    id: RETRY_AFTER,
    title: 'a retry comes no earlier than `Retry-After` says',
    reason: 'The server says when it can work again; earlier retries are rejected too, and count against the limit.',
    dependsOn: RUNS,
    check: (examined) =>
      forEachRun(examined, WAITING, (run) => {
        assertPause(run, WAIT_SECONDS);
        assertThat(run, run.printed.broken === undefined, 'all items, or an error');
      }),
  },
  {
    id: 'retries.long_retry_after',
    title: 'a `Retry-After` of a day is reported soon, neither ignored nor waited for',
    reason: 'A program that sleeps for a day looks dead.',
    dependsOn: [RETRY_AFTER, BOUNDED],
    check: (examined) =>
      forEachRun(examined, [LONG_WAITING], (run) => {
        assertPause(run, DAY_SECONDS);
        const expected = 'the error of the server, within the time limit';
        assertThat(run, run.printed.broken === undefined && run.printed.error !== undefined, expected);
      }),
  },
  {
    id: 'retries.temporary',
    title: 'an error that occurs once is retried, or reported',
    reason: 'After a retry the result is complete; without one, the program decides.',
    dependsOn: [BOUNDED],
    check: (examined) =>
      forEachRun(
        examined,
        TEMPORARY.map((it) => it.scenario),
        (run, index) => {
          const { status = 0, name = '' } = TEMPORARY[index] ?? {};
          const { error, broken, lines } = run.printed;
          if (broken === undefined && error?.status === status && error.name === name && lines.length === 0) return;
          assertEvery(run, idsOf(ITEMS), `all items, or \`error ${String(status)} ${name}\``);
        },
      ),
  },
  {
    id: 'retries.never_retried',
    title: '401, 404 and 422 are never retried',
    reason: 'A retry gets the same error: it only costs time and requests.',
    dependsOn: RUNS,
    check: (examined) =>
      forEachRun(examined, PERMANENT, (run) => {
        const { length } = run.requests;
        assertThat(run, length === 1, 'one request', `${String(length)} requests`);
      }),
  },
  {
    id: 'retries.resume',
    title: 'a retry repeats the request that failed, with its cursor, filter and limit',
    reason: 'A retry without the cursor begins again; one without the filter adds other items.',
    dependsOn: [BOUNDED, 'pagination.filter'],
    check: (examined) => {
      let retries = 0;
      return forEachRun(examined, INTERRUPTED, (run) => {
        const [, failed, retry] = run.requests;
        if (failed === undefined || retry === undefined) return;
        retries += 1;
        if (!isSame(failed, retry))
          throw failureOf(run, `the retry of ${failed.method} ${failed.url}`, `${retry.method} ${retry.url}`);
        if (run.printed.error === undefined) assertEvery(run, idsWithStatus(ITEMS, 'enabled'));
      }).then(() => {
        if (retries === 0) throw new NotChecked('the client does not retry');
      });
    },
  },
];

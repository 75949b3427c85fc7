/** Rules of retries: a client may retry what may be temporary, and must wait, and must give up. */
import { NotChecked } from '../../audit/rules/rule.ts';
import { say } from '../../audit/rules/text.ts';
import type { ProblemName } from '../../contract/types.ts';
import type { Run } from './client.ts';
import { VANISHED_CURSORS } from './change-rules.ts';
import { NOT_FOUND, UNKNOWN_KEY } from './error-rules.ts';
import { FAILURES, GET, LIST, PAGES, pagesOf } from './failures.ts';
import { assertEvery, assertNoneTwice, assertThat, failureOf, isSame, requestsOfTask } from './judge.ts';
import { forEachCase, forEachRun } from './rule.ts';
import type { Examined, Rule } from './rule.ts';
import { automations, idsOf, idsWithStatus, proxyPage } from './scenario.ts';
import type { Scenario } from './scenario.ts';

const listOf = (before?: string): Scenario => ({
  task: { do: 'list-all', collection: 'automations', status: 'enabled', limit: 2, before },
  records: { automations: automations(12) },
});
const ALL = listOf();
/** The same list before its last item, which the filter leaves out. */
const ALL_BEFORE = listOf(idsOf(automations(12)).at(-1));

const OK = 200;
const WAIT_SECONDS = 2;
// Clocks of timers are coarse.
const TOLERANCE_MS = 100;
const DAY_SECONDS = 86_400; // The maximum of the contract.
type Later = Extract<ProblemName, 'rate_limit_exceeded' | 'service_unavailable'>;
/** @returns a scenario whose responses ask to wait, from the nth on. */
const waiting = (scenario: Scenario, error: Later, times: number, nth = 1, retryAfter = WAIT_SECONDS): Scenario => ({
  ...scenario,
  prepare: (account) => {
    account.cue({ when: { nth }, then: [{ fail: { error, retryAfter } }], times });
  },
});
const alternative = { do: 'list', collection: 'contactImports' } as const;
/** A later page, and a record. */
const WAITING: Readonly<Record<Later, Scenario>> = {
  rate_limit_exceeded: waiting({ ...pagesOf('contactImports'), alternative }, 'rate_limit_exceeded', 2, 2),
  service_unavailable: waiting({ ...GET, alternative }, 'service_unavailable', 1),
};
const WAITING_LATER = Object.keys(WAITING).map((it) => waiting(ALL_BEFORE, it as Later, 1, 2)); // These are its keys.

const { limited, internal, unavailable, badGateway, reset } = FAILURES;
const TEMPORARY = [limited, internal, unavailable, badGateway, reset];
const { noKey, wrongKey, invalid } = FAILURES;
/** Of a list, a later page, and a record. */
const PERMANENT: readonly Scenario[] = [
  ...[noKey.list, noKey.get, invalid.list, UNKNOWN_KEY, ...NOT_FOUND],
  ...[wrongKey.later, invalid.later, ...VANISHED_CURSORS],
];
const LASTING = [...TEMPORARY, FAILURES.cut].map((it) => it.list);
/** More attempts of one request would be an attack. */
const MAX_ATTEMPTS = 20;
// A body that is cut is none of them: of a client that sends HEAD before, it is that of the first page, whose status is 200.
const FAILING_LATER = TEMPORARY.map((it) => it.later);
const DATE = 'Wed, 21 Oct 2015 07:28:00 GMT'; // It is over, whatever the clock of a client says.
const dated = (code: number): Scenario => ({
  ...LIST,
  respond: (_, nth) => {
    const { status, headers, body } = proxyPage(code);
    return nth === 1 ? { status, headers: { ...headers, 'Retry-After': DATE }, body } : undefined;
  },
});
const INTERRUPTED = [...[internal, reset].map((it) => it.on(ALL, 2, 1)), ...WAITING_LATER];

/** @returns 429 for a client that retries it and no 503; 503 for any other. */
async function waitedFor({ run }: Examined): Promise<Later> {
  const isRetried = async (error: Later): Promise<boolean> =>
    requestsOfTask(await run(WAITING[error])).some(({ status }, at, { length }) => status !== OK && at < length - 1);
  if (await isRetried('service_unavailable')) return 'service_unavailable';
  return (await isRetried('rate_limit_exceeded')) ? 'rate_limit_exceeded' : 'service_unavailable';
}

/** @throws Failure if a request follows one that failed earlier than after these seconds. */
function assertPauses(run: Run, seconds: number): void {
  const requests = requestsOfTask(run);
  for (const [index, { arrivedMs }] of requests.entries()) {
    const { endedMs, status = OK } = requests[index - 1] ?? {};
    if (endedMs === undefined || status === OK) continue;
    const ms = arrivedMs - endedMs;
    const expected = `no retry earlier than \`Retry-After: ${String(seconds)}\` says`;
    const actual = `retry ${String(index)} after ${(ms / 1000).toFixed(1)} seconds`;
    assertThat(run, ms >= seconds * 1000 - TOLERANCE_MS, expected, actual);
  }
}

const RUNS = ['driver.runs'];
const BOUNDED = 'retries.bounded';
const RETRY_AFTER = 'retries.retry_after';

export const RETRY_RULES: readonly Rule[] = [
  {
    id: BOUNDED,
    title: `a request that always fails is tried no more than ${String(MAX_ATTEMPTS)} times, within the time limit`,
    reason: 'A client that never gives up hangs its program, and keeps a failing server down.',
    dependsOn: RUNS,
    check: (examined) =>
      forEachRun(examined, LASTING, (run) => {
        const { length } = run.requests;
        const expected = `an end after no more than ${String(MAX_ATTEMPTS)} requests`;
        assertThat(run, length <= MAX_ATTEMPTS, expected, `${String(length)} requests`);
        assertThat(run, run.printed.ending.kind === 'exited', expected);
      }),
  },
  {
    id: 'retries.same_request',
    title: 'a retry is the request that failed once more: with its key, method, path and parameters',
    reason: 'A retry without the key or with another path fails for another reason, which hides the first.',
    dependsOn: [BOUNDED],
    check: (examined) =>
      forEachRun(examined, [...LASTING, badGateway.get], (run) => {
        const [first, ...retries] = requestsOfTask(run);
        for (const it of retries) {
          if (first === undefined || !isSame(it, first))
            throw failureOf(run, 'the first request once more', `${it.method} ${it.url}`);
          const isKeyed = it.headers['authorization'] === first.headers['authorization'];
          assertThat(run, isKeyed, 'the same Authorization header in every request', 'another, or none');
        }
      }),
  },
  {
    id: RETRY_AFTER,
    title:
      'no retry comes earlier than `Retry-After` says: neither the second one, nor that of a later page or of `get`',
    reason: 'The server says when it can work again; earlier retries are rejected too, and count against the limit.',
    dependsOn: RUNS,
    check: (examined) =>
      forEachRun(examined, [...Object.values(WAITING), ...WAITING_LATER], (run) => {
        assertPauses(run, WAIT_SECONDS);
        assertThat(run, run.printed.ending.kind === 'exited', 'all items, or an error, within the time limit');
      }),
  },
  {
    id: 'retries.long_retry_after',
    title: 'a `Retry-After` of a day is reported soon, neither ignored nor waited for',
    reason: 'A program that sleeps for a day looks dead.',
    dependsOn: [RETRY_AFTER, BOUNDED, unavailable.rule, limited.rule, 'retries.resume', 'retries.no_restart'],
    check: async (examined) => {
      await forEachRun(examined, [waiting(PAGES, await waitedFor(examined), Infinity, 2, DAY_SECONDS)], (run) => {
        assertPauses(run, DAY_SECONDS);
        const expected = 'the error of the server, within the time limit';
        assertThat(run, run.printed.broken === undefined && run.printed.error !== undefined, expected);
      });
    },
  },
  {
    id: 'retries.temporary',
    title: 'an error that occurs once is retried, or reported',
    reason: 'After a retry the result is complete; without one, the program decides.',
    dependsOn: [BOUNDED, 'retries.same_request', 'pagination.one_page'],
    check: (examined) =>
      forEachCase(
        examined,
        TEMPORARY.map(({ rule, on, errors }) => ({
          scenario: on(LIST, 1, 1),
          unlessFailed: rule,
          check: (run) => {
            const [{ status, name }] = errors(examined.contract);
            const { error, broken, lines } = run.printed;
            if (broken === undefined && error?.status === status && error.name === name && lines.length === 0) return;
            const ids = idsOf(LIST.records?.automations ?? []);
            assertEvery(run, ids, `all items, or \`error ${String(status)} ${name}\``);
          },
        })),
      ),
  },
  {
    id: 'retries.never_retried',
    title: '401, 404 and 422 are never retried, on later pages and by `get` neither',
    reason: 'A retry gets the same error: it only costs time and requests.',
    dependsOn: RUNS,
    check: (examined) =>
      forEachRun(examined, PERMANENT, (run) => {
        const failed = requestsOfTask(run).filter(({ status }) => status !== 200);
        assertNoneTwice(run, failed, 'no request twice');
      }),
  },
  {
    id: 'retries.resume',
    title: 'a retry repeats the request that failed, with its cursor, filter and limit',
    reason: 'A retry without the cursor begins again; one without the filter adds other items.',
    dependsOn: ['retries.same_request', 'retries.temporary', 'pagination.filter'],
    check: async (examined) => {
      let retries = 0;
      await forEachRun(examined, INTERRUPTED, (run) => {
        const requests = requestsOfTask(run);
        const at = requests.findIndex(({ status }) => status !== 200);
        const [failed, retry] = at < 0 ? [] : requests.slice(at);
        if (failed === undefined || retry === undefined) return;
        retries += 1;
        if (!isSame(failed, retry))
          throw failureOf(run, `the retry of ${failed.method} ${failed.url}`, `${retry.method} ${retry.url}`);
        if (run.printed.error === undefined) assertEvery(run, idsWithStatus(automations(12), 'enabled'));
      });
      if (retries === 0)
        throw new NotChecked(say`the client retries no later page after 429, 500, 503 or a closed connection`);
    },
  },
  {
    id: 'retries.no_restart',
    title: 'if a later page fails for good, the error is reported: the client does not start over',
    reason: 'A client that starts over reads every page again, prints items twice, and may never end.',
    dependsOn: ['retries.same_request', 'retries.resume', 'pagination.no_page_twice'],
    check: (examined) =>
      forEachRun(examined, FAILING_LATER, (run) => {
        const [first, ...others] = requestsOfTask(run);
        if (first?.status !== OK) return; // Of a client that sends HEAD before, the first page has failed.
        const again = others.findIndex((it) => isSame(it, first));
        const actual = `request ${String(again + 2)} is for the first page again`;
        assertThat(run, again === -1, 'the first page once, and the error of the second', actual);
      }),
  },
  {
    id: 'retries.retry_after_date',
    title: 'a `Retry-After` that is a date is no crash: proxies send one',
    reason:
      'HTTP allows a date where the contract has seconds. A client that reads it as a number fails, or waits without end.',
    dependsOn: [BOUNDED, RETRY_AFTER, FAILURES.noBackend.rule, 'pagination.one_page'],
    check: async (examined) => {
      const status = examined.contract.problemStatus[await waitedFor(examined)];
      await forEachRun(examined, [dated(status)], (run) => {
        const expected = `all items, or \`error ${String(status)} unreadable\`, within the time limit`;
        const { broken, error } = run.printed;
        if (broken !== undefined) throw failureOf(run, expected);
        if (error === undefined) assertEvery(run, idsOf(LIST.records?.automations ?? []), expected);
      });
    },
  },
];

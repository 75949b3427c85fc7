/** The table of rules, and our own client, of which every rule passes. */
import { expect, test } from '@jest/globals';
import { createClient } from '../../../client/index.ts';
import { loadContract } from '../../../contract/document.ts';
import type { ChildOptions, Ran } from '../../../audit/child.ts';
import { examine } from '../../../testkit/examine/examine.ts';
import type { Run } from '../../../testkit/examine/client.ts';
import { MAX_LIMIT } from '../../../testkit/examine/pagination-rules.ts';
import { RULES } from '../../../testkit/examine/rules.ts';
import type { Scenario } from '../../../testkit/examine/scenario.ts';
import { parsePrinted } from '../../../testkit/examine/task.ts';
import { MAX_COUNT, MAX_TEXT } from '../../../testkit/examine/value-rules.ts';
import { Failure } from '../../../audit/rules/rule.ts';
import type { Finding } from '../../../audit/rules/rule.ts';
import { Failure as ClientFailure } from './client.ts';
import { faultNamed } from './faults.ts';
import type { Inject } from './faults/fault.ts';
import { inProcess } from './in-process.ts';
import { doTask } from './own-client.ts';

test('ids are unique, and name an area', () => {
  const ids = RULES.map((it) => it.id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((it) => !/^(driver|pagination|errors|retries|values|requests)\.[a-z0-9_]+$/.test(it))).toEqual([]);
});

test('dependencies exist, in no circle, and every rule depends on the driver', () => {
  const reached = (id: string, path: readonly string[] = []): readonly string[] => {
    expect(path).not.toContain(id);
    const rule = RULES.find((it) => it.id === id);
    if (rule === undefined) throw new Error(`There is no rule ${id}.`);
    return [id, ...(rule.dependsOn ?? []).flatMap((it) => reached(it, [...path, id]))];
  };
  for (const { id } of RULES) expect(reached(id)).toContain('driver.runs');
});

test('the largest limit, the largest count and the longest text are those of the contract', () => {
  const contract = loadContract();
  const { schema } = contract.operation('listAutomations').parameters.find((it) => it.name === 'limit') ?? {};
  expect(schema?.maximum).toBe(MAX_LIMIT);
  expect(RULES.map((it) => it.id)).toContain(`pagination.limit_${String(MAX_LIMIT)}`);
  expect(contract.schemas.ContactImportCounts.properties?.['total']?.maximum).toBe(MAX_COUNT);
  expect(JSON.stringify(contract.schemas.FallbackValue)).toContain(`"maxLength":${String(MAX_TEXT)}}`);
});

test('a retry may come as much earlier than `Retry-After` says as timers are coarse, and no more', async () => {
  const rule = RULES.find((it) => it.id === 'retries.retry_after');
  /** @returns whether a client breaks the rule that retries so long after a response which asks for two seconds. */
  const isBroken = async (pauseMs: number): Promise<boolean> => {
    const request = {
      method: 'GET',
      url: '/automations',
      path: '/automations',
      query: {},
      headers: {},
      response: '503',
    };
    const times = [
      { arrivedMs: 0, endedMs: 5 },
      { arrivedMs: 5 + pauseMs, endedMs: undefined },
    ];
    const rest = { ...request, operation: 'listAutomations', status: 503, page: undefined } as const;
    const requests = times.map((it) => ({ ...rest, ...it }));
    const printed = parsePrinted({ ending: { kind: 'exited', code: 0 }, stdout: '', stderr: '', ms: 0 }, 1000);
    const run = (scenario: Scenario): Promise<Run> =>
      Promise.resolve({ scenario, printed, requests, strays: [], key: '', ms: 0 });
    const checked = rule?.check({
      contract: loadContract(),
      run,
      requireRule: () => Promise.resolve(),
      everyRun: () => Promise.resolve([]),
    });
    return (await checked?.catch((it: unknown) => it)) instanceof Failure;
  };
  expect([await isBroken(1899), await isBroken(1900)]).toEqual([true, false]);
});

/** Examines a client by some rules and those that they depend on, or by all. */
const examineClient = (runCommand: typeof runClient, only?: readonly string[]): ReturnType<typeof examine> => {
  const { signal } = new AbortController();
  const options = { command: [], runCommand, env: {}, timeLimitMs: 60_000, parallel: 8, signal };
  return examine(loadContract(), { ...options, ...(only && { only }) });
};

/** @returns the finding of the first rule that a client with a fault breaks, of these and those that they depend on. */
async function findingOf(
  inject: Inject,
  ...only: readonly string[]
): Promise<(Finding & { rule: string }) | undefined> {
  for await (const it of examineClient(inProcess(inject), only))
    if (it.outcome === 'failed') return { rule: it.rule, ...it.findings[0] };
  return undefined;
}

test('of a client that cannot read a list, `pagination.order` says the error, not that the order differs', async () => {
  const finding = await findingOf((driver) => {
    const { toPage } = driver;
    driver.toPage = (body) => {
      if (JSON.stringify(body).includes('.5-03')) throw new ClientFailure(200, 'unreadable');
      return toPage(body);
    };
  }, 'pagination.order');
  expect(finding).toMatchObject({
    rule: 'pagination.order',
    expected: 'the ids of 5 items, each once',
    actual: '3 ids, then `error 200 unreadable`',
  });
});

test('of a request that the server rejects, its message is shown', async () => {
  const { inject } = faultNamed('a parameter defeats caches');
  expect(await findingOf(inject, 'driver.runs')).toMatchObject({
    actual: '`error 422 validation_error`',
    exchanges: [
      'GET /automations?limit=3&_=1700000000 -> 422 validation_error: Unknown parameter `_`. Allowed parameters: `limit`, `after`, `before`, `status`.',
    ],
  });
});

test('of a rule whose case was left out because another rule failed, the report says so', async () => {
  const { inject } = faultNamed('HTML with another status is an empty list');
  const results = [];
  for await (const it of examineClient(inProcess(inject), ['errors.get'])) results.push(it);
  expect(results).toMatchObject([
    {
      rule: 'errors.get',
      outcome: 'not_checked',
      reason: 'a part of it depends on errors.proxy_html, which failed',
      cause: 'errors.proxy_html',
    },
  ]);
});

/** Does a task with our client, within this process. */
async function runClient(words: readonly string[], { env }: ChildOptions): Promise<Ran> {
  const started = performance.now();
  const lines: string[] = [];
  const client = createClient({ baseUrl: env['ROLLCALL_BASE_URL'], apiKey: env['ROLLCALL_API_KEY'] });
  const code = await doTask(client, words, (line) => lines.push(line));
  const ms = Math.round(performance.now() - started);
  return { ending: { kind: 'exited', code }, stdout: lines.join('\n'), stderr: '', ms };
}

test('of a rule that is not checked because another one failed, that one is shown too, once', async () => {
  const fails = (): Promise<Ran> =>
    Promise.resolve({ ending: { kind: 'exited', code: 1 }, stdout: '', stderr: 'oops', ms: 0 });
  const outcomes = [];
  for await (const it of examineClient(fails, ['pagination'])) outcomes.push([it.rule, it.outcome]);
  const pagination = RULES.map((it) => it.id).filter((id) => id.startsWith('pagination.'));
  expect(outcomes).toEqual([['driver.runs', 'failed'], ...pagination.map((id) => [id, 'not_checked'])]);
});

/** A client that starts slowly, such as one on the JVM, is still examined in two minutes. */
const MAX_RUNS = 120;

test('every rule passes for our client', async () => {
  const results = [];
  const examination = examineClient(runClient);
  for await (const it of examination) results.push(it);
  expect(results.filter((it) => it.outcome !== 'passed')).toEqual([]);
  expect(results.map((it) => it.rule)).toEqual(RULES.map((it) => it.id));
  expect(examination.runs).toBeLessThanOrEqual(MAX_RUNS);
});

/** Runs the rules against any implementation of the contract. */
import { COLLECTIONS, operationsOf } from '../../contract/collections.ts';
import type { Contract } from '../../contract/document.ts';
import type { OperationId } from '../../contract/types.ts';
import { createRunner } from '../rules/runner.ts';
import { isNamed } from '../rules/rule.ts';
import type { Finding, Outcome, Result as AnyResult } from '../rules/rule.ts';
import { NoResponse } from '../session/connection.ts';
import { LONG, own, quote, say } from '../rules/text.ts';
import type { Shown, Text } from '../rules/text.ts';
import { showOutcome } from '../session/redact.ts';
import { Untestable } from '../session/session.ts';
import type { Bounds, Clock, Transport } from '../session/session.ts';
import { createResponseChecks } from './response-rules.ts';
import type { Tally } from './response-rules.ts';
import { attemptForEachAccount } from './contract-rule.ts';
import type { ContractRule } from './contract-rule.ts';
import type { Target } from './target.ts';
import { targetsOf } from './rules.ts';
import { createRandom } from './sample.ts';
import { BOUNDS, openCheckedSession, redactionOf } from './checked-session.ts';
import type { CheckedResponse, CheckedSession, Server } from './checked-session.ts';

/** The `operation` in the results of response rules, which check every response of a run. */
export const EVERY_RESPONSE = 'every response';

/** The outcome of a rule, with its `id` and `title` (see `Rule`), for one operation or for every response. */
export type Result = AnyResult & { readonly operation: OperationId | typeof EVERY_RESPONSE };

/** How many requests of a run are crossed. */
export const CROSSED = 550;
// The newest items of a long list are enough for ties and many pages, and still a small load.
export const MAX_ITEMS = 1000;

export interface Options extends Partial<Bounds> {
  /** The rules to run, by their ids or areas, the operations to test, by their ids, or both; all by default. */
  readonly only?: readonly string[] | undefined;
  /** The rules not to run. */
  readonly skip?: readonly string[] | undefined;
  /** Whether the account holds the records that rules need, including those of the contract's examples. */
  readonly isSeeded?: boolean | undefined;
  /** How many items of a list are read; 1,000 by default. The end of a longer list is not checked. */
  readonly maxItems?: number | undefined;
  /** How many requests of other rules are sent again with other parts; 550 by default. */
  readonly crossed?: number | undefined;
  /** The seed of random limits, positions and parts, and of the values that operations check in turn; 1 by default. */
  readonly seed?: number | undefined;
  /** Whether the real key may be sent in a query, which must fail. */
  readonly isKeyAllowedInUrl?: boolean | undefined;
  /** Called with a description of the next step. */
  readonly progress?: ((what: string) => void) | undefined;
  /** Called with each request in one line before it is sent. */
  readonly trace?: ((request: Shown) => void) | undefined;
  /** The most bytes of a body; 32 MB by default. */
  readonly maxBodyBytes?: number | undefined;
  /** The clock of the run; that of the process by default. */
  readonly clock?: Clock | undefined;
  /** What sends the requests; HTTP by default. */
  readonly transport?: Transport | undefined;
}

/** The results, each as soon as it is known. The iteration throws `Untestable` if the run cannot continue. */
export interface Run extends AsyncIterable<Result> {
  /** The number of requests sent so far, by method. */
  readonly sent: CheckedSession['sent'];
}

/** @returns the run; it starts with the iteration. */
export function conform(contract: Contract, server: Server, options: Options = {}): Run {
  const { only, skip = [], isSeeded = false, progress = () => undefined, trace = () => undefined, ...others } = options;
  const {
    maxItems = MAX_ITEMS,
    crossed = CROSSED,
    seed = 1,
    isKeyAllowedInUrl = false,
    clock,
    transport,
    maxBodyBytes,
    ...bounds
  } = others;
  const sending = { clock, transport, maxBodyBytes };
  const checks = createResponseChecks(contract);
  const twins = createTwins();
  const { show } = redactionOf(server);
  const session = openCheckedSession(
    server,
    { ...BOUNDS, ...bounds },
    (response, operation) => {
      checks.check(response, operation);
      twins.add(response);
    },
    {
      ...sending,
      trace: (request) => {
        trace(show(request));
      },
    },
  );
  const operations = only?.filter(isOperation) ?? [];
  const names = only?.filter((name) => !isOperation(name)) ?? [];
  const isTested = (operation: OperationId): boolean => operations.length === 0 || operations.includes(operation);
  const isWanted = (rule: string): boolean => (names.length === 0 || isNamed(rule, names)) && !isNamed(rule, skip);

  async function* results(): AsyncGenerator<Result> {
    // Why the run cannot continue: the remaining rules count as not checked.
    let end: Untestable | undefined;
    const outcomeOfRule = async (rule: ContractRule, target: Target): Promise<Outcome<Text>> => {
      if (end !== undefined) return notChecked(end.text);
      try {
        const outcome = await attemptForEachAccount(rule, target);
        if (outcome.outcome === 'failed') target.failed ??= rule.id;
        return outcome;
      } catch (error) {
        if (!(error instanceof Untestable)) throw error;
        end = error;
        return notChecked(error.text);
      }
    };
    try {
      progress('checking that the server responds');
      const tested = COLLECTIONS.map(operationsOf).filter(({ list, get = list }) => isTested(list) || isTested(get));
      const firsts = await assertReady(
        contract,
        session,
        tested.map(({ list }) => list),
      );
      // Response rules check the responses to the requests of all other rules, so the other rules must run too.
      const isEveryRuleRun = checks.tallies.some(({ rule }) => isWanted(rule.id));
      const parts = {
        contract,
        session,
        checks,
        maxItems,
        random: createRandom(seed),
        rotation: seed - 1,
        isKeyAllowedInUrl,
        isSeeded,
        firsts,
        crossed: Math.floor(crossed / contract.operations.length),
      };
      for (const { target, rules } of targetsOf(parts)) {
        const { id: operation } = target.operation;
        if (!isTested(operation)) continue;
        const kept = rules.filter(({ id }) => !isNamed(id, skip));
        const runner = createRunner(kept, (rule) => outcomeOfRule(rule, target));
        const run = isEveryRuleRun ? kept : kept.filter(({ id }) => isWanted(id));
        const showProgress = (rule: string): void => {
          progress(`${operation}: ${rule}`);
        };
        for await (const { rule, outcome, ms } of runner.judgeAll(run, isWanted, showProgress))
          yield { ...resultOf(operation, rule, showOutcome(twins.mark(outcome), show)), ms };
      }
      for (const tally of checks.tallies.filter(({ rule }) => isWanted(rule.id))) {
        const outcome = end === undefined || tally.first !== undefined ? outcomeOf(tally) : notChecked(end.text);
        yield { ...resultOf(EVERY_RESPONSE, tally.rule, showOutcome(outcome, show)), ms: 0 };
      }
      if (end !== undefined) throw end;
    } finally {
      session.close();
    }
  }
  return { sent: session.sent, [Symbol.asyncIterator]: results };
}

const resultOf = (
  operation: Result['operation'],
  { id: rule, title, change }: Pick<ContractRule, 'id' | 'title' | 'change'>,
  outcome: Outcome,
): Omit<Result, 'ms'> & Outcome => ({
  ...{ operation, rule, title, ...outcome },
  ...(outcome.outcome === 'failed' && { change: outcome.findings[0].change ?? change }),
});

/** Finds responses that have the body of an earlier response to another request: a parameter or a key that is ignored, or a copy from a cache. */
function createTwins(): {
  readonly add: (response: CheckedResponse) => void;
  readonly mark: (outcome: Outcome<Text>) => Outcome<Text>;
} {
  // By body: the first request with it. By request: an earlier one with the same body.
  const firsts = new Map<string, Text>();
  const earlier = new Map<string, Text>();
  return {
    add: ({ status, text, request, source: { path } }) => {
      // Other headers may well have the same body.
      if (status !== 200 || ![`GET ${path}`, `GET ${path} (no Authorization)`].includes(request.raw)) return;
      const first = firsts.get(text);
      if (first === undefined) firsts.set(text, request);
      else if (first.raw !== request.raw) earlier.set(request.raw, first);
    },
    mark: (outcome) => {
      if (outcome.outcome !== 'failed') return outcome;
      const marked = (finding: Finding<Text>): Finding<Text> => ({
        ...finding,
        sameAs: earlier.get(finding.request.raw),
      });
      const [first, ...others] = outcome.findings;
      return { outcome: 'failed', findings: [marked(first), ...others.map(marked)] };
    },
  };
}

const OPERATION_IDS: readonly string[] = COLLECTIONS.map(operationsOf).flatMap(({ list, get = list }) => [list, get]);

/** Whether a name in `only` is that of an operation. */
export const isOperation = (name: string): boolean => OPERATION_IDS.includes(name);

const notChecked = (reason: Text) => ({ outcome: 'not_checked', reason }) as const;

function outcomeOf({ rule, checked, broken, first }: Tally): Outcome<Text> {
  if (checked === 0) return { ...notChecked(say`no response of the run has what it is about`), applies: false };
  if (first === undefined) return { outcome: 'passed' };
  const actual = say`in ${broken} of ${checked} responses; the first: ${first.actual}`;
  const expected = own(rule.expected ?? rule.title);
  return { outcome: 'failed', findings: [{ request: first.request, expected, actual }] };
}

/**
 * Requests each list once with each key before any rule runs.
 * @returns the responses.
 * @throws Untestable if the implementation cannot be tested: it is down, at another address, or rejects a key.
 */
async function assertReady(
  contract: Contract,
  session: CheckedSession,
  lists: readonly OperationId[],
): Promise<readonly CheckedResponse[]> {
  const { key, otherKey } = session.server;
  const all: CheckedResponse[] = [];
  for (const [name, secret] of [
    ['key', key],
    ['other key (--other-key)', otherKey],
  ] as const) {
    if (secret === undefined) continue;
    const responses: CheckedResponse[] = [];
    let failure: Untestable | undefined;
    for (const list of lists) {
      const response = await requestList(contract, session, list, secret);
      if (response instanceof Untestable) failure ??= response;
      else responses.push(response);
      // One list shows whether the second key is valid.
      if (name !== 'key' && responses.some(({ status }) => status === 200)) break;
    }
    if (responses.length === 0 && failure !== undefined) throw failure;
    assertUsable(responses, name);
    all.push(...responses);
  }
  return all;
}

/** @returns the response of a list, or that there was none. */
async function requestList(
  contract: Contract,
  session: CheckedSession,
  list: Parameters<Contract['operation']>[0],
  key: string,
): Promise<CheckedResponse | Untestable> {
  const operation = contract.operation(list);
  try {
    return await session.send({ path: operation.path, authorization: `Bearer ${key}` }, operation);
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    return new Untestable(say`No usable response to GET ${own(operation.path)}: ${error.text}.`);
  }
}

/** @throws Untestable if no list is there, and why: nothing can be tested then. */
function assertUsable(responses: readonly CheckedResponse[], key: 'key' | 'other key (--other-key)'): void {
  if (responses.some(({ status }) => status < 300)) return;
  const found = (is: (status: number) => boolean): Text | undefined => {
    const response = responses.find(({ status }) => is(status));
    return response && say`${response.request} returned ${response.status}`;
  };
  const rejected = found((status) => status === 401 || status === 403);
  if (rejected !== undefined) throw new Untestable(say`The ${key} was rejected: ${rejected}.`);
  const redirected = found((status) => status < 400);
  if (redirected !== undefined) {
    const [location = 'nowhere'] = responses.flatMap(({ headers }) => headers.get('location') ?? []);
    throw new Untestable(
      say`The server redirects to ${quote(location, LONG)}: ${redirected}. Redirects are not followed: use the final URL.`,
    );
  }
  const failed = found((status) => status >= 500);
  if (failed !== undefined) throw new Untestable(say`The server failed: ${failed}.`);
  const unknown = found((status) => status === 404 || status === 405);
  if (unknown !== undefined)
    throw new Untestable(
      say`No operation of the contract exists at this URL: ${unknown}. Check the base URL of the API.`,
    );
}

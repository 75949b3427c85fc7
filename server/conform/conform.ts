/** Runs every rule of the contract against any implementation of it. */
import { COLLECTIONS, operationsOf } from '../contract/collections.ts';
import type { Contract } from '../contract/document.ts';
import type { OperationId } from '../contract/types.ts';
import { NoAnswer } from './client.ts';
import { createAnswers } from './response-rules.ts';
import type { Tally } from './response-rules.ts';
import { attempt } from './rule.ts';
import type { Outcome } from './rule.ts';
import { isNamed, subjectsOf } from './rules.ts';
import { BOUNDS, Untestable, openSession, plain } from './session.ts';
import type { Bounds, Counts, Exchange, Server, Session } from './session.ts';

/** Where the results of the rules stand that all answers of a run are held against. */
export const ANSWERS = 'every answer';

/** What became of a rule, by its `id` and `title` (see `Rule`), for one operation, or for the answers of all. */
export type Result = Outcome & {
  readonly operation: OperationId | typeof ANSWERS;
  readonly rule: string;
  readonly title: string;
};

export interface Options extends Partial<Bounds> {
  /** The rules that are asked for, by their ids or what these begin with; all unless told. */
  readonly only?: readonly string[] | undefined;
  /** The rules that are not tried. */
  readonly skip?: readonly string[] | undefined;
  /** Whether the account holds the records that rules ask for, those of the contract's examples among them. */
  readonly isSeeded?: boolean | undefined;
  /** Is told what is tried next. */
  readonly progress?: ((what: string) => void) | undefined;
}

/** The results, each as soon as it is known. The iteration throws `Untestable` where it cannot go on. */
export interface Run extends AsyncIterable<Result> {
  /** How many requests were sent so far, by method. */
  readonly sent: Counts;
}

/** @returns the run; it begins when its results are asked for. */
export function conform(contract: Contract, server: Server, options: Options = {}): Run {
  const { only, skip = [], isSeeded = false, progress = () => undefined, ...bounds } = options;
  const answers = createAnswers(contract);
  const session = openSession(server, { ...BOUNDS, ...bounds }, answers.see);
  const isWanted = (rule: string): boolean => (only === undefined || isNamed(rule, only)) && !isNamed(rule, skip);

  async function* results(): AsyncGenerator<Result> {
    try {
      progress('whether the server answers');
      await assertReady(contract, session);
      // What is judged of every answer is judged of the answers to all other rules.
      const isEveryRuleTried = answers.tallies.some((it) => isWanted(it.rule.id));
      for (const { subject, rules } of subjectsOf({ contract, session, answers }, isSeeded)) {
        const { id: operation } = subject.operation;
        const broken = new Set<string>();
        for (const rule of rules.filter((it) => !isNamed(it.id, skip))) {
          if (!isEveryRuleTried && !isWanted(rule.id)) continue;
          progress(`${operation}: ${rule.id}`);
          const base = rule.buildsOn?.find((it) => broken.has(it));
          const outcome = base === undefined ? await attempt(rule, subject) : buildsOn(base);
          if (outcome.outcome === 'failed') broken.add(rule.id);
          if (isWanted(rule.id)) yield { operation, rule: rule.id, title: rule.title, ...told(outcome, server) };
        }
      }
      for (const tally of answers.tallies.filter((it) => isWanted(it.rule.id))) {
        const { id: rule, title } = tally.rule;
        yield { operation: ANSWERS, rule, title, ...told(outcomeOf(tally), server) };
      }
    } finally {
      session.close();
    }
  }
  return { sent: session.sent, [Symbol.asyncIterator]: results };
}

const buildsOn = (base: string): Outcome => ({ outcome: 'skipped', reason: `it builds on ${base}, which is broken` });

function outcomeOf({ rule, judged, broken, first }: Tally): Outcome {
  if (judged === 0) return { outcome: 'skipped', reason: 'no answer of the run is one that it is about' };
  if (first === undefined) return { outcome: 'passed' };
  const count = `(so in ${String(broken)} of ${String(judged)} answers)`;
  return { outcome: 'failed', request: first.request, expected: rule.title, actual: `${first.actual} ${count}` };
}

function told(outcome: Outcome, server: Server): Outcome {
  const told = (text: string): string => plain(text, server);
  switch (outcome.outcome) {
    case 'passed':
      return outcome;
    case 'skipped':
      return { ...outcome, reason: told(outcome.reason) };
    case 'failed': {
      const { request, expected, actual } = outcome;
      return { outcome: 'failed', request: told(request), expected: told(expected), actual: told(actual) };
    }
  }
}

/** @throws Untestable if nothing can be said about an implementation: it is down, elsewhere, or does not know a key. */
export async function assertReady(contract: Contract, session: Session): Promise<void> {
  const { key, key2 } = session.server;
  for (const [name, secret] of [
    ['key', key],
    ['second key (--key2)', key2],
  ] as const) {
    if (secret === undefined) continue;
    const answers: Exchange[] = [];
    for (const collection of COLLECTIONS)
      answers.push(await ask(contract, session, operationsOf(collection).list, secret));
    judge(answers, name);
  }
}

async function ask(
  contract: Contract,
  session: Session,
  list: Parameters<Contract['operation']>[0],
  key: string,
): Promise<Exchange> {
  const operation = contract.operation(list);
  try {
    return await session.send({ target: operation.path, authorization: `Bearer ${key}` }, operation);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    throw new Untestable(`The server does not answer GET ${operation.path}: ${error.message}.`);
  }
}

function judge(answers: readonly Exchange[], key: string): void {
  const [first] = answers;
  if (first === undefined) return;
  const all = (is: (status: number) => boolean): boolean => answers.every((it) => is(it.status));
  const what = `${first.request} is answered ${String(first.status)}`;
  if (all((it) => it === 401 || it === 403)) throw new Untestable(`The ${key} is refused: ${what}.`);
  if (all((it) => it >= 300 && it < 400)) {
    const location = first.headers.get('location') ?? 'nowhere';
    throw new Untestable(
      `The server redirects to ${location}: ${what}. Redirects are not followed: give the address itself.`,
    );
  }
  if (all((it) => it === 404 || it === 405)) {
    throw new Untestable(`There is nothing of the contract at this address: ${what}. Is it the base URL of the API?`);
  }
  if (all((it) => it >= 500)) throw new Untestable(`The server fails: ${what}.`);
}

/** Examines a client: runs its command for the scenarios of every rule, and judges what it requests and prints. */
import type { Contract } from '../contract/document.ts';
import { isNamed, outcomeOfError } from '../report/findings.ts';
import type { Outcome, Result } from '../report/findings.ts';
import { openClient } from './client.ts';
import type { ClientOptions } from './client.ts';
import { quoted } from './judge.ts';
import type { Examined, Rule } from './rule.ts';
import { PROBE, RULES } from './rules.ts';

export interface ExamineOptions extends ClientOptions {
  /** The rules to check, by their ids or areas; all by default. */
  readonly only?: readonly string[] | undefined;
  /** Called with the id of a rule whose outcome is awaited. */
  readonly progress?: ((rule: string) => void) | undefined;
}

/** The command of a client cannot be started. */
export class NotStarted extends Error {}

/** The results, in the order of the rules, each as soon as it is known. */
export interface Examination extends AsyncIterable<Result> {
  /** How often the command was run so far. */
  readonly runs: number;
}

/** @returns the examination; it starts with the iteration, which throws `NotStarted`, and the reason of an aborted signal. */
export function examine(contract: Contract, options: ExamineOptions): Examination {
  const { command, only, progress = () => undefined } = options;
  const ended = new AbortController();
  const client = openClient({ ...options, signal: AbortSignal.any([options.signal, ended.signal]) });
  const examined: Examined = {
    contract,
    run: client.run,
    hasFailed: async (id) => (await outcomeOf(ruleOf(id))).outcome === 'failed',
  };
  const outcomes = new Map<string, Promise<Outcome>>();

  const outcomeOf = (rule: Rule): Promise<Outcome> => {
    const pending = outcomes.get(rule.id) ?? check(rule);
    outcomes.set(rule.id, pending);
    return pending;
  };
  const check = async (rule: Rule): Promise<Outcome> => {
    for (const id of rule.dependsOn ?? []) {
      if (await examined.hasFailed(id)) return { outcome: 'not_checked', reason: `it depends on ${id}, which failed` };
    }
    try {
      await rule.check(examined);
      return { outcome: 'passed' };
    } catch (error) {
      return withCommand(outcomeOfError(error), command, rule);
    }
  };

  async function* results(): AsyncGenerator<Result> {
    try {
      const { printed } = await client.probe(PROBE);
      if (printed.ending.kind === 'not_started') throw new NotStarted(printed.broken);
      const wanted = RULES.filter((it) => only === undefined || isNamed(it.id, only));
      const started = performance.now();
      for (const it of wanted) void outcomeOf(it).catch(() => undefined); // They run side by side, and are awaited below.
      for (const rule of wanted) {
        progress(rule.id);
        const outcome = await outcomeOf(rule);
        yield { rule: rule.id, title: rule.title, ms: Math.round(performance.now() - started), ...outcome };
      }
    } finally {
      ended.abort(); // If the iteration ends early, commands are still running.
      await client.close();
    }
  }
  return {
    get runs() {
      return client.runs;
    },
    [Symbol.asyncIterator]: results,
  };
}

function ruleOf(id: string): Rule {
  const rule = RULES.find((it) => it.id === id);
  if (rule === undefined) throw new Error(`There is no rule ${id}.`);
  return rule;
}

/** @returns an outcome whose first finding has the command that checks the rule again. */
function withCommand(outcome: Outcome, command: readonly string[], { id }: Rule): Outcome {
  if (outcome.outcome !== 'failed') return outcome;
  const [first, ...others] = outcome.findings;
  const again = `rollcall examine --only ${id} -- ${command.map(quoted).join(' ')}`;
  return { outcome: 'failed', findings: [{ ...first, again }, ...others] };
}

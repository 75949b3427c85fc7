/** Examines a client: runs its command for the scenarios of every rule, and judges what it requests and prints. */
import type { Contract } from '../../contract/document.ts';
import { docsPath } from '../../server/runtime.ts';
import { NotChecked, isNamed, outcomeOfError } from '../../audit/report/findings.ts';
import type { Outcome, Result } from '../../audit/report/findings.ts';
import { openClient } from './client.ts';
import type { ClientOptions, Run } from './client.ts';
import { quoted } from './judge.ts';
import type { Rule } from './rule.ts';
import { PROBE, RULES } from './rules.ts';
import type { Scenario } from './scenario.ts';

export interface ExamineOptions extends ClientOptions {
  /** The rules to check, by their ids or areas; all by default. */
  readonly only?: readonly string[] | undefined;
  /** Called with the id of a rule whose outcome is awaited. */
  readonly progress?: ((rule: string) => void) | undefined;
}

/** The outcome of a rule, and how long the runs took that it judges. */
interface Checked {
  readonly outcome: Outcome;
  readonly ms: number;
  /** The rule that has failed, if this one was not checked because of it. */
  readonly failed?: string | undefined;
}

/** A rule is not checked because another one has failed. */
class DependsOnFailure extends NotChecked {
  readonly rule: string;

  constructor(rule: string) {
    super(`it depends on ${rule}, which failed`);
    this.rule = rule;
  }
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
  const outcomes = new Map<string, Promise<Checked>>();

  const outcomeOf = (rule: Rule): Promise<Checked> => {
    const pending = outcomes.get(rule.id) ?? check(rule);
    outcomes.set(rule.id, pending);
    return pending;
  };
  const requireRule = async (id: string): Promise<void> => {
    const { outcome, failed } = await outcomeOf(ruleOf(id));
    const cause = outcome.outcome === 'failed' ? id : failed;
    if (cause !== undefined) throw new DependsOnFailure(cause);
  };
  const check = async (rule: Rule): Promise<Checked> => {
    let ms = 0;
    const run = async (scenario: Scenario): Promise<Run> => {
      const it = await client.run(scenario);
      ms += it.ms;
      return it;
    };
    try {
      for (const id of rule.dependsOn ?? []) await requireRule(id);
      await rule.check({ contract, run, requireRule });
      return { outcome: { outcome: 'passed' }, ms };
    } catch (error) {
      const outcome = withCommand(outcomeOfError(error), command, rule);
      return { outcome, ms, failed: error instanceof DependsOnFailure ? error.rule : undefined };
    }
  };

  const resultOf = async (rule: Rule): Promise<Result> => {
    const { outcome, ms } = await outcomeOf(rule);
    const { id, title, reason: why } = rule;
    return { rule: id, title, why, link: `${docsPath('examine-rules.md')}#${id}`, ms, ...outcome };
  };

  async function* results(): AsyncGenerator<Result> {
    try {
      const { printed } = await client.probe(PROBE);
      if (printed.ending.kind === 'not_started') throw new NotStarted(printed.broken);
      const wanted = RULES.filter((it) => only === undefined || isNamed(it.id, only));
      for (const it of wanted) void outcomeOf(it).catch(() => undefined); // They run side by side, and are awaited below.
      const shown = new Set(wanted.map((rule) => rule.id));
      for (const rule of wanted) {
        progress(rule.id);
        const { failed } = await outcomeOf(rule);
        // Why it was not checked, where that rule was not asked for.
        if (failed !== undefined && !shown.has(failed)) yield await resultOf(ruleOf(failed));
        shown.add(failed ?? rule.id);
        yield await resultOf(rule);
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

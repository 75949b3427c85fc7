/** Examines a client: runs its command for the scenarios of every rule, and judges what it requests and prints. */
import type { Contract } from '../../contract/document.ts';
import { docsPath } from '../../server/runtime.ts';
import { createRunner } from '../../audit/rules/runner.ts';
import { Failure, isNamed } from '../../audit/rules/rule.ts';
import type { Outcome, Result } from '../../audit/rules/rule.ts';
import { LONG, Said, own, quote } from '../../audit/rules/text.ts';
import type { Text } from '../../audit/rules/text.ts';
import { createRedaction, showOutcome } from '../../audit/session/redact.ts';
import { maskKeys } from '../../server/store/keys.ts';
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

/** Shows what a client has printed and requested, without the keys that it was given. */
export const { show } = createRedaction([], maskKeys);

/** The command of a client cannot be started. */
export class NotStarted extends Said {}

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
  /** How long the runs took that a rule judges, in milliseconds. */
  const durations = new Map<string, number>();

  const runner = createRunner(RULES, async (rule, requireRule): Promise<Outcome<Text>> => {
    const run = async (scenario: Scenario): Promise<Run> => {
      const it = await client.run(scenario);
      durations.set(rule.id, (durations.get(rule.id) ?? 0) + it.ms);
      return it;
    };
    try {
      await rule.check({ contract, run, requireRule, everyRun });
      return { outcome: 'passed' };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { outcome: 'failed', findings: withCommand(error.findings, command, rule) };
    }
  });

  const everyRun = async (): Promise<readonly Run[]> => {
    await Promise.all(RULES.filter((it) => it.isOfEveryRun !== true).map((it) => runner.judge(it)));
    return client.ended();
  };

  async function* results(): AsyncGenerator<Result> {
    try {
      const { printed } = await client.probe(PROBE);
      if (printed.ending.kind === 'not_started') throw new NotStarted(quote(printed.broken ?? '', LONG));
      const wanted = RULES.filter((it) => only === undefined || isNamed(it.id, only));
      for (const it of wanted) void runner.judge(it).catch(() => undefined); // They run side by side, and are awaited below.
      for await (const { rule, outcome } of runner.judgeAll(wanted, () => true, progress)) {
        const { id, title, reason: why } = rule;
        const ms = durations.get(id) ?? 0;
        yield {
          rule: id,
          title,
          why,
          link: `${docsPath('examine-rules.md')}#${id}`,
          ms,
          ...showOutcome(outcome, show),
        };
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

/** @returns findings, the first with the command that checks the rule again. */
function withCommand(
  [first, ...others]: Failure['findings'],
  command: readonly string[],
  { id }: Rule,
): Failure['findings'] {
  const again = own(`rollcall examine --only ${id} -- ${command.map(quoted).join(' ')}`);
  return [{ ...first, again }, ...others];
}

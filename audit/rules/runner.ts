/** Runs rules for `audit`, `conform` and `examine`: each rule once, and the rules that it depends on first. */
import { NotChecked, outcomeOfError } from './rule.ts';
import type { Outcome, Requirement } from './rule.ts';
import { own, say } from './text.ts';
import type { Text } from './text.ts';

/** The outcome of a rule. */
export interface Judged<R> {
  readonly rule: R;
  readonly outcome: Outcome<Text>;
  /** How long its check took, in milliseconds. */
  readonly ms: number;
  /** The rule that has failed, if this one was not checked because of it. */
  readonly cause: string | undefined;
}

export interface RuleRunner<R> {
  /** @returns the outcome of a rule: from now on, or from the first call. */
  judge(rule: R): Promise<Judged<R>>;
  /**
   * Judges rules in their order.
   * @param isShown whether the outcome of a rule is asked for.
   * @param progress called with the id of the rule whose outcome is awaited.
   * @returns the outcomes that are asked for, each as soon as it is known. If one was not checked because a rule that is not asked for
   *   has failed, the outcome of that rule comes before it.
   */
  judgeAll(
    rules: readonly R[],
    isShown: (rule: string) => boolean,
    progress: (rule: string) => void,
  ): AsyncGenerator<Judged<R>>;
}

/** A rule is not checked because another one has failed. */
class DependsOnFailure extends NotChecked {
  constructor(rule: string) {
    super(say`blocked by ${own(rule)}, which failed`, undefined, rule);
  }
}

/** Checks another rule first. @throws NotChecked if it has failed, or was not checked because a rule before it has. */
export type RequireRule = (rule: string) => Promise<void>;

/**
 * @param rules all rules that may be judged. A rule that depends on one that is not among them is checked.
 * @param check checks a rule. @throws Failure if it does not hold, NotChecked if it could not be checked.
 */
export function createRunner<R extends Requirement>(
  rules: readonly R[],
  check: (rule: R, requireRule: RequireRule) => Promise<Outcome<Text>>,
): RuleRunner<R> {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const judged = new Map<string, Promise<Judged<R>>>();

  const requireRule: RequireRule = async (id) => {
    const rule = byId.get(id);
    if (rule === undefined) return;
    const { outcome, cause } = await judge(rule);
    const failed = outcome.outcome === 'failed' ? id : cause;
    if (failed !== undefined) throw new DependsOnFailure(failed);
  };
  const judgeOnce = async (rule: R): Promise<Judged<R>> => {
    let started = performance.now();
    const result = (outcome: Outcome<Text>, cause?: string): Judged<R> => {
      return { rule, outcome, ms: Math.round(performance.now() - started), cause };
    };
    try {
      for (const id of rule.dependsOn ?? []) await requireRule(id);
      started = performance.now();
      return result(await check(rule, requireRule));
    } catch (error) {
      return result(outcomeOfError(error), error instanceof DependsOnFailure ? error.cause : undefined);
    }
  };
  const judge = (rule: R): Promise<Judged<R>> => {
    const pending = judged.get(rule.id) ?? judgeOnce(rule);
    judged.set(rule.id, pending);
    return pending;
  };
  return {
    judge,
    async *judgeAll(wanted, isShown, progress) {
      const shown = new Set(wanted.map(({ id }) => id).filter(isShown));
      for (const rule of wanted) {
        progress(rule.id);
        const result = await judge(rule);
        if (!isShown(rule.id)) continue;
        const cause = byId.get(result.cause ?? '');
        if (cause !== undefined && !shown.has(cause.id)) {
          shown.add(cause.id);
          yield judge(cause);
        }
        yield result;
      }
    },
  };
}

/** What a rule reads, and what may change meanwhile. */
export interface Changing {
  /** Its name, and how often a rule is checked while it changes. */
  readonly what: string;
  readonly attempts: number;
  /** Begins an attempt. */
  begin?(): void;
  /** @returns whether what was read since `begin` has changed, or may have. */
  hasChanged(): Promise<boolean>;
}

/**
 * @param check throws like that of a rule.
 * @returns its outcome. A failure counts if nothing that was read has changed. If it has during each attempt, the rule is not checked.
 */
export async function attempt(check: () => Promise<void>, changing: Changing): Promise<Outcome<Text>> {
  const { what, attempts } = changing;
  for (let times = 0; times < attempts; times += 1) {
    changing.begin?.();
    let outcome: Outcome<Text>;
    try {
      await check();
      return { outcome: 'passed' };
    } catch (error) {
      outcome = outcomeOfError(error);
    }
    if (outcome.outcome !== 'failed' || !(await changing.hasChanged())) return outcome;
  }
  return { outcome: 'not_checked', reason: say`the ${own(what)} changed during each of ${attempts} attempts` };
}

/** What a rule is, its outcome, and why it fails or is not checked. */
import { counted } from '../../contract/wording.ts';
import { Said, own, say } from './text.ts';
import type { Shown, Text } from './text.ts';

/** The part of a rule that `audit`, `conform` and `examine` share. */
export interface Requirement {
  /** The name of the rule for programs, `area.rule`; stable. */
  readonly id: string;
  /** The requirement, for people. */
  readonly title: string;
  /** The ids of other rules. If one of them has failed, this rule is not checked: it would fail for the same fault. */
  readonly dependsOn?: readonly string[];
}

/** One case that breaks a rule. All texts are for people: as rules write them, or as they are shown. */
export interface Finding<T extends Text | Shown = Shown> {
  /** The request in one line, or the task of a client. */
  readonly request: T;
  readonly expected: T;
  readonly actual: T;
  /** The first place where the actual value differs from the expected one, if there is more than a line of it. */
  readonly difference?: T | undefined;
  /** What to change, if that is not what the rule says. */
  readonly change?: T | undefined;
  /** An earlier request whose response had the same body, if it should not have. */
  readonly sameAs?: T | undefined;
  /** What a client has requested, and the responses, each in one line; `undefined` if no client is examined. */
  readonly exchanges?: readonly T[] | undefined;
  /** The command that checks the rule again. */
  readonly again?: T | undefined;
}
type Findings<T extends Text | Shown> = readonly [Finding<T>, ...Finding<T>[]];

/** A server or a client breaks a rule. */
export class Failure extends Said {
  readonly findings: Findings<Text>;

  constructor(...findings: Findings<Text>) {
    const [{ request, expected, actual }] = findings;
    super(say`${request}: expected ${expected}, got ${actual}`);
    this.findings = findings;
  }
}

/** Records that an account lacks. */
export interface Need {
  /** Their noun, such as `automations`. */
  readonly of: string;
  readonly count: number;
  /** What they must be, such as `with the same status`; any by default. */
  readonly what?: string;
  /** How many there are. */
  readonly actual?: number;
}

/** @returns a need as a noun: `2 automations with the same status`, `3 automations (it has 1)`. */
export const needText = ({ of, count, what, actual }: Need): string =>
  [counted(count, of), what, actual === undefined ? undefined : `(it has ${String(actual)})`].filter(Boolean).join(' ');

/** No rule is broken, but the findings may matter to a user. */
export class Noted extends Said {
  readonly findings: Findings<Text>;

  constructor(...findings: Findings<Text>) {
    super(findings[0].actual);
    this.findings = findings;
  }
}

/** A rule, or a part of it, could not be checked. The text is the reason. */
export class NotChecked extends Said {
  /** The records that the account lacks, if that is the reason. */
  readonly need: Need | undefined;
  /** The rule that has failed, if that is the reason. */
  override readonly cause: string | undefined;

  constructor(reason: Text, need?: Need, cause?: string) {
    super(reason);
    this.need = need;
    this.cause = cause;
  }
}

/** A rule has nothing to check: the server does not have what it is about. */
export class DoesNotApply extends NotChecked {}

/** @throws NotChecked if the account lacks records. */
export function requireRecords(isMet: boolean, need: Need): asserts isMet {
  if (!isMet) throw new NotChecked(say`the account needs ${own(needText(need))}`, need);
}

/** The outcome of a rule: as it was checked, or as it is shown. */
export type Outcome<T extends Text | Shown = Shown> =
  | { readonly outcome: 'passed' }
  | {
      readonly outcome: 'failed';
      /** Every case that breaks the rule, up to a bound. */
      readonly findings: Findings<T>;
    }
  | { readonly outcome: 'noted'; readonly findings: Findings<T> }
  | {
      readonly outcome: 'not_checked';
      readonly reason: T;
      /** The records that the account lacks, if that is the reason. */
      readonly need?: Need;
      /** The rule that has failed, if that is the reason. */
      readonly cause?: string;
      /** Whether there is nothing to check. */
      readonly applies?: false;
    };

/** The outcome of a rule, and for `conform` its operation. */
export type Result = Outcome & {
  /** `undefined` for a rule that has one outcome. */
  readonly operation?: string | undefined;
  /** The id of the rule. */
  readonly rule: string;
  readonly title: string;
  /** Why the rule matters, and where it is described; `undefined` for rules of the contract. */
  readonly why?: string | undefined;
  /** What to change where it fails. */
  readonly change?: string | undefined;
  readonly link?: string | undefined;
  /** How long the rule took, in milliseconds. */
  readonly ms: number;
};

/** @returns the outcome of a check that has thrown. @throws any other error. */
export function outcomeOfError(error: unknown): Outcome<Text> {
  if (error instanceof NotChecked) {
    const { text: reason, need, cause } = error;
    return {
      outcome: 'not_checked',
      reason,
      ...(need !== undefined && { need }),
      ...(cause !== undefined && { cause }),
      ...(error instanceof DoesNotApply && { applies: false }),
    };
  }
  if (error instanceof Noted) return { outcome: 'noted', findings: error.findings };
  if (!(error instanceof Failure)) throw error;
  return { outcome: 'failed', findings: error.findings };
}

/** Whether a rule is among those named by their ids or areas. */
export const isNamed = (rule: string, names: readonly string[]): boolean =>
  names.some((named) => rule === named || rule.startsWith(`${named}.`));

/** @returns a message that names the rules of the same area, or else the areas. */
export function unknownRule(name: string, rules: readonly string[]): string {
  const areaOf = (id: string): string => id.replace(/\..*/s, '');
  const near = rules.filter((rule) => areaOf(rule) === areaOf(name));
  const allowed =
    near.length > 0
      ? `the rules of ${areaOf(name)} are ${near.join(', ')}`
      : `there are the areas ${[...new Set(rules.map(areaOf))].join(', ')}, each with rules such as ${String(rules[0])}`;
  return `unknown rule ${JSON.stringify(name)}; ${allowed}`;
}

// More findings would not make a failure clearer.
const MAX_FINDINGS = 12;

/**
 * Checks each value, also after one has failed, so that one result names all bad values. If the run cannot continue, what was found is kept:
 * the next check says so.
 * @throws Failure with the findings of all values; NotChecked if none failed and some could not be checked.
 */
export async function forEach<T>(values: Iterable<T>, check: (value: T) => Promise<unknown>): Promise<void> {
  const findings: Finding<Text>[] = [];
  let notChecked: NotChecked | undefined;
  for (const value of values) {
    try {
      await check(value);
    } catch (error) {
      if (error instanceof Failure) findings.push(...error.findings);
      else if (error instanceof NotChecked) notChecked ??= error;
      else if (error instanceof Said && findings.length > 0) break;
      else throw error;
    }
  }
  const [first, ...others] = findings;
  if (first === undefined) {
    if (notChecked !== undefined) throw notChecked;
    return;
  }
  const shown = others.slice(0, MAX_FINDINGS - 1);
  const more = others.length - shown.length;
  if (more > 0)
    shown.push({ request: say`${counted(more, 'more requests')}`, expected: first.expected, actual: say`also wrong` });
  throw new Failure(first, ...shown);
}

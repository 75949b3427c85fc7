/** Why a rule fails or is not checked. */
import { counted } from '../contract/wording.ts';
import type { Exchange } from './session.ts';

/** One response that breaks a rule. All texts are for people. */
export interface Finding {
  /** The request in one line. */
  readonly request: string;
  readonly expected: string;
  readonly actual: string;
  /** The first place where the actual value differs from the expected one, if there is more than a line of it. */
  readonly difference?: string | undefined;
}

/** An implementation violates the contract. */
export class Failure extends Error {
  readonly findings: readonly [Finding, ...Finding[]];

  constructor(...findings: readonly [Finding, ...Finding[]]) {
    const [{ request, expected, actual }] = findings;
    super(`${request}: expected ${expected}, got ${actual}`);
    this.findings = findings;
  }
}

/** A rule, or a part of it, could not be checked. The message is the reason. */
export class NotChecked extends Error {
  /** The records that the account lacks, each as a noun, if that is the reason. */
  readonly needs: readonly string[];

  constructor(message: string, needs: readonly string[] = []) {
    super(message);
    this.needs = needs;
  }
}

/** @throws NotChecked with the records that the account lacks, if there are any. */
export function requireRecords(needs: readonly string[]): void {
  if (needs.length > 0) throw new NotChecked(`the account needs ${needs.join('; ')}`, needs);
}

/** @returns a response in one line. */
export const summary = ({ status, text }: Exchange): string => `${String(status)} ${text}`.trimEnd();

/**
 * @param actual the text to report instead of the response in one line.
 * @throws Failure unless `condition` is true.
 */
export function assertThat(
  exchange: Exchange,
  condition: boolean,
  expected: string,
  actual = summary(exchange),
  difference?: string,
): void {
  if (condition) return;
  const { request } = exchange;
  throw new Failure({ request, expected, actual, ...(difference !== undefined && { difference }) });
}

// More findings would not make a failure clearer.
const MAX_FINDINGS = 12;

/**
 * Checks each value, also after one has failed, so that one result names all bad values.
 * @throws Failure with the findings of all values; NotChecked if none failed and some could not be checked.
 */
export async function forEach<T>(values: Iterable<T>, check: (value: T) => Promise<unknown>): Promise<void> {
  const findings: Finding[] = [];
  let notChecked: NotChecked | undefined;
  for (const value of values) {
    try {
      await check(value);
    } catch (error) {
      if (error instanceof Failure) findings.push(...error.findings);
      else if (error instanceof NotChecked) notChecked ??= error;
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
  if (more > 0) shown.push({ request: counted(more, 'more requests'), expected: first.expected, actual: 'also wrong' });
  throw new Failure(first, ...shown);
}

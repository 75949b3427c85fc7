/** How `audit` and `examine` print what they found: a failure or a note in a few lines, as soon as it is known. */
import { keyOf } from '../audit/report/baseline.ts';
import type { Baseline } from '../audit/report/baseline.ts';
import { groupBy } from '../audit/rules/group.ts';
import type { Result } from '../audit/rules/rule.ts';

const INDENT = ' '.repeat(6);

/** @param width of the longest id of a rule. @returns a failure or a note; nothing for other results. */
export function resultLines(result: Result, baseline: Baseline, width: number): readonly string[] {
  if (result.outcome !== 'failed' && result.outcome !== 'noted') return [];
  const { rule, operation, why = '', change: usual = '' } = result;
  const [{ request, actual, difference, change = usual, again }, ...others] = result.findings;
  const isKnown = baseline.has(keyOf({ rule, operation }));
  const mark = result.outcome === 'noted' ? 'note' : isKnown ? 'known' : 'FAIL';
  const isNamed = difference === undefined && actual.includes(request);
  const advice = [
    `why it matters: ${why}`,
    `what to change: ${change}`,
    ...(again === undefined ? [] : [`again: ${again}`]),
  ];
  return [
    `${mark.padEnd(5)} ${rule.padEnd(width)}  ${actual}`,
    ...(isNamed ? [] : [`${INDENT}${[request, difference].filter((text) => text !== undefined).join(' ')}`]),
    ...others.map(
      (other) => `${INDENT}${other.actual}${other.actual.includes(other.request) ? '' : ` (${other.request})`}`,
    ),
    ...(mark === 'FAIL' ? advice.map((line) => `${INDENT}${line}`) : []),
  ];
}

/** @returns why rules were not checked, each reason once. */
export function notCheckedLines(results: readonly Result[]): readonly string[] {
  const notChecked = results.flatMap((result) => (result.outcome === 'not_checked' ? [result] : []));
  const reasons = [...groupBy(notChecked, ({ reason }) => reason)].map(
    ([reason, all]) =>
      `${all.map(({ rule }) => rule).join(', ')} (${all.length > 1 ? reason.replace(/^it depends/, 'each depends') : reason})`,
  );
  return reasons.length === 0 ? [] : [`not checked: ${reasons.join('; ')}`];
}

/** How many rules have each outcome. */
export type Counts = Readonly<Record<'passed' | 'failed' | 'notes' | 'not_checked', number>>;
export function countsOf(results: readonly Result[]): Counts {
  const count = (outcome: Result['outcome']): number => results.filter((result) => result.outcome === outcome).length;
  return { passed: count('passed'), failed: count('failed'), notes: count('noted'), not_checked: count('not_checked') };
}

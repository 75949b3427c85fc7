/** How `audit` and `examine` print what they found: a failure or a note in a few lines, as soon as it is known. */
import { keyOf } from '../audit/report/baseline.ts';
import type { Baseline } from '../audit/report/baseline.ts';
import { groupBy } from '../audit/rules/group.ts';
import { COLUMNS, wrapped } from '../audit/report/wrapped.ts';
import type { Result } from '../audit/rules/rule.ts';

const INDENT = ' '.repeat(6);

/**
 * @param width of the longest id of a rule.
 * @param told the reasons why failures matter that were printed: each is printed once, and added.
 * @returns a failure or a note; nothing for other results.
 */
export function resultLines(
  result: Result,
  baseline: Baseline,
  width: number,
  told = new Set<string>(),
): readonly string[] {
  if (result.outcome !== 'failed' && result.outcome !== 'noted') return [];
  const { rule, operation, why = '', change: usual = '' } = result;
  const [{ request, actual, difference, change = usual, again }, ...others] = result.findings;
  const isKnown = baseline.has(keyOf({ rule, operation }));
  const mark = result.outcome === 'noted' ? 'note' : isKnown ? 'known' : 'FAIL';
  const isNamed = difference === undefined && actual.includes(request);
  const reasons = told.has(why) ? [] : [`why it matters: ${why}`];
  const advice = [
    ...[...reasons, `what to change: ${change}`].flatMap((text) => wrapped(text, INDENT)),
    ...(again === undefined ? [] : [`${INDENT}again: ${again}`]), // A line to copy.
  ];
  if (mark === 'FAIL') told.add(why);
  return [
    ...wrapped(`${mark.padEnd(5)} ${rule.padEnd(width)}  ${actual}`, '', INDENT),
    ...(isNamed ? [] : requestLines(request, difference)),
    ...others.flatMap((other) =>
      wrapped(`${other.actual}${other.actual.includes(other.request) ? '' : ` (${other.request})`}`, INDENT),
    ),
    ...(mark === 'FAIL' ? advice : []),
  ];
}

type NotChecked = Extract<Result, { outcome: 'not_checked' }>;

/** @returns why rules were not checked, each reason once: first those that could be, and last those that do not apply. */
export function notCheckedLines(results: readonly Result[]): readonly string[] {
  const all = results.flatMap((result) => (result.outcome === 'not_checked' ? [result] : []));
  const others = all.filter(({ cause }) => cause === undefined);
  const namesOf = (some: readonly NotChecked[]): string => some.map(({ rule }) => rule).join(', ');
  const reasonsOf = (title: string, some: readonly NotChecked[]): readonly string[] => {
    const reasons = [...groupBy(some, ({ reason }) => reason)].map(([reason, same]) => `${namesOf(same)} (${reason})`);
    return some.length === 0 ? [] : wrapped(`${title}: ${reasons.join('; ')}`);
  };
  return [
    ...reasonsOf(
      'not checked',
      others.filter(({ applies }) => applies !== false),
    ),
    ...[
      ...groupBy(
        all.filter(({ cause }) => cause !== undefined),
        ({ cause }) => cause,
      ),
    ].flatMap(([cause, some]) => wrapped(`blocked by ${String(cause)}: ${namesOf(some)}`)),
    ...reasonsOf(
      'do not apply',
      others.filter(({ applies }) => applies === false),
    ),
  ];
}

/** @returns the rules in lines, below the heads of two columns. */
export function ruleLines(what: string, rules: readonly (readonly [rule: string, text: string])[]): readonly string[] {
  const width = Math.max(...rules.map(([rule]) => rule.length)) + 2;
  return [['RULE', what] as const, ...rules].flatMap(([rule, text]) =>
    wrapped(`${rule.padEnd(width)}${text}`, '', ' '.repeat(width)),
  );
}

/** @returns a request and what is wrong there, in one line if they fit. A request is not broken, so that it can be copied. */
function requestLines(request: string, difference: string | undefined): readonly string[] {
  const all = [request, difference].filter((text) => text !== undefined).join(' ');
  if (difference === undefined || INDENT.length + all.length <= COLUMNS) return [`${INDENT}${all}`];
  return [`${INDENT}${request}`, ...wrapped(difference, INDENT)];
}

/** How many rules have each outcome. */
export type Counts = Readonly<Record<'passed' | 'failed' | 'notes' | 'not_checked', number>>;
export function countsOf(results: readonly Result[]): Counts {
  const count = (outcome: Result['outcome']): number => results.filter((result) => result.outcome === outcome).length;
  return { passed: count('passed'), failed: count('failed'), notes: count('noted'), not_checked: count('not_checked') };
}

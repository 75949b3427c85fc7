/** What `audit` prints of a list: what was found, what is wrong, what somebody may want to know, and what could not be checked. */
import { counted } from '../../contract/wording.ts';
import { RULES } from '../lists/audit.ts';
import type { AuditRun } from '../lists/audit.ts';
import { describeWay, formatProfile, namesIn } from '../lists/profile.ts';
import type { Profile } from '../lists/profile.ts';
import { keyOf } from '../report/baseline.ts';
import type { Baseline } from '../report/baseline.ts';
import { groupBy } from '../rules/group.ts';
import type { Result } from '../rules/rule.ts';

/** @returns what was found, in one line. */
export function headLine(
  { items, id, size, next }: Profile,
  length: AuditRun['length'],
  sent: number,
  save: string | undefined,
): string {
  const where = items === '' ? 'the body' : `\`${items}\``;
  const what =
    length === undefined ? 'items' : `${length.isWhole ? '' : 'more than '}${counted(length.items, 'items')}`;
  const parts = [
    `${what} in ${where}`,
    id === '' ? 'each its own id' : `id \`${id}\``,
    size === undefined ? 'no size' : `size \`${size.param}\`${size.max === undefined ? '' : ` to ${String(size.max)}`}`,
    `next page: ${describeWay(next)}`,
  ];
  return `${parts.join(', ')}   (${counted(sent, 'requests')}${save === undefined ? '; --save FILE' : ''})`;
}

export function savedLines(profile: Profile, file: string): readonly string[] {
  const names = namesIn(formatProfile(profile));
  return [`saved in ${file}${names.length === 0 ? '' : `, which reads ${names.join(' and ')} from the environment`}`];
}

const WIDTH = Math.max(...RULES.map((it) => it.id.length));
const INDENT = ' '.repeat(6);

/** @returns a failure or a note; nothing for other results. */
export function resultLines({ rule, ...result }: Result, baseline: Baseline): readonly string[] {
  if (result.outcome !== 'failed' && result.outcome !== 'noted') return [];
  const { why, change } = RULES.find((it) => it.id === rule) ?? { why: '', change: '' };
  const [first, ...others] = result.findings;
  const detail = (it: typeof first): readonly string[] =>
    it.difference === undefined ? [] : [`${INDENT}${it.request} ${it.difference}`];
  const isNote = result.outcome === 'noted';
  const isKnown = baseline.has(keyOf({ rule, operation: result.operation }));
  return [
    `${isNote ? 'note' : isKnown ? 'known' : 'FAIL'} ${isKnown && !isNote ? '' : ' '}${rule.padEnd(WIDTH)}  ${first.actual}`,
    ...(first.difference === undefined && !first.actual.includes(first.request)
      ? [`${INDENT}${first.request}`]
      : detail(first)),
    ...others.map((it) => `${INDENT}${it.actual}`),
    ...(isNote || isKnown ? [] : [`${INDENT}why it matters: ${why}`, `${INDENT}what to change: ${change}`]),
  ];
}

/** @returns why rules were not checked, each reason once. */
export function notCheckedLines(results: readonly Result[]): readonly string[] {
  const notChecked = results.flatMap((it) => (it.outcome === 'not_checked' ? [it] : []));
  const reasons = [...groupBy(notChecked, ({ reason }) => reason)].map(
    ([reason, all]) =>
      `${all.map(({ rule }) => rule).join(', ')} (${all.length > 1 ? reason.replace(/^it depends/, 'each depends') : reason})`,
  );
  return reasons.length === 0 ? [] : [`not checked: ${reasons.join('; ')}`];
}

export function countsOf(
  results: readonly Result[],
): Readonly<Record<'passed' | 'failed' | 'notes' | 'not_checked', number>> {
  const count = (outcome: Result['outcome']): number => results.filter((it) => it.outcome === outcome).length;
  return { passed: count('passed'), failed: count('failed'), notes: count('noted'), not_checked: count('not_checked') };
}

export function totalsLine(results: readonly Result[], sent: number): string {
  const { passed, failed, notes, not_checked: notChecked } = countsOf(results);
  return `${String(passed)} passed, ${String(failed)} failed, ${counted(notes, 'notes')}, ${String(notChecked)} not checked; ${counted(sent, 'GET requests')}`;
}

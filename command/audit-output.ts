/** What `audit` prints of a list: what was found, what is wrong, what may be wrong, and what was not checked. */
import { counted } from '../contract/wording.ts';
import type { Counted } from '../contract/wording.ts';
import type { AuditRun } from '../audit/lists/audit.ts';
import type { Coverage } from '../audit/lists/readings.ts';
import { describeWay } from '../audit/lists/profile.ts';
import { formatProfile, namesIn, withoutSecrets } from '../audit/lists/saved-profile.ts';
import type { Profile } from '../audit/lists/profile.ts';
import { compareWithBaseline } from '../audit/report/baseline.ts';
import type { Baseline } from '../audit/report/baseline.ts';
import { notCheckedText } from '../audit/report/report.ts';
import { groupBy } from '../audit/rules/group.ts';
import type { Result } from '../audit/rules/rule.ts';
import { LONG, code, joined, quote, say } from '../audit/rules/text.ts';
import type { Shown, Text } from '../audit/rules/text.ts';
import { countsOf } from './findings.ts';
import { table } from './output.ts';
import type { Subjects } from './subjects.ts';

/** What is known of a list after its audit. */
export interface Audited {
  readonly name: Shown | undefined;
  readonly results: readonly Result[];
  /** Why it could not be audited, or not to the end. */
  readonly untestable: Shown | undefined;
  /** `undefined` if it was not begun. */
  readonly run?: AuditRun;
  /** Whether a document names it, and it turned out to have one page: nothing is to be audited. */
  readonly isNoList?: boolean;
}

/** @returns what was found, in one line. */
export function headLine({ items, id, size, next }: Profile, length: AuditRun['length']): Text {
  const where = items === '' ? 'the body' : code(items);
  const what = length === undefined ? 'items' : itemsText(length);
  const parts = [
    say`${what} in ${where}`,
    id === '' ? say`each its own id` : say`id ${code(id)}`,
    size === undefined
      ? say`no page size`
      : say`page size ${code(size.param)}${size.max === undefined ? '' : say`, at most ${size.max}`}`,
    say`next page: ${describeWay(next)}`,
  ];
  return joined(parts);
}

/** @returns how many requests it took to find that, and how to keep it, if that is not done. */
export const foundLine = (sent: number, isNew: boolean): string =>
  `  found with ${counted(sent, 'requests')}${isNew ? '; --save-profile FILE keeps it' : ''}`;

/** @returns how many items were read: a reading that loses some has fewer than others. */
function itemsText({ items, isWhole, known }: NonNullable<AuditRun['length']>): Text {
  if (!isWhole) return say`more than ${counted(known, 'items')}`;
  return items < known ? say`${items} of at least ${counted(known, 'items')}` : say`${counted(items, 'items')}`;
}

/** @returns what is not known of the items of a list, and why, and whether that is most of all; `undefined` if they were checked. */
export function unknownOf(results: readonly Result[]): { readonly text: string; readonly isMost: boolean } | undefined {
  const asked = results.filter(({ rule }) => Object.hasOwn(ITEM_RULES, rule));
  const unknown = asked.flatMap((it) =>
    it.outcome === 'not_checked' && it.cause === undefined ? [{ rule: it.rule, reason: it.reason }] : [],
  );
  const [first] = unknown;
  if (first === undefined) return undefined;
  const what = unknown.map(({ rule }) => ITEM_RULES[rule]).join(' and ');
  const isMost = unknown.length === asked.length || unknown.some(({ rule }) => rule === MISSING);
  return { text: `${what} items could not be checked: ${first.reason}`, isMost };
}
const MISSING = 'items.missing';
const ITEM_RULES: Readonly<Record<string, string>> = { 'items.repeated': 'repeated', [MISSING]: 'missing' };

/** Whether a result comes before those that the first line tells of. */
export const isEarly = ({ rule }: Result): boolean =>
  rule !== MISSING && (Object.hasOwn(ITEM_RULES, rule) || /^(page[.]error|end[.]never)$/.test(rule));

export function savedLine(profile: Profile, file: string): Text {
  const read = namesIn(formatProfile(profile)).map((it) => quote(`\${${it}}`));
  const secrets = say`, with ${joined(read, ' and ')} of the environment in place of what is secret`;
  return say`saved in ${quote(file, LONG)}${read.length === 0 ? '' : secrets}`;
}

/** @returns what was read with which size: what is not read is not known. */
export function coverageLine(coverage: readonly Coverage[], length: AuditRun['length']): Text {
  const sized = coverage.flatMap(({ size, read }) => (size === undefined ? [] : [{ size, read }]));
  const parts = [
    ...[...groupBy(sized, ({ read }) => read.raw).values()].map(
      (same) =>
        say`with ${joined(
          same.map(({ size }) => say`${size}`),
          ', ',
        )} per page: ${same[0].read}`,
    ),
    ...coverage.flatMap(({ by, read }) => (by === undefined ? [] : [say`${by}: ${read}`])),
  ];
  return say`read ${length === undefined ? '' : say`of ${counted(length.known, 'items')} `}${joined(parts, '; ')}`;
}

/** @returns a number of requests, and whether they are GET alone. */
export const requestsText = (count: number, isPosted: boolean): Counted =>
  counted(count, isPosted ? 'requests' : 'GET requests');

export function totalsLine(results: readonly Result[], requests: Counted, baseline: Baseline): string {
  const { passed, failed, notes } = countsOf(results);
  const { known } = compareWithBaseline(results, baseline);
  const ofThem = known.length === 0 ? '' : ` (${String(known.length)} of them known)`;
  return `${String(passed)} passed, ${String(failed)} failed${ofThem}, ${counted(notes, 'notes')}, ${notCheckedText(results)}; ${requests}`;
}

/** @param baseline if one was given. @returns all results, for programs. */
export function jsonOf(
  audits: readonly Audited[],
  operations: Subjects['operations'],
  baseline: Baseline | undefined,
): object {
  const all = audits.flatMap((it) => it.results);
  const { known, fixed } = compareWithBaseline(all, baseline ?? new Set());
  const counts = { ...countsOf(all), ...(baseline && { known: known.length, fixed: fixed.length }) };
  const one = ({ results, untestable, run }: Audited): object => ({
    untestable,
    requests: run?.sent ?? 0,
    profile: run?.saved && withoutSecrets(run.saved),
    results,
  });
  const [first] = audits;
  if (first !== undefined && first.name === undefined) return { ...counts, ...one(first) };
  const others = operations?.map(({ method, path, why }) => ({ method, path, why: whyNot(path, why, audits) }));
  return {
    ...counts,
    lists: audits
      .filter((it) => it.isNoList !== true)
      .map((it) => ({ name: it.name, ...countsOf(it.results), ...one(it) })),
    ...(others && { others: others.filter((it) => it.why !== undefined) }),
  };
}

/** @returns why an operation is no list; `undefined` if it is one. */
const whyNot = (path: string, why: string | undefined, audits: readonly Audited[]): string | undefined =>
  why ?? (audits.some((it) => it.isNoList === true && it.name === path) ? 'one page, and no parameter of pages' : why);

/** @returns one line for each list, or for each operation of a document. */
export function tableOf(
  audits: readonly Audited[],
  operations: Subjects['operations'],
  baseline: Baseline,
): readonly string[] {
  const head = ['passed', 'failed', 'notes', 'not checked', 'requests', 'result'];
  const cells = (it: Audited): readonly string[] => [
    ...[...Object.values(countsOf(it.results)), it.run?.sent ?? 0].map(String),
    resultOf(it, baseline),
  ];
  if (operations === undefined)
    return table(
      ['list', ...head],
      audits.map((it) => [it.name ?? '', ...cells(it)]),
    );
  const rows = operations.map(({ method, path, why: reason }) => {
    const why = whyNot(path, reason, audits);
    const audited = why === undefined ? audits.find((it) => it.name === path) : undefined;
    const blank = [...head.slice(1).map(() => ''), why ?? 'not chosen'];
    return [`${method} ${path}`, why === undefined ? 'yes' : 'no', ...(audited === undefined ? blank : cells(audited))];
  });
  return table(['operation', 'list', ...head], rows);
}

function resultOf({ results, untestable }: Audited, baseline: Baseline): string {
  const { unexpected } = compareWithBaseline(results, baseline);
  if (unexpected.length > 0) return `breaks ${unexpected.map(({ rule }) => rule).join(', ')}`;
  if (untestable !== undefined) return untestable;
  return results.every((it) => it.outcome === 'not_checked') ? 'no rule could be checked' : 'ok';
}

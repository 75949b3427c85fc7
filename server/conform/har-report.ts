/** Checks captured traffic: each response against the contract, and the pages of lists across exchanges. Sends nothing. */
import { COLLECTIONS, operationsOf } from '../contract/collections.ts';
import type { Contract } from '../contract/document.ts';
import type { OperationId } from '../contract/types.ts';
import { counted } from '../contract/wording.ts';
import { EVERY_RESPONSE, outcomeOf } from './conform.ts';
import type { Result } from './conform.ts';
import type { Finding } from './findings.ts';
import { parseHar, redactorOf } from './har.ts';
import { listsOf } from './har-lists.ts';
import type { CapturedList } from './har-lists.ts';
import { HAR_RULES } from './har-rules.ts';
import type { HarRule } from './har-rules.ts';
import { selectTraffic } from './har-traffic.ts';
import type { Traffic } from './har-traffic.ts';
import { createResponseChecks } from './response-rules.ts';
import { isNamed } from '../report/findings.ts';
import type { Outcome } from '../report/findings.ts';

/** The result of judging a file. */
export interface Judged {
  readonly results: readonly Result[];
  /** The number of exchanges in the file, and of those that were checked. */
  readonly exchanges: number;
  readonly judged: number;
  readonly accounts: number;
  /** The operations without checked exchanges. */
  readonly absent: readonly OperationId[];
  readonly traffic: Pick<Traffic, 'bases' | 'leftOut' | 'withoutKey'>;
  /** For each rule that could not be checked on all pages it concerns: the number of pages checked, and of all pages it concerns. */
  readonly partly: ReadonlyMap<string, { readonly checked: number; readonly concerned: number }>;
}

/** @returns the title of every rule of captured traffic by its id. */
export function harRules(contract: Contract): ReadonlyMap<string, string> {
  const ofResponses = createResponseChecks(contract).tallies.map((it) => it.rule);
  return new Map([...HAR_RULES, ...ofResponses].map(({ id, title }) => [id, title]));
}

export interface Options {
  /** The base URL of the API. */
  readonly base?: string | undefined;
  readonly only?: readonly string[] | undefined;
  readonly skip?: readonly string[] | undefined;
}

/** @param text a HAR file. @throws HarError if it is not HAR. */
export function judgeHar(contract: Contract, text: string, { base, only, skip = [] }: Options = {}): Judged {
  const { entries, secrets } = parseHar(text);
  const redact = redactorOf(secrets);
  const sorted = entries.toSorted((a, b) => a.start - b.start);
  const { captured, ...traffic } = selectTraffic(contract, sorted, base);
  const isWanted = (rule: string): boolean => (only === undefined || isNamed(rule, only)) && !isNamed(rule, skip);

  const checks = createResponseChecks(contract);
  // A response from a browser's cache is not a response of the server: only its readability counts.
  const ofBrowser = createResponseChecks(contract);
  for (const { exchange, received, operation } of captured) {
    checks.check(exchange, operation);
    if (received !== exchange) ofBrowser.check(received, operation);
  }
  const lists = listsOf(contract, captured, ({ exchange, received }) => {
    const { brokenBy, recordsBrokenBy } = received === exchange ? checks : ofBrowser;
    return brokenBy(received) === undefined && recordsBrokenBy(received) === undefined;
  });

  const results: Result[] = [];
  const partly = new Map<string, { readonly checked: number; readonly concerned: number }>();
  const present = new Set(captured.map((it) => it.operation.id));
  for (const collection of COLLECTIONS) {
    const { list: operation } = operationsOf(collection);
    if (!present.has(operation)) continue;
    for (const rule of HAR_RULES.filter((it) => isWanted(it.id))) {
      const { outcome, checked, concerned } = check(rule, lists.get(collection) ?? []);
      results.push({ operation, rule: rule.id, title: rule.title, ms: 0, ...redactOutcome(outcome, redact) });
      const before = partly.get(rule.id) ?? { checked: 0, concerned: 0 };
      partly.set(rule.id, { checked: before.checked + checked, concerned: before.concerned + concerned });
    }
  }
  for (const tally of captured.length === 0 ? [] : checks.tallies.filter((it) => isWanted(it.rule.id))) {
    const { id: rule, title } = tally.rule;
    results.push({ operation: EVERY_RESPONSE, rule, title, ms: 0, ...redactOutcome(outcomeOf(tally), redact) });
  }
  for (const [rule, { checked, concerned }] of partly) if (checked === concerned) partly.delete(rule);
  const accounts = new Set(captured.map((it) => `${it.base} ${it.account}`)).size;
  const bases = traffic.bases.map(redact);
  const absent = contract.operations.map((it) => it.id).filter((it) => !present.has(it));
  const counts = { exchanges: entries.length, judged: captured.length, accounts, absent };
  return { results, ...counts, traffic: { ...traffic, bases }, partly };
}

// More findings would not make a failure clearer.
const MAX_FINDINGS = 12;

function check(
  rule: HarRule,
  lists: readonly CapturedList[],
): { readonly outcome: Outcome; readonly checked: number; readonly concerned: number } {
  const all = lists.map((it) => rule.check(it));
  const [checked, concerned] = [sum(all.map((it) => it.checked)), sum(all.map((it) => it.concerned))];
  const [first, ...others] = all.flatMap((it) => it.findings);
  if (first !== undefined) {
    const shown = others.slice(0, MAX_FINDINGS - 1);
    const more = others.length - shown.length;
    if (more > 0) shown.push({ ...first, actual: `${first.actual} (and ${counted(more, 'more findings')})` });
    return { outcome: { outcome: 'failed', findings: [first, ...shown] }, checked, concerned };
  }
  const broken = sum(lists.map((it) => it.unreadable));
  const why = broken === 0 ? '' : `; ${counted(broken, 'pages')} cannot be read, because a response rule failed`;
  const outcome: Outcome = checked > 0 ? { outcome: 'passed' } : { outcome: 'not_checked', reason: rule.needs + why };
  return { outcome, checked, concerned };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, it) => all + it, 0);

function redactOutcome(outcome: Outcome, redact: (text: string) => string): Outcome {
  if (outcome.outcome !== 'failed') return outcome;
  const [first, ...others] = outcome.findings;
  const redacted = ({ request, expected, actual, difference }: Finding): Finding => ({
    ...{ request: redact(request), expected: redact(expected), actual: redact(actual) },
    ...(difference !== undefined && { difference: redact(difference) }),
  });
  return { outcome: 'failed', findings: [redacted(first), ...others.map(redacted)] };
}

/** @returns lines about the exchanges that were checked and those that were not. */
export function trafficLines({ exchanges, judged, accounts, absent, traffic, partly }: Judged): readonly string[] {
  const { bases, leftOut, withoutKey } = traffic;
  const left = [...leftOut].map(([reason, count]) => `${count.toLocaleString('en')} ${reason}`);
  const pages = [...partly].map(
    ([rule, { checked, concerned }]) => `${rule} ${String(checked)} of ${String(concerned)}`,
  );
  return [
    `Checked: ${judged.toLocaleString('en')} of ${counted(exchanges, 'exchanges')}${bases.length === 0 ? '' : `, of ${counted(accounts, 'accounts')} at ${bases.join(', ')}`}.`,
    ...(left.length === 0 ? [] : [`Ignored: ${left.join(', ')}.`]),
    ...(absent.length === 0 || judged === 0 ? [] : [`Operations not in the file: ${absent.join(', ')}.`]),
    ...(withoutKey === 0
      ? []
      : [`${counted(withoutKey, 'exchanges')} without a readable key, treated as one account.`]),
    ...(pages.length === 0 ? [] : [`Pages checked: ${pages.join(', ')}.`]),
  ];
}

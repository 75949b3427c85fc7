/**
 * A baseline: the known failures, one per line, as an operation and a rule, or as a rule alone. These rules still run, but do not fail the run.
 * A line is stable: it contains neither the order of rules nor their titles.
 */
import { unknownRule } from '../rules/rule.ts';
import type { Result } from '../rules/rule.ts';

/** The keys of known failures, such as `listAutomations list.after`. */
export type Baseline = ReadonlySet<string>;

/** @returns the key of a result in a baseline. */
export const keyOf = ({ operation, rule }: Pick<Result, 'operation' | 'rule'>): string =>
  operation === undefined ? rule : `${operation} ${rule}`;

/** The commands that have baselines. */
export type BaselineCommand = keyof typeof LINES;
const LINES = {
  audit: { what: 'a rule, or a list of several and a rule', example: 'orders items.missing' },
  conform: { what: 'an operation and a rule', example: 'listAutomations list.after' },
  examine: { what: 'a rule', example: 'body.cut' },
} as const;

const COMMENT = '#';

/**
 * @param text the lines of a baseline; empty lines and those that begin with `#` are ignored.
 * @param operations what may stand before a rule; the empty text for a rule alone.
 * @throws Error for the first line that is something else.
 */
export function parseBaseline(
  text: string,
  operations: readonly string[],
  rules: readonly string[],
  command: BaselineCommand,
): Baseline {
  const { what, example } = LINES[command];
  const keys = new Set<string>();
  for (const [at, line] of text.split('\n').entries()) {
    const key = line.trim().replaceAll(/\s+/g, ' ');
    if (key === '' || key.startsWith(COMMENT)) continue;
    const end = key.lastIndexOf(' ');
    const rule = key.slice(end + 1);
    if (!operations.includes(key.slice(0, Math.max(0, end))))
      throw new Error(`line ${String(at + 1)} must be ${what}, such as ${example}, not ${JSON.stringify(key)}`);
    if (!rules.includes(rule)) throw new Error(`line ${String(at + 1)} has the ${unknownRule(rule, rules)}`);
    keys.add(key);
  }
  return keys;
}

/** @returns the failures of a run as the text of a baseline. */
export function formatBaseline(results: readonly Result[], command: BaselineCommand): string {
  const keys = results.filter(({ outcome }) => outcome === 'failed').map(keyOf);
  return `${COMMENT} Known failures of rollcall ${command}: ${LINES[command].what} on each line.\n${keys.map((key) => `${key}\n`).join('')}`;
}

/** The failures of a run, separated by a baseline. */
export interface Compared {
  /** Those that are not in the baseline. */
  readonly unexpected: readonly Result[];
  /** Those that are. */
  readonly known: readonly Result[];
  /** The rules of the baseline that fail no more. */
  readonly fixed: readonly Result[];
}

export function compareWithBaseline(results: readonly Result[], baseline: Baseline): Compared {
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  return {
    unexpected: failed.filter((result) => !baseline.has(keyOf(result))),
    known: failed.filter((result) => baseline.has(keyOf(result))),
    fixed: results.filter((result) => ['passed', 'noted'].includes(result.outcome) && baseline.has(keyOf(result))),
  };
}

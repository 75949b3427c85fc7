/** Findings of lists, and how ids, values and sizes look in them. */
import { Failure, Noted } from '../rules/rule.ts';
import type { Finding } from '../rules/rule.ts';
import { groupBy } from '../rules/group.ts';
import { joined, quote, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { plainId } from './list.ts';
import type { Page } from './list.ts';

const MAX_IDS = 4;

export const show = (id: string): Text => quote(plainId(id));
/** @returns ids for a message: the first ones, and how many more there are. */
export function showAll(ids: readonly string[]): Text {
  if (ids.length === 0) return say`nothing`;
  const more = ids.length - MAX_IDS;
  const shown = joined(ids.slice(0, MAX_IDS).map(show));
  return more > 0 ? say`${shown} and ${more} more` : shown;
}
export const returned = (page: Page | undefined): Text => say`returned ${showAll(page?.ids ?? [])}`;
export const excerpt = (value: unknown): Text => (value === undefined ? say`missing` : quote(JSON.stringify(value)));
export const withSize = (size: number | undefined): Text =>
  size === undefined ? say`with the default page size` : say`with ${size} per page`;

/** @param of the page, or the response that is none. */
export const findingOf = (
  of: { readonly request: Text } | undefined,
  expected: Text,
  actual: Text,
  difference?: Text,
  change?: Text,
): Finding<Text> => ({ request: of?.request ?? say``, expected, actual, difference, change });

export const failure = (...finding: Parameters<typeof findingOf>): Failure => new Failure(findingOf(...finding));
export const note = (...finding: Parameters<typeof findingOf>): Noted => new Noted(findingOf(...finding));

/** @throws Failure, or Noted, with the findings, if there are any. */
export function throwAny(
  [first, ...others]: readonly Finding<Text>[],
  Kind: typeof Failure | typeof Noted = Failure,
): void {
  if (first !== undefined) throw new Kind(first, ...others);
}

/** A finding, and what is the same in all findings of its cause: "returned 500". */
export interface Caused {
  readonly is: Text;
  readonly finding: Finding<Text>;
}
const EXAMPLES = 3;

/** @returns the findings, those of one cause as one that says how many there are, with three of them. @param what their noun and their number, as in "of 17 invalid cursors". */
export const bundled = (found: readonly Caused[], what: Text): readonly Finding<Text>[] =>
  [...groupBy(found, ({ is }) => is.raw).values()].flatMap((same): readonly Finding<Text>[] => {
    const [{ is, finding }, ...others] = same;
    if (others.length === 0) return [finding];
    const examples = others.slice(0, EXAMPLES - 1).map((it) => it.finding);
    return [{ ...finding, actual: say`${same.length} ${what} ${is}` }, ...examples];
  });

/** Findings of lists, and how ids, values and sizes look in them. */
import { Failure, Noted } from '../rules/rule.ts';
import type { Finding } from '../rules/rule.ts';
import { plainId } from './list.ts';
import type { Page } from './list.ts';

const MAX_SHOWN = 60;
const MAX_IDS = 4;

/** @returns a text for a message, cut to a readable length. */
export const cut = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
export const show = (id: string): string => cut(plainId(id));
/** @returns ids for a message: the first ones, and how many more there are. */
export function showAll(ids: readonly string[]): string {
  if (ids.length === 0) return 'nothing';
  const more = ids.length - MAX_IDS;
  return `${ids.slice(0, MAX_IDS).map(show).join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
}
export const returned = (page: Page | undefined): string => `returned ${showAll(page?.ids ?? [])}`;
export const excerpt = (value: unknown): string => (value === undefined ? 'missing' : cut(JSON.stringify(value)));
export const withSize = (size: number | undefined): string =>
  size === undefined ? 'with the default size' : `with size ${String(size)}`;

/** @param of the page, or the response that is none. */
export const findingOf = (
  of: { readonly request: string } | undefined,
  expected: string,
  actual: string,
  difference?: string,
): Finding => ({ request: of?.request ?? '', expected, actual, difference });

export const failure = (...finding: Parameters<typeof findingOf>): Failure => new Failure(findingOf(...finding));
export const note = (...finding: Parameters<typeof findingOf>): Noted => new Noted(findingOf(...finding));

/** @throws Failure, or Noted, with the findings, if there are any. */
export function throwAny([first, ...others]: readonly Finding[], Kind: typeof Failure | typeof Noted = Failure): void {
  if (first !== undefined) throw new Kind(first, ...others);
}

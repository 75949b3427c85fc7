/** Rules that are tables of requests: each case is a request and what must come back. */
import type { ProblemName } from '../../contract/types.ts';
import { Failure, forEach } from '../rules/rule.ts';
import type { Query } from './listing.ts';
import type { Request } from './checked-session.ts';
import type { Target } from './target.ts';
import { UNKNOWN_ID } from './values.ts';

/** What must come back: an error, a status, or the records of the plain response. */
type Expected = ProblemName | number | 'same';
/** A request of the plain path, unless it has another one. */
export type Case = readonly [expected: Expected, request: Partial<Request> & { readonly query?: string }];

/** @returns the check of a rule. @param casesOf gets the plain path: that of the list, or of its first item. */
export function cases(
  casesOf: (target: Target, path: string) => Iterable<Case> | Promise<Iterable<Case>>,
): (target: Target) => Promise<void> {
  return async (target) => {
    await assertCases(target, await casesOf(target, await target.likelyPath()));
  };
}

/** @throws Failure with all requests that bring back something else, NotChecked if there is no record to bring back. */
export async function assertCases(target: Target, all: Iterable<Case>): Promise<void> {
  const plainPath = await target.likelyPath();
  await forEach(all, async ([expected, { query, ...others }]) => {
    const request = { path: query === undefined ? plainPath : `${plainPath}?${query}`, ...others };
    if (expected === 'same') target.assertSame(await target.plain(), await target.request(request));
    else if (typeof expected === 'string') await target.assertProblem(request, expected);
    else {
      if (expected < 400) await target.existingPath(); // Without a record, there are only errors.
      await target.request(request, expected);
    }
  });
}

/** @returns the case of a query that is rejected with a message that names its last parameter, if that has a name. */
export function rejected(query: string): Case {
  const last = [...new URLSearchParams(query).keys()].at(-1)?.trim() ?? '';
  return ['validation_error', { query, mentions: /^[\w.-]{1,99}(?![\w.-])/.exec(last) ?? [] }];
}

/** Checks all values with one request. If it fails, checks each with a request of its own, so that the failure names those that are wrong. */
export async function assertTogether<T>(
  values: readonly T[],
  check: (some: readonly T[]) => Promise<void>,
): Promise<void> {
  try {
    await check(values);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await forEach(values, (value) => check([value]));
    throw error;
  }
}

/** @returns the query with a value of the filter, if the operation has one. */
export function filtered({ operation }: Target): Query {
  const filter = operation.parameters.find(({ schema }) => schema.enum !== undefined);
  return filter === undefined ? {} : { [filter.name]: filter.schema.enum?.[0] ?? '' };
}

/**
 * @returns the queries, each beside other parameters than those before it: what a server reads in another way only there is found
 *   without more requests. Of the cursors, one is that of an item, because a cursor that is found may end the checks, and one is unknown,
 *   because a server may look it up before it checks the others.
 */
export async function besideOthers(target: Target, queries: readonly string[]): Promise<readonly string[]> {
  const { list, limits, queryNames } = target;
  if (list !== undefined) return queries;
  const after = (await target.items(0))[0]?.id ?? UNKNOWN_ID;
  const others: readonly Query[] = [{ after }, { before: UNKNOWN_ID }, filtered(target), { limit: limits.min }];
  return queries.map((query, at) => {
    const isFree = (name: string): boolean => !query.includes(name) && queryNames.includes(name);
    const free = others.filter((candidate) => Object.keys(candidate).some(isFree));
    const other = target.inRotation([{}, ...free], at);
    return [...Object.entries(other).map((pair) => pair.join('=')), query].join('&');
  });
}

/** A size and a position that work only together: some servers return the whole list unless both are given. */
import { itemsOf } from '../list.ts';
import type { Way } from '../profile.ts';
import type { Answer, Session } from '../session.ts';
import { withParam } from '../target.ts';
import type { Items } from './sizes.ts';

const PAIRS: readonly (readonly [size: string, position: string, kind: 'page' | 'offset'])[] = [
  ['limit', 'offset', 'offset'],
  ['per_page', 'page', 'page'],
  ['limit', 'page', 'page'],
  ['page_size', 'page', 'page'],
  ['pageSize', 'page', 'page'],
  ['size', 'page', 'page'],
  ['max', 'first', 'offset'],
  ['pageSize', 'pageNumber', 'page'],
  ['page[size]', 'page[number]', 'page'],
  ['count', 'startIndex', 'offset'],
  ['count', 'start', 'offset'],
  ['limit', 'skip', 'offset'],
  ['limit', 'start', 'offset'],
  ['$top', '$skip', 'offset'],
];
const SIZE = 2;
/** What stands beside a size that is an error alone. */
const POSITIONS = ['page', 'offset', 'start', 'skip', 'pageNumber', 'startIndex'];
const MAX_FAILING = 2;
/** The usual size, for a list that needs one in every request. */
const USUAL = 10;

/** The parameters of a size and a position, and what the first page must have. */
export interface Together {
  readonly size: string;
  readonly way: Way;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * @param failing sizes that are an error alone, where unknown parameters are none.
 * @returns the first pair that makes a page of the small size.
 */
export async function findTogether(
  start: string,
  candidates: readonly Items[],
  failing: readonly string[],
  session: Session,
  maxRequests: number,
): Promise<Together | undefined> {
  const length = candidates.reduce((most, it) => Math.max(most, it.length), 0);
  const isOf = (answer: Answer, size: number): boolean =>
    answer.status === 200 &&
    candidates.some((it) => it.length > size && itemsOf(answer.body, it.path)?.length === size);
  const known = failing
    .slice(0, MAX_FAILING)
    .flatMap((size) =>
      POSITIONS.map((position) => [size, position, /page/i.test(position) ? 'page' : 'offset'] as const),
    );
  for (const [size, position, kind] of [...known, ...PAIRS]) {
    if (session.sent >= maxRequests) return undefined;
    const first = kind === 'page' ? 1 : 0;
    const placed = withParam(start, position, first);
    if (!isOf(await session.get(withParam(placed, size, SIZE)), SIZE)) continue;
    const way: Way = kind === 'page' ? { page: position, first } : { offset: position, first };
    // A position alone may be an error, too.
    const needsSize = failing.includes(size) && (await session.get(placed)).status >= 400;
    const params = { [position]: String(first), ...(needsSize && { [size]: String(length > USUAL ? USUAL : SIZE) }) };
    return { size, way, params };
  }
  return undefined;
}

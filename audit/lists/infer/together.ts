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

/** The parameters of a size and a position, and the value of the position on the first page. */
export interface Together {
  readonly size: string;
  readonly way: Way;
  readonly params: Readonly<Record<string, string>>;
}

/** @returns the first pair that makes a page of the small size. */
export async function findTogether(
  start: string,
  candidates: readonly Items[],
  session: Session,
  maxRequests: number,
): Promise<Together | undefined> {
  for (const [size, position, kind] of PAIRS) {
    if (session.sent >= maxRequests) return undefined;
    const first = kind === 'page' ? 1 : 0;
    const answer: Answer = await session.get(withParam(withParam(start, size, SIZE), position, first));
    const isPage = candidates.some((it) => it.length > SIZE && itemsOf(answer.body, it.path)?.length === SIZE);
    if (!isPage || answer.status !== 200) continue;
    const way: Way = kind === 'page' ? { page: position, first } : { offset: position, first };
    return { size, way, params: { [position]: String(first) } };
  }
  return undefined;
}

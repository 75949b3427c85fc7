/** The parameter of the page size: links and numbers of the response name it, and the names of other APIs are tried after them. */
import { code, say } from '../../rules/text.ts';
import type { Text } from '../../rules/text.ts';
import { pathOf, valuesIn } from '../json.ts';
import type { Path } from '../json.ts';
import { itemsOf } from '../list.ts';
import type { Size } from '../profile.ts';
import type { Answer, Session } from '../session.ts';
import { paramsOf, withParam } from '../target.ts';
import { MAX_DEPTH, areLinks, linkedParams, scalarsIn } from './evidence.ts';
import { echoesOf } from './numbers.ts';

export const SIZES = [
  ...'limit per_page page_size size pageSize perPage rows count _limit per-page page[size] page[limit] $top'.split(' '),
  ...'max_results maxResults max _count first take Limit PageSize _per_page n top itemsPerPage results'.split(' '),
  ...'_size pagination[pageSize] items_per_page pagination[limit] num $limit'.split(' '),
];
const MAX_SIZES = 24;
// Small enough for a short list to have a second page, and more than one, so that a repeated last item shows.
export const PROBE = 2;
/** Sizes for a list that rejects smaller ones, or all but some. */
const LARGER = [5, 10, 20, 25, 50, 100];
const MAX_REJECTED = 3;

/** @returns a small size that a list accepts. */
export const probeOf = ({ min = 1 }: Size): number => Math.max(PROBE, min);

export interface Items {
  readonly path: Path;
  readonly length: number;
}

/** @returns the arrays of a body that may be its items: those that are not inside of another array. */
export function arraysIn(body: unknown): readonly Items[] {
  const found: Items[] = [];
  for (const { path, value } of valuesIn(body, MAX_DEPTH))
    if (Array.isArray(value) && !areLinks(value)) found.push({ path, length: value.length });
  return found;
}

/**
 * @param known names of parameters that are tried first.
 * @returns the parameter of the size: one that changes the length of an array, with its minimum if small sizes are rejected.
 */
export async function findSize(
  sample: Answer,
  candidates: readonly Items[],
  known: readonly string[],
  session: Session,
  drop: (what: Text, why: Text) => void,
): Promise<Size | undefined> {
  const longest = candidates.reduce((most, it) => Math.max(most, it.length), 0);
  if (longest === 0) return undefined;
  const wanted = longest > PROBE ? PROBE : 1;
  const rejected: string[] = [];
  let isLenient = false;
  for (const name of namesFor(sample, longest, known, session)) {
    const answer = await session.get(withParam(sample.target, name, wanted));
    const isRejected = answer.status >= 400 && answer.status < 500;
    isLenient ||= answer.status < 300;
    const length = isRejected ? undefined : lengthWith(answer, candidates);
    if (length !== undefined && length <= wanted + 1) return { param: name };
    if (length !== undefined && length > 0) return { param: name, min: length }; // Smaller sizes are raised.
    if (isRejected) rejected.push(name);
    drop(say`size ${code(name)}`, answer.status >= 400 ? say`${answer.status}` : say`it does not change the length`);
  }
  // A strict server rejects each unknown name. Of a lenient one, a name that is rejected is known: the size is too small.
  for (const name of isLenient ? rejected.slice(0, MAX_REJECTED) : [])
    for (const size of LARGER) {
      const answer = await session.get(withParam(sample.target, name, size));
      if (lengthWith(answer, candidates) === size) return { param: name, min: size };
    }
  return undefined;
}

/** @returns the length of the first array whose length has changed; `undefined` if none has. */
function lengthWith({ status, body }: Answer, candidates: readonly Items[]): number | undefined {
  if (status < 200 || status >= 300) return undefined;
  const changed = candidates.flatMap((it) => {
    const length = itemsOf(body, it.path)?.length ?? 0;
    return length > 0 && length !== it.length && it.length > 0 ? [length] : [];
  });
  return changed.length === 0 ? undefined : Math.min(...changed);
}

/** @returns the names to try: those of links with the length as their value, those of the URL, those that the body repeats, and all others. */
function namesFor(sample: Answer, length: number, known: readonly string[], session: Session): readonly string[] {
  const links = linkedParams(sample, session);
  const linked = links.flatMap(([name, value]) => (value === String(length) ? [name] : []));
  const asked = [...paramsOf(sample.target)].flatMap(([name, value]) =>
    SIZES.includes(pathOf(name).at(-1) ?? '') || value === String(length) ? [name] : [],
  );
  const echoed = echoesOf(scalarsIn(sample, session), /size|limit|per|count|max|rows|take|top|results|items|^n$/i, [
    length,
  ]);
  const inLinks = links.map(([name]) => name).filter((it) => SIZES.includes(it));
  return [...new Set([...known, ...linked, ...asked, ...inLinks, ...echoed, ...SIZES])].slice(0, MAX_SIZES);
}

/** @returns the array whose length follows the size, or those that may be it. */
export function followers(candidates: readonly Items[], probed: Answer, size: Size | undefined): readonly Items[] {
  const all = candidates.filter((it) => it.length > 0 || candidates.length === 1);
  if (size === undefined) return all;
  const followed = candidates.filter((it) => {
    const length = itemsOf(probed.body, it.path)?.length ?? it.length;
    return length <= probeOf(size) + 1 && length !== it.length;
  });
  return followed.length === 0 ? all : followed;
}

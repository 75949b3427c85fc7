/** The way to the previous page: the second page has one that leads to the first. */
import { pathOf, pathText } from '../json.ts';
import type { Path } from '../json.ts';
import { List, isPage, plainId } from '../list.ts';
import type { Page } from '../list.ts';
import type { Way } from '../profile.ts';
import type { Answer, Session } from '../session.ts';
import { withParam } from '../target.ts';
import { isUrl, scalarsIn } from './evidence.ts';
import { probeOf } from './sizes.ts';

const ID_BACK: Readonly<Record<string, string>> = {
  starting_after: 'ending_before',
  after: 'before',
  after_id: 'before_id',
  before: 'after',
};
const OPPOSITES: Readonly<Record<string, string>> = { after: 'before', next: 'previous', afterCursor: 'beforeCursor' };

/** @returns the way back, if the second page has one that leads to the first. */
export async function findPrevious(list: List, pages: readonly Page[]): Promise<Way | undefined> {
  const { next, size } = list.profile;
  // With three pages, a parameter that is ignored shows: it leads to the first page, not to the second.
  const [first, second] = pages.slice(-2);
  if (first === undefined || second === undefined) return undefined;
  const ids = new Set(first.ids);
  const answer = await list.session.get(second.target);
  for (const way of waysBack(next, answer, list.session)) {
    // A link that the server gives as the way back is one, wherever it leads, and so is a token for the parameter of the next page. An
    // error of the server is a finding of the audit, too.
    const isGiven = !('id' in way || ('token' in way && 'token' in next && way.token !== next.token));
    const back = new List({ ...list.profile, previous: way }, list.session).backward((all) => all[0] ?? '');
    const start =
      'id' in way
        ? withParam(list.first(size && probeOf(size)), way.id, plainId(second.ids[0] ?? ''))
        : back.nextOf(way, answer, list.itemsIn(answer));
    if (start === undefined) continue;
    const page = await list.probe(start);
    const leadsBack = isPage(page) ? page.ids.some((it) => ids.has(it)) && pages.length > 2 : page.status >= 500;
    if (isGiven || leadsBack || ('id' in way && isPage(page) && (await endsBefore(list, way, pages)))) return way;
  }
  return undefined;
}

/**
 * Whether a parameter leads back, though not to the page directly before: before the second item of the list is only the first one. Beside a
 * size named `first`, and where the cursors of both directions bound a part, the page may lawfully be the first one of that part.
 */
async function endsBefore(list: List, { id }: { readonly id: string }, pages: readonly Page[]): Promise<boolean> {
  const { next, size } = list.profile;
  const [first = '', second = '', third = ''] = pages.flatMap(({ ids }) => ids);
  if (!('id' in next) || pathOf(size?.param ?? '').at(-1) === 'first') return false;
  const start = list.first(size && probeOf(size));
  const isOnly = async (target: string, wanted: string): Promise<boolean> => {
    const page = await list.probe(target);
    return isPage(page) && page.ids.length === 1 && page.ids[0] === wanted;
  };
  if (!(await isOnly(withParam(start, id, plainId(second)), first)))
    return id === UNAMBIGUOUS && (await rejects(list, withParam(start, id, UNKNOWN)));
  return !(await isOnly(withParam(withParam(start, next.id, plainId(first)), id, plainId(third)), second));
}

/** It is no filter and no bound. That the server reads it shows where it rejects an id that no item has. */
const UNAMBIGUOUS = 'ending_before';
const UNKNOWN = 'rollcall-unknown';

async function rejects(list: List, target: string): Promise<boolean> {
  const page = await list.probe(target);
  return !isPage(page) && [400, 404, 422].includes(page.status);
}

/** @returns the ways back that a response suggests. */
function waysBack(next: Way, answer: Answer, session: Session): readonly Way[] {
  if ('id' in next) return [ID_BACK[next.id]].flatMap((id) => (id === undefined ? [] : [{ id }]));
  if ('link' in next) {
    const until = next.until === undefined ? {} : { until: next.until };
    return [
      { link: 'prev', ...until },
      { link: 'previous', ...until },
    ];
  }
  const base = 'url' in next && next.base !== undefined ? { base: next.base } : {};
  return scalarsIn(answer, session)
    .filter(({ path }) => path.some((it) => /prev|before|^start_?cursor/i.test(it)))
    .flatMap(({ path, value }): readonly Way[] => {
      if (isUrl(value)) return [{ url: pathText(path), ...base }];
      const isToken = (typeof value === 'string' && value !== '') || typeof value === 'number';
      if (!isToken || !('token' in next)) return [];
      return backParams(next.token, path).map((token) => ({ token, from: pathText(path) }));
    });
}

/** @returns the parameters that may take a token of the previous page: by its own name, the opposite of the next page's, and the same. */
function backParams(next: string, path: Path): readonly string[] {
  const name = path.at(-1) ?? '';
  const opposite = Object.entries(OPPOSITES).find(([one]) => next.toLowerCase() === one.toLowerCase())?.[1];
  const own = /^(before|prev|previous)/i.test(name) ? [name] : [];
  // A parameter that names its direction takes no token of the other one.
  return [...new Set([...(opposite === undefined ? [next] : [opposite]), ...own])].toReversed();
}

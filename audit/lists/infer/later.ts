/** What pages behind the first one state: some servers send links only where a page is asked for by its number. */
import { List, isPage } from '../list.ts';
import type { Page } from '../list.ts';
import { linksOf, withParam } from '../target.ts';
import type { Profile, Way } from '../profile.ts';
import type { Answer, Session } from '../session.ts';
import { linkWays } from './links.ts';
import { isStated } from './next.ts';

/** The ways that the second page of a list of numbers states. */
export interface Later {
  readonly next: Way | undefined;
  readonly previous: Way | undefined;
}

/** @param pages the first ones. */
export async function laterWays({ profile: { next }, session }: List, pages: readonly Page[]): Promise<Later> {
  const [, second] = pages;
  if (second === undefined || !('page' in next || 'offset' in next)) return { next: undefined, previous: undefined };
  const answer = await session.get(second.target);
  const links = linksOf(answer.headers.get('link'));
  const back = ['prev', 'previous'].find((rel) => links.has(rel));
  return {
    next: linkWays(answer, session).find(isStated),
    previous: back === undefined ? undefined : { link: back },
  };
}

/**
 * @param params names of parameters that may take the number of a page, or of an item.
 * @returns what the first request must have for its response to state the next page as the user says; `undefined` if no number does that.
 */
export async function numberedFirst(
  profile: Profile,
  plain: Answer,
  params: readonly string[],
  session: Session,
): Promise<Readonly<Record<string, string>> | undefined> {
  const list = new List(profile, session);
  const page = list.read(plain);
  for (const param of params)
    for (const number of [1, 0]) {
      const numbered = await list.probe(withParam(plain.target, param, number));
      if (isPage(page) && isPage(numbered) && numbered.next !== undefined && numbered.ids[0] === page.ids[0])
        return { [param]: String(number) };
    }
  return undefined;
}

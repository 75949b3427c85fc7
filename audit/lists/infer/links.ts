/** Links to the next page: in headers, in the body, and in arrays of link objects. The server builds them: they are tried first. */
import { pathText, valueAt, valuesIn } from '../json.ts';
import type { Path } from '../json.ts';
import type { Way } from '../profile.ts';
import type { Answer, Session } from '../session.ts';
import { linksOf, resolve } from '../target.ts';
import { LINK_URLS, MAX_DEPTH, isUrl, isUsable, leadsElsewhere, leadsOn, scalarsIn } from './evidence.ts';

/** @returns the ways by a link that a response has, those that are named as the next page first. */
export function linkWays(answer: Answer, session: Session): readonly Way[] {
  const { target, headers, body } = answer;
  const ways: Way[] = [];
  const link = linksOf(headers.get('link')).get('next');
  if (link !== undefined)
    ways.push({ link: 'next', ...(/results="true"/i.test(link.attributes) && { until: 'results="false"' }) });
  for (const [name, value] of headers)
    if (name !== 'link' && /next/i.test(name) && isUrl(value) && isUsable(session, [name])) ways.push({ header: name });
  ways.push(...linkObjectsIn(body, session).map((url) => ({ url })));
  const links = scalarsIn(answer, session).filter(({ path, value }) => isLink(path, value) && !leadsElsewhere(path));
  const [named, others] = [links.filter(({ path }) => leadsOn(path)), links.filter(({ path }) => !leadsOn(path))];
  const same = others.filter(({ value }) => isSameList(String(value), target, session.origin));
  ways.push(...[...named, ...same].map(({ path }) => ({ url: pathText(path) })));
  return ways;
}

/** Whether a value is a link: a URL, a path, a query, or, where a name says that it is the next page, a path without a slash. */
const isLink = (path: Path, value: unknown): boolean =>
  isUrl(value) || (typeof value === 'string' && /^[^\s?]*\?[^\s=]+=/.test(value) && leadsOn(path));

/** Whether a link leads to the same list with other parameters. */
function isSameList(link: string, target: string, origin: string): boolean {
  const [path, query = ''] = (resolve(link, target, origin)?.target ?? '').split('?');
  const [ownPath, ownQuery = ''] = target.split('?');
  return path === ownPath && query !== '' && query !== ownQuery;
}

/** @returns the paths of URLs in arrays of link objects, `links[rel=next].href`. */
function linkObjectsIn(body: unknown, session: Session): readonly string[] {
  const found: string[] = [];
  for (const { path, value } of valuesIn(body, MAX_DEPTH)) {
    const [name] = path.slice(-1);
    if (!Array.isArray(value) || name === undefined) continue;
    for (const rel of ['rel', 'relation']) {
      const at = [...path.slice(0, -1), `${name}[${rel}=next]`];
      for (const key of LINK_URLS)
        if (typeof valueAt(body, [...at, key]) === 'string' && isUsable(session, path))
          found.push(pathText([...at, key]));
    }
  }
  return found;
}

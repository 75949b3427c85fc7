/** The first response of a list: whether it is one, and where redirects lead. */
import { Untestable } from '../../session/session.ts';
import { LONG, inOneLine, quote, say } from '../../rules/text.ts';
import { valueAt } from '../json.ts';
import { errorOf } from '../list.ts';
import { namesIn, withoutKeys } from '../saved-profile.ts';
import type { Given } from '../profile.ts';
import type { Answer, Session } from '../session.ts';
import { isSecretName, paramsOf, resolve } from '../target.ts';

/** @returns the first response, and the URL of the list: where redirects lead. */
export async function firstAnswer(
  given: Given,
  target: string,
  session: Session,
): Promise<{ readonly answer: Answer; readonly url: string; readonly saved: string }> {
  const answer = await session.get(target);
  const { request, status, failure, body, text, headers } = answer;
  const url = answer.target === target ? given.url : atTarget(given.url, answer.target);
  const isPost = given.method === 'POST';
  const location = status >= 300 && status < 400 ? headers.get('location') : undefined;
  if (location !== undefined && resolve(location, answer.target, session.origin)?.origin !== undefined)
    throw new Untestable(say`${request} redirects to ${quote(location, LONG)}, at another origin. Audit that URL.`);
  if (location !== undefined && isPost)
    throw new Untestable(
      say`${request} redirects to ${quote(location, LONG)}, and a POST is not redirected. Audit that URL.`,
    );
  if (failure !== undefined) throw new Untestable(say`No usable response to ${request}: ${failure}.`);
  if (status === 401 || status === 403)
    throw new Untestable(
      session.hasKey
        ? say`${request} returned ${status}: the key was rejected.`
        : say`${request} returned ${status}: give a key with --header 'Authorization: Bearer ...' or --auth user:password.`,
    );
  if (
    /graphql/i.test(new URL(url).pathname) &&
    status !== 404 &&
    (status >= 400 || valueAt(body, ['errors']) !== undefined)
  )
    throw new Untestable(say`${request} is GraphQL, which cannot be audited: its pages are not URLs.`);
  if (status === 405)
    throw new Untestable(
      isPost
        ? say`${request} returned 405: the list is not read by POST.`
        : say`${request} returned 405: the list is not read by GET. If a POST there reads it, and changes nothing, give what is posted: --data '{"limit": 2}'.`,
    );
  const reason = errorOf(given, answer);
  const said = body === undefined || status < 300 ? '' : say`: ${quote(text, undefined, inOneLine)}`;
  if (reason !== undefined) throw new Untestable(say`${request} returned ${reason}${said}. Check the URL.`);
  if (body === undefined)
    throw new Untestable(
      say`${request} returned no JSON: ${quote(text, undefined, (it) => JSON.stringify(it.slice(0, 40)))}. Check the URL.`,
    );
  const own = new Map([...paramsOf(given.url), ...Object.entries(given.params ?? {})]);
  const namesKey = [...paramsOf(url)].some(([name, value]) => isSecretName(name) && own.get(name) !== value);
  const quotesKey = session.hides(withoutKeys(url));
  // Whoever reads the profile would send the variable.
  const namesVariable = namesIn(url).some((it) => !namesIn(given.url).includes(it));
  return { answer, url, saved: namesKey || quotesKey || namesVariable ? given.url : url };
}

/** @returns a URL with another path and query, which are never read as a URL of their own: `//evil.example/list` is a path. */
function atTarget(url: string, target: string): string {
  const { protocol, username, password, host } = new URL(url);
  const user = username + password === '' ? '' : `${username}:${password}@`;
  return `${protocol}//${user}${host}${target}`;
}

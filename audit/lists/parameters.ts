/**
 * Where the parameters of a page stand in a request: in the query, in the body of a list that is read by POST, or, the size, in a header.
 * The rest of the audit knows targets alone, a path and a query, whose parameters are all of them.
 */
import { LONG, inOneLine, quote, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { bodyText, membersOf, withoutMembers } from './body.ts';
import type { Body } from './body.ts';
import { withoutUser } from './saved-profile.ts';
import type { Given } from './profile.ts';
import { paramsOf, queryOf, withParam, withParams, withRaw } from './target.ts';

/** @returns the path and the query of a URL, as they stand in it. */
export function firstTarget(url: string): string {
  const query = queryOf(withoutUser(url));
  return `${new URL(url).pathname}${query === '' ? '' : `?${query}`}`;
}

const pathIn = (target: string): string => target.replace(/\?.*$/s, '');

type Listed = Pick<Given, 'url' | 'params' | 'method' | 'body'>;

/** @returns the names of the parameters that stand in the query of every request. */
const inQuery = ({ url, params = {} }: Listed): ReadonlySet<string> =>
  new Set([...paramsOf(firstTarget(url)).keys(), ...Object.keys(params)]);

/** @returns the parameters of a body, but for those that the query has, too. */
const membersIn = (given: Listed): ReturnType<typeof membersOf> => {
  const queried = inQuery(given);
  return given.body === undefined ? [] : membersOf(given.body).filter(([name]) => !queried.has(name));
};

/** @returns the target of a list's first page. */
export const startOf = (given: Listed): string =>
  membersIn(given).reduce(
    (target, [name, value]) => withParam(target, name, value),
    withParams(firstTarget(given.url), given.params),
  );

/** A request as it is sent. */
export interface Placed {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The request in one line. */
  readonly line: Text;
}

export class Parameters {
  readonly #given: Given;
  readonly #queried: ReadonlySet<string>;
  /** The body without its parameters, which are those of the target. */
  readonly #body: Body;
  readonly #texts: Set<string>;

  constructor(given: Given) {
    const members = membersIn(given);
    this.#given = given;
    this.#queried = inQuery(given);
    this.#body = withoutMembers(
      given.body ?? {},
      members.map(([name]) => name),
    );
    this.#texts = new Set(members.flatMap(([name, value]) => (typeof value === 'string' ? [name] : [])));
  }

  /** Sends the values of a parameter as strings from now on, in a body too: `"17"` is another token than 17. */
  asText(param: string): void {
    this.#texts.add(param);
  }

  /** Whether a target is that of the list itself, and read by POST. Nothing else ever is. */
  isPosted(target: string): boolean {
    return this.#given.method === 'POST' && pathIn(target) === pathIn(firstTarget(this.#given.url));
  }

  /** @returns the request of a target. */
  requestOf(target: string): Placed {
    const { size } = this.#given;
    const header = size?.header;
    const wanted = header === undefined ? undefined : paramsOf(target).get(header);
    const path = header === undefined ? target : withRaw(target, header);
    // A header has no other characters.
    const asked = wanted?.toWellFormed().replaceAll(/[^\x20-\x7e]/gu, encodeURIComponent) ?? '';
    const value = (size?.value ?? '{size}').replaceAll('{size}', () => asked);
    const sized = header === undefined || wanted === undefined ? {} : { [header]: value };
    const suffix = header === undefined || wanted === undefined ? say`` : say` (${quote(`${header}: ${value}`)})`;
    if (!this.isPosted(path))
      return { method: 'GET', path, headers: sized, line: say`GET ${quote(path, LONG)}${suffix}` };
    const members = [...paramsOf(path)].filter(([name]) => !this.#queried.has(name));
    const at = members.reduce((it, [name]) => withRaw(it, name), path);
    const body = bodyText(this.#body, members, (name) => this.#texts.has(name));
    const type = typeof this.#body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json';
    return {
      method: 'POST',
      path: at,
      headers: { 'content-type': type, ...sized },
      body,
      line: say`POST ${quote(at, LONG)} ${quote(body, LONG, inOneLine)}${suffix}`,
    };
  }
}

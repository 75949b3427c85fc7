/** The links of a served list: made from the request, in the form that the sample shows, or a scenario says. */
import { queryOf, withParam, withRaw } from '../lists/target.ts';
import type { Way } from '../lists/profile.ts';
import type { Params } from './pages.ts';
import type { Effect, LinkForm } from './scenario.ts';
import { UNTIL } from './served.ts';

/** A request, as far as links depend on it. */
export interface Asked {
  /** Scheme, host and port that the client used. */
  readonly origin: string;
  /** Path and query. */
  readonly target: string;
  /** The origins that scenarios lead to; `undefined` if the request was sent to one of them. */
  readonly elsewhere: Readonly<Record<'host' | 'port', string>> | undefined;
}

const FORMS: readonly LinkForm[] = ['path', 'query', 'relative'];
const HEADER_FORMS: readonly LinkForm[] = ['unquoted', 'two-relations', 'capital', 'two-fields'];

/** @returns the one of several forms whose turn it is. */
function turn(all: readonly LinkForm[], { links = [] }: Effect, page: number): LinkForm | undefined {
  const some = links.filter((form) => all.includes(form));
  return some[page % Math.max(1, some.length)];
}

/** @returns the path and query of a request with other parameters. */
export function targetWith({ target }: Asked, params: Params, dropped: readonly string[]): string {
  const bare = [...dropped, ...Object.keys(params)].reduce((it, name) => withRaw(it, name), target);
  return Object.entries(params).reduce(
    (it, [name, value]) => (value === undefined ? it : withParam(it, name, value)),
    bare,
  );
}

/**
 * @param like a link of the sample, whose form it gets; absolute if there is none.
 * @param page the number of the page, by which forms take turns.
 * @returns a link to a target.
 */
export function linkTo(target: string, asked: Asked, like: string | undefined, effect: Effect, page: number): string {
  const { links = [] } = effect;
  const raw = links.includes('comma') ? withRaw(target, 'fields', 'fields=id,name') : target;
  // As the links of the sample have brackets.
  const full = /%5b/i.test(like ?? '') ? raw.replaceAll('[', '%5B').replaceAll(']', '%5D') : raw;
  const other = links.includes('host') ? 'host' : links.includes('port') ? 'port' : undefined;
  if (other !== undefined) return (asked.elsewhere?.[other] ?? asked.origin) + full;
  const form = turn(FORMS, effect, page) ?? formOf(like);
  const query = `?${queryOf(full)}`;
  if (form === 'path') return full;
  if (form === 'query') return query;
  if (form === 'relative') return full.replace(/^[^?]*\//, '');
  return asked.origin + full;
}

function formOf(like: string | undefined): LinkForm | undefined {
  if (like === undefined || /^https?:/i.test(like)) return undefined;
  if (like.startsWith('?')) return 'query';
  return like.startsWith('/') ? 'path' : 'relative';
}

interface Relation {
  readonly way: Way & { readonly link: string };
  readonly url: string;
  /** Whether it leads to something, for ways that always have a link. */
  readonly leads: boolean;
}

/** @returns the fields of the Link header: their name and their values. */
export function linkFields(
  relations: readonly Relation[],
  self: string,
  effect: Effect,
  page: number,
): readonly (readonly [name: string, value: string])[] {
  const { links = [] } = effect;
  const form = turn(HEADER_FORMS, effect, page);
  const written = relations.map(({ way, url, leads }) => {
    const rel = attribute(way.link, form);
    const until = 'until' in way ? `; ${leads ? opposite(way.until) : way.until}` : '';
    const before = links.includes('parameters') ? '; title="the next, page"; type="application/json"' : '';
    return `<${url}>${before}; ${rel}${until}`;
  });
  const others = links.includes('others-first') ? [`<${self}>; rel="self"`, `<${self}>; rel="first"`] : [];
  const name = links.includes('lower-case') ? 'link' : 'Link';
  const all = [...others, ...written];
  if (all.length === 0) return [];
  if (form !== 'two-fields') return [[name, all.join(', ')]];
  return [`<${self}>; rel="self"`, ...all].map((value) => [name, value] as const);
}

function attribute(rel: string, form: LinkForm | undefined): string {
  if (form === 'unquoted') return `rel=${rel}`;
  if (form === 'two-relations') return `rel="${rel} item"`;
  if (form === 'capital') return `REL="${rel.charAt(0).toUpperCase()}${rel.slice(1)}"`;
  return `rel="${rel}"`;
}

/** @returns the attribute that a link has where it leads to something. */
function opposite(until: string): string {
  const [, name = '', value] = UNTIL.exec(until) ?? [];
  return `${name}="${value === 'false' ? 'true' : `not-${String(value)}`}"`;
}

/** Whether a link of the sample leads to the list itself. */
export const isOwn = (link: string, path: string): boolean =>
  (/^https?:\/\//i.test(link) ? (URL.canParse(link) ? new URL(link).pathname : '') : link.replace(/\?.*$/s, '')) ===
  path;

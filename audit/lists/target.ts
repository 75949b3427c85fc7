/** The targets of requests: a path with a query, at the audited origin. Queries stay as they were sent, but for what is set. */

/** @returns a component of a query as `encodeURIComponent` writes it, with the characters that need no escape in one. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/%(?:3A|2C|2F|24|40|5B|5D)/gi, decodeURIComponent);

/** @returns the target with a parameter removed, and then added as these raw pairs. */
export function withRaw(target: string, name: string, ...pairs: readonly string[]): string {
  const others = queryOf(target)
    .split('&')
    .filter((it) => it !== '' && !new URLSearchParams(it).has(name));
  const query = [...others, ...pairs].join('&');
  return `${target.replace(/\?.*$/s, '')}${query === '' ? '' : `?${query}`}`;
}

/** @returns the target with a parameter set. */
export const withParam = (target: string, name: string, value: string | number): string =>
  withRaw(target, name, `${encode(name)}=${encodeURIComponent(String(value).toWellFormed())}`);

export const withParams = (target: string, params: Readonly<Record<string, string>> = {}): string =>
  Object.entries(params).reduce((it, [name, value]) => withParam(it, name, value), target);

/** @returns the values of a target's parameters by name, decoded; the last one of each. */
export const paramsOf = (target: string): ReadonlyMap<string, string> => new Map(new URLSearchParams(queryOf(target)));

// Names of keys, whatever is around them (`api_key`, `X-Amz-Signature`), those that are written as one word, and those that are one alone.
const SECRET_NAMES = [
  /(^|[-_.[])(key|token|secret|sig|signature|password|passwd|pwd|auth|jwt|credential)s?\]?$/i,
  /(Key|Token|Secret|Signature|Password)$/,
  /(access|api|app|auth|bearer|client|id|refresh|secret|security|service|session|subscription|user)(key|token|secret|id|password|pwd)$/i,
  /^(pass|bearer|session[-_]?id|sid|sas|code)$/i,
];

/** Whether a parameter holds a key, a token or a signature, by its name. */
export const isSecretName = (name: string): boolean => SECRET_NAMES.some((it) => it.test(name));

/** Whether a header says what a client wants or is, not who it is. */
export const isPlainHeader = (name: string): boolean =>
  /^(accept(-.*)?|user-agent|content-type|x-requested-with|prefer|(.*-)?version(-.*)?)$/i.test(name) &&
  !isSecretName(name);

/** @returns the query of a URL as it stands in it. */
export const queryOf = (url: string): string => /^[^?#]*\?([^#]*)/.exec(url)?.[1] ?? '';

export interface Link {
  /** Where it leads, at the audited origin. */
  readonly target: string;
  /** The origin that it names, if that is another one. */
  readonly origin: string | undefined;
}

/** @param link absolute, or relative to `target`. @returns where a link leads; `undefined` if it is no URL. */
export function resolve(link: string, target: string, origin: string): Link | undefined {
  const base = origin + target;
  if (!URL.canParse(link, base)) return undefined;
  const url = new URL(link, base);
  // The text of the query stays: a URL object would escape it anew.
  const query = queryOf(link)
    .toWellFormed()
    .replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent);
  return {
    target: `${url.pathname}${query === '' ? '' : `?${query}`}`,
    origin: url.origin === origin ? undefined : url.origin,
  };
}

/** @returns the links of a `Link` header by relation: RFC 8288, with the text of their attributes. */
export function linksOf(header = ''): ReadonlyMap<string, { readonly url: string; readonly attributes: string }> {
  const links = new Map<string, { readonly url: string; readonly attributes: string }>();
  for (const [, url = '', attributes = ''] of header.matchAll(
    /<([^>]*)>((?:\s*;\s*[\w*-]+(?:\s*=\s*(?:"[^"]*"|[^",;\s]+))?)*)/g,
  )) {
    if (/;\s*anchor\s*=/i.test(attributes)) continue; // It is a link of something else.
    const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(attributes);
    for (const name of (rel?.[1] ?? rel?.[2] ?? '').toLowerCase().split(/\s+/))
      if (name !== '') links.set(name, { url, attributes });
  }
  return links;
}

/** What a response says outside of its items: plain values and links, and where they stand. */
import { pathText, valuesIn } from '../json.ts';
import type { Found, Path } from '../json.ts';
import type { Answer, Session } from '../session.ts';
import { paramsOf, resolve } from '../target.ts';

export const MAX_DEPTH = 4;

const MAX_NAME = 256;

/**
 * Whether a profile may have a path, or the name of a parameter, that the server chose: it holds no key, and nothing that a saved profile
 * would read from the environment. Every name that the inference takes from a response passes through here.
 */
export const isUsable = ({ hides }: Session, path: Path): boolean =>
  path.every((it) => it.length <= MAX_NAME && !it.includes('${')) && !hides(pathText(path));

/** @returns the plain values of a body outside of its arrays, whose paths a profile may have. */
export const scalarsIn = ({ body }: Answer, session: Session): readonly Found[] =>
  [...valuesIn(body, MAX_DEPTH)].filter(
    ({ path, value }) => !Array.isArray(value) && path.length > 0 && isUsable(session, path),
  );

/** Whether a value is a URL, or a path with or without a query. */
export const isUrl = (value: unknown): value is string =>
  typeof value === 'string' && /^(https?:\/\/|\/|\?)/i.test(value);

/** Whether a name, or a part of it, says that its value is another page than the next one. */
export const leadsElsewhere = (path: Path): boolean =>
  path.some((it) =>
    /prev|before|self|first|^last(?!_?(evaluated|key|id|doc))|^start(?!ing_?after)|newer|sync|delta|refresh/i.test(it),
  );

/** Whether a path ends in a name, or stands in an object, that says that its value is the next page. */
export const leadsOn = (path: Path): boolean =>
  path.some((it) => /next|more|older|forward|continu|following/i.test(it)) && !leadsElsewhere(path);

/** @returns a name as lower-case words without marks: `currentPage` and `current_page` are one. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** @returns the parameters of all links of a response to the same list: self, first and last ones count, too. */
export function linkedParams(answer: Answer, session: Session): readonly (readonly [name: string, value: string])[] {
  const { pathname } = new URL(answer.target, session.origin);
  const texts = [
    ...[...(answer.headers.get('link') ?? '').matchAll(/<([^>]*)>/g)].map(([, url]) => url),
    ...[...valuesIn(answer.body, MAX_DEPTH)].flatMap(({ value }) => (Array.isArray(value) ? urlsOf(value) : [value])),
  ];
  const found = texts.flatMap((text) => {
    if (typeof text !== 'string' || !text.includes('?') || text.length > MAX_LINK) return [];
    const target = resolve(text, answer.target, session.origin)?.target ?? '';
    if (target.split('?')[0] !== pathname) return [];
    return [...paramsOf(target)].filter(([name]) => isUsable(session, [name]));
  });
  return [...new Map(found.map((it) => [it.join('\n'), it])).values()];
}
const MAX_LINK = 4096;
const MAX_LINKS = 10;

/** @returns the URLs in an array of link objects. An array with more than a few is no such array. */
const urlsOf = (links: readonly unknown[]): readonly unknown[] =>
  links.length > MAX_LINKS
    ? []
    : links.flatMap((it) =>
        typeof it === 'object' && it !== null
          ? Object.entries(it).flatMap(([name, value]): readonly unknown[] => (LINK_URLS.includes(name) ? [value] : []))
          : [],
      );

/** Whether an array has link objects alone. */
export const areLinks = (value: readonly unknown[]): boolean =>
  value.length > 0 &&
  value.every(
    (it) =>
      typeof it === 'object' &&
      it !== null &&
      ('rel' in it || 'relation' in it) &&
      LINK_URLS.some((name) => Object.hasOwn(it, name)),
  );

/** Where the URL stands in a link object. */
export const LINK_URLS: readonly string[] = ['href', 'url', 'uri'];

/** A sample of a live list, for a profile that is saved: its form, with other values. */
import { pathOf, pathText, valueAt, valuesIn } from '../lists/json.ts';
import { isUsable } from '../lists/infer/evidence.ts';
import type { List } from '../lists/list.ts';
import type { Session } from '../lists/session.ts';
import { paramsOf } from '../lists/target.ts';
import { another, randomOf } from './forms.ts';
import { copyOf, isObject, removeAt, setAt } from './json.ts';
import type { Json } from './json.ts';
import { isOwn } from './links.ts';

const SIZE = 3;
const MAX_ITEMS = 2;
const MAX_TEXT = 200;
const MAX_MEMBERS = 60;
const MAX_DEPTH = 6;
/** A string of the envelope of so few characters, in one word, is a constant of the API, such as `list`. */
const CONSTANT = /^(v\d+|[a-z][a-z_./#-]{0,39})$/i;

/** @returns a sample of the first page of a list; `undefined` if that has no items. Its requests are those of the audit. */
export async function sampleIn(list: List): Promise<object | undefined> {
  const { items, id } = list.profile;
  const answer = await list.session.get(list.first(list.profile.size === undefined ? undefined : SIZE));
  const found = valueAt(answer.body, pathOf(items));
  if (!Array.isArray(found) || found.length === 0) return undefined;
  return sampled(answer.body as Json, items, id, list.session, positionsIn(list, answer.body)); // It was JSON.
}

/** The paths of what leads to another page, or to the list: a cursor is replaced, whatever its form, and the path of a link stays. */
function positionsIn({ profile: { url, next, previous } }: List, body: unknown): readonly string[] {
  const { pathname } = new URL(url);
  const links = [...valuesIn(body, MAX_DEPTH)].flatMap(({ path, value }) =>
    typeof value === 'string' && isOwn(value, pathname) ? [pathText(path)] : [],
  );
  const leading = [next, previous].flatMap((way) => {
    if (way === undefined) return [];
    if ('token' in way) return [way.from];
    if ('tokens' in way) return Object.values(way.tokens);
    return 'url' in way ? [way.url] : [];
  });
  return [...new Set([...leading, ...links])];
}

/** @param positions paths of cursors. @returns a page with a few items, whose values are others of the same form. */
function sampled(
  body: Json,
  items: string,
  id: string,
  session: Session,
  positions: readonly string[],
): object | undefined {
  const all = valueAt(body, pathOf(items)) as readonly Json[]; // An array.
  const shared = sharedIn(all);
  const copy = copyOf(body);
  const kept = all.slice(0, MAX_ITEMS).map((item, at) => {
    const other = replaced(item, `item ${String(at)}`, (text) => shared.has(text), session, 0);
    // Of ids, prefixes are the form.
    const value = valueAt(item, pathOf(id));
    if (typeof value === 'string' && isObject(other)) setAt(other, pathOf(id), anotherId(value, at));
    if (typeof value === 'number' && isObject(other)) setAt(other, pathOf(id), anotherNumericId(value, at));
    return other;
  });
  if (pathOf(items).length === 0) return kept;
  setAt(copy, pathOf(items), []);
  const cursors = positions.map((path) => ({ path, value: valueAt(copy, pathOf(path)) }));
  for (const { path } of cursors) removeAt(copy, pathOf(path));
  const envelope = replaced(copy, 'envelope', (text) => CONSTANT.test(text), session, 0);
  for (const { path, value } of cursors)
    if (typeof value === 'string') setAt(envelope, pathOf(path), cursorLike(value, session));
    else if (value === null || typeof value === 'number') setAt(envelope, pathOf(path), value);
  setAt(envelope, pathOf(items), kept);
  return envelope as object; // It was one: the items are a member of it.
}

/** @returns the strings that several items have at one place, or that all of them have. */
function sharedIn(items: readonly Json[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const inside = (value: Json, path: string, seen: Set<string>): void => {
    if (typeof value === 'string') seen.add(`${path}\n${value}`);
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) inside(inner, `${path}.${name}`, seen); // JSON.
  };
  for (const item of items) {
    const seen = new Set<string>();
    inside(item, '', seen);
    for (const it of seen) counts.set(it, (counts.get(it) ?? 0) + 1);
  }
  return new Set([...counts].flatMap(([it, count]) => (count > 1 ? [it.slice(it.indexOf('\n') + 1)] : [])));
}

/** @returns a value with other strings. Names that a profile may not have are left out. */
function replaced(value: Json, seed: string, isKept: (text: string) => boolean, session: Session, depth: number): Json {
  if (typeof value === 'string') return replacedText(value, seed, isKept, session);
  if (typeof value === 'number') return anotherNumber(value, seed);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return Array.isArray(value) ? [] : {};
  if (Array.isArray(value))
    return (value as readonly Json[])
      .slice(0, MAX_ITEMS)
      .map((it, at) => replaced(it, `${seed} ${String(at)}`, isKept, session, depth + 1));
  const members = Object.entries(value as Readonly<Record<string, Json>>) // No array.
    .filter(([name]) => isUsable(session, [name]))
    .slice(0, MAX_MEMBERS)
    .map(([name, inner]) => [name, replaced(inner, `${seed}.${name}`, isKept, session, depth + 1)] as const);
  return Object.fromEntries(members);
}

function replacedText(text: string, seed: string, isKept: (text: string) => boolean, session: Session): string {
  const random = randomOf(seed);
  const isSafe = !session.hides(text) && !text.includes('${');
  // A URL or an address of mail names its owner, though all items have it.
  if (isSafe && isKept(text) && !/:\/\/|@/.test(text)) return text;
  return isSafe ? another(text.slice(0, MAX_TEXT), random) : another('removed', random);
}

/** @returns a number of as many digits. Small ones are kept: they are counts, or kinds. */
function anotherNumber(value: number, seed: string): number {
  if (!Number.isSafeInteger(value)) return Math.round(value) / 2;
  const text = String(value);
  return Math.abs(value) < 1000 ? value : Number(text.slice(0, 2) + another(text.slice(2), randomOf(seed)));
}
const anotherNumericId = (value: number, at: number): number =>
  Number(another(String(value), randomOf(`id ${String(at)}`)));

const anotherId = (id: string, at: number): string => {
  const [prefix = ''] = /^[A-Za-z]{1,8}_/.exec(id) ?? [];
  return prefix + another(id.slice(prefix.length), randomOf(`id ${String(at)}`));
};

/** @returns a link with the names of its parameters, and other values; or another token. */
function cursorLike(text: string, session: Session): string {
  const random = randomOf('cursor');
  if (session.hides(text) || text.includes('${')) return another('cursor', random);
  if (!/^(https?:|\/|\?)/i.test(text)) return another(text.slice(0, MAX_TEXT), random);
  const names = [...paramsOf(text).keys()].filter((name) => isUsable(session, [name]));
  const start = text.replace(/[?#].*$/s, '').replace(/^(https?:\/\/)[^/@]*@/i, '$1');
  return `${start}?${names.map((name) => `${encodeURIComponent(name)}=1`).join('&')}`;
}

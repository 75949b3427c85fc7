/** The rule of items by their ids. */
import { DoesNotApply, NotChecked } from '../rules/rule.ts';
import { LONG, code, joined, quote, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import type { Rule } from './list-rule.ts';
import { excerpt, failure, note, show } from './finding.ts';
import { isObject, pathOf, pathText, valueAt } from './json.ts';
import type { Path } from './json.ts';
import { errorOf, plainId } from './list.ts';
import type { List } from './list.ts';
import { instantOf } from './order.ts';
import type { Answer } from './session.ts';
import { resolve, withParams } from './target.ts';

/** A value that an item has in the list and another one that it has by id. */
interface Difference {
  readonly path: Path;
  readonly listed: unknown;
  readonly alone: unknown;
  /** Whether it is no other form: an object in place of its id, a longer array, or nothing. */
  readonly isSure: boolean;
}

/** Whether two plain values are the same; times may be written in other ways. */
function areSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  const [a, b] = [instantOf(one), instantOf(other)];
  return a !== undefined && a.ns === b?.ns && a.hasZone === b.hasZone;
}

/** @returns where an item by id differs from the listed one. Extra properties do not count as a difference. */
function differencesOf(listed: unknown, alone: unknown, path: Path = []): readonly Difference[] {
  if (isObject(listed) && isObject(alone))
    return Object.keys(listed).flatMap((name) => differencesOf(listed[name], alone[name], [...path, name]));
  if (Array.isArray(listed) && Array.isArray(alone) && listed.length === alone.length)
    return listed.flatMap((it: unknown, at) => differencesOf(it, alone[at], [...path, String(at)]));
  if (areSame(listed, alone)) return [];
  const isPlain = (it: unknown): boolean => it === null || ['string', 'number', 'boolean'].includes(typeof it);
  return [{ path, listed, alone, isSure: isPlain(listed) && isPlain(alone) }];
}

const FEW = 5;
const MAX_KINDS = 4;

/** @returns the places of items that differ in what they have: types, and values of which there are few. */
function kindsIn(items: readonly unknown[]): readonly number[] {
  const values = new Map<string, Set<string>>();
  for (const item of items)
    for (const [name, value] of Object.entries(item ?? {}))
      values.set(name, (values.get(name) ?? new Set()).add(JSON.stringify(value)));
  const kinds = new Map<string, number>();
  for (const [at, item] of items.entries()) {
    const kind = Object.entries(item ?? {}).map(([name, value]: [string, unknown]) => {
      const isRare = (values.get(name)?.size ?? 0) <= FEW;
      return `${name}:${isRare || value === null ? JSON.stringify(value) : typeof value}`;
    });
    if (!kinds.has(kind.join())) kinds.set(kind.join(), at);
  }
  return [...kinds.values()].slice(0, MAX_KINDS);
}

/** @returns the items of a page by their ids. */
async function itemsAt(list: List, target: string): Promise<ReadonlyMap<string, unknown>> {
  const answer = await list.session.get(target);
  const items = list.itemsIn(answer);
  return new Map(list.idsIn(answer, items).map((id, at) => [id, items[at]]));
}

/** @returns the request of an item. */
function targetOf({ profile, session }: List, id: string): string {
  const { get = '', params = {} } = profile;
  // The parser of a URL takes them for steps up the path, escaped too.
  if (/^\.{1,2}$/.test(plainId(id))) throw new NotChecked(say`the id ${show(id)} cannot be part of a path`);
  const to = resolve(get.replaceAll('{id}', encodeURIComponent(plainId(id))), '/', session.origin);
  if (to === undefined || to.origin !== undefined)
    throw new NotChecked(say`${quote(get, LONG)} is not at the audited origin, ${quote(session.origin, LONG)}`);
  return withParams(to.target, params);
}

/** @returns the item in a response, which may have an envelope; otherwise why there is none. */
function itemIn({ profile }: List, answer: Answer, id: string): { readonly item?: unknown; readonly why?: Text } {
  const why = errorOf(profile, answer);
  if (why !== undefined) return { why };
  const { body } = answer;
  const candidates: readonly unknown[] = [body, ...(isObject(body) ? Object.values(body).flat() : [])];
  const item = candidates.find((it) => String(valueAt(it, pathOf(profile.id))) === String(JSON.parse(id)));
  return item === undefined ? { why: say`a response without ${code(profile.id)} ${show(id)}` } : { item };
}

/** What is wrong with an item by its id. */
interface Found {
  readonly name: string;
  readonly isSure: boolean;
  readonly request: Text;
  readonly actual: Text;
}

/** Compares an item with the one by its id; if they differ, again: what changes by itself is no difference, and an item may be gone. */
async function compare(list: List, page: string, id: string, listed: unknown): Promise<readonly Found[]> {
  const target = targetOf(list, id);
  const answer = await list.session.get(target);
  const { item, why } = itemIn(list, answer, id);
  const differences = why === undefined ? differencesOf(listed, item) : [];
  if (why === undefined && differences.length === 0) return [];
  const listedAgain = (await itemsAt(list, page)).get(id);
  const again = itemIn(list, await list.session.get(target), id);
  if (listedAgain === undefined) return [];
  const { request } = answer;
  if (again.why !== undefined)
    return [
      { name: '', isSure: true, request, actual: say`the listed item ${show(id)} fails by its id: ${again.why}` },
    ];
  const isSteady = (path: Path): boolean =>
    differencesOf(valueAt(listed, path), valueAt(listedAgain, path)).length === 0 &&
    differencesOf(valueAt(item, path), valueAt(again.item, path)).length === 0;
  return differences
    .filter(({ path }) => isSteady(path))
    .map(({ path, isSure, ...it }) => {
      const name = pathText(path);
      const values = say`${excerpt(it.listed)} in the list, but ${excerpt(it.alone)} by its id`;
      return { name, isSure, request, actual: say`${code(name)} of ${show(id)} is ${values}` };
    });
}

const same: Rule = {
  id: 'get.different',
  title: 'an item that is read by its id is the same as in the list',
  dependsOn: ['page.error'],
  on: { by: '`--get`', isDeclaredIn: ({ get }) => get !== undefined },
  why: 'A client that reads an item again takes it for changed or deleted.',
  change: 'Read the item with the same permissions, and write it with the same code, as the list does.',
  notes:
    'It reads an item of each kind on the first page, one in the middle, and the last. It accepts extra properties and another notation of times. Missing properties, and other forms such as an object in place of its id, are notes.',
  check: async (audited) => {
    const { list } = audited;
    if (list.profile.id === '') throw new DoesNotApply(say`an item is its own id`);
    const pages = (await audited.walks()).reference.pages.filter((it) => it.ids.length > 0);
    const found: Found[] = [];
    for (const page of new Set([pages[0], pages[Math.floor(pages.length / 2)], pages.at(-1)])) {
      const items = page === undefined ? new Map<string, unknown>() : await itemsAt(list, page.target);
      const places = [...kindsIn([...items.values()]), ...(page === pages.at(-1) ? [items.size - 1] : [])];
      for (const [id, item] of [...items].filter((_, at) => places.includes(at)))
        found.push(...(await compare(list, page?.target ?? '', id, item)));
    }
    const first = found.find((it) => it.isSure) ?? found[0];
    if (first === undefined) return;
    const others = [...new Set(found.map((it) => it.name))].filter((it) => it !== '' && it !== first.name);
    const also = others.length === 0 ? '' : say`; ${joined(others.map(code))} differ too`;
    throw (first.isSure ? failure : note)(first, say`the item as in the list`, say`${first.actual}${also}`);
  },
};

export const GET_RULES: readonly Rule[] = [same];

/** The rule of items by their ids. */
import { counted } from '../../contract/wording.ts';
import { Failure, NotChecked, Noted } from '../rules/rule.ts';
import type { Finding } from '../rules/rule.ts';
import type { Audited, Rule } from './audited.ts';
import { pathOf, pathText, valueAt } from './json.ts';
import type { Path } from './json.ts';
import { errorOf, plainId } from './list.ts';
import type { List } from './list.ts';
import { instantOf } from './order.ts';
import type { Answer } from './session.ts';
import { resolve, withParam } from './target.ts';
import { show } from './walk-rules.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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

/** @returns where an item by id differs from the listed one. What it has more is no difference. */
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

/** An item of the list, and the request of the same item by its id. */
interface Listed {
  readonly id: string;
  readonly item: unknown;
  readonly page: string;
  readonly target: string;
}

/** @returns items of the first page, of one in the middle and of the last one. */
async function sampleOf(audited: Audited): Promise<readonly Listed[]> {
  const { list } = audited;
  const { get = '', params = {} } = list.profile;
  const pages = (await audited.walks()).reference.pages.filter((it) => it.ids.length > 0);
  const chosen = new Set([pages[0], pages[Math.floor(pages.length / 2)], pages.at(-1)]);
  const sample: Listed[] = [];
  for (const page of chosen) {
    if (page === undefined) continue;
    const items = await itemsAt(list, page.target);
    const places = [...kindsIn([...items.values()]), ...(page === pages.at(-1) ? [items.size - 1] : [])];
    for (const [id, item] of [...items].filter((_, at) => places.includes(at))) {
      const to = resolve(get.replaceAll('{id}', encodeURIComponent(plainId(id))), page.target, list.session.origin);
      if (to === undefined || to.origin !== undefined)
        throw new NotChecked(`${get} is not at ${list.session.origin}, which is audited`);
      const target = Object.entries(params).reduce((it, [name, value]) => withParam(it, name, value), to.target);
      sample.push({ id, item, page: page.target, target });
    }
  }
  return sample;
}

/** @returns the items of a page by their ids. */
async function itemsAt(list: List, target: string): Promise<ReadonlyMap<string, unknown>> {
  const answer = await list.session.get(target);
  const items = list.itemsIn(answer);
  return new Map(list.idsIn(answer, items).map((id, at) => [id, items[at]]));
}

/** @returns the item in a response, which may have an envelope; `undefined` if it has none of this id. */
function itemIn({ body }: Answer, listed: unknown, id: Path): unknown {
  const wanted = valueAt(listed, id);
  const inside = isObject(body) ? Object.values(body).filter(isObject) : [];
  return [body, ...inside].find((it) => valueAt(it, id) === wanted);
}

const MAX_VALUE = 60;
function excerpt(value: unknown): string {
  const text = value === undefined ? 'missing' : JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}

/** A finding of an item, and what it is about: findings about one thing are one. */
interface Found {
  readonly about: string;
  readonly isSure: boolean;
  readonly finding: Finding;
}

/** @returns what is wrong with an item by its id. */
async function compare(list: List, { id, item, page, target }: Listed): Promise<readonly Found[]> {
  const { session, profile } = list;
  const read = async (): Promise<{
    readonly answer: Answer;
    readonly why: string | undefined;
    readonly alone: unknown;
  }> => {
    const answer = await session.get(target);
    const alone = itemIn(answer, item, pathOf(profile.id));
    const why =
      errorOf(profile, answer) ?? (alone === undefined ? `has no item with \`${profile.id}\` ${show(id)}` : undefined);
    return { answer, why, alone };
  };
  const first = await read();
  const { request } = first.answer;
  const differences = first.why === undefined ? differencesOf(item, first.alone) : [];
  if (first.why === undefined && differences.length === 0) return [];
  // What changes by itself is no difference, and an item may be gone.
  const listed = (await itemsAt(list, page)).get(id);
  const again = await read();
  if (listed === undefined) return [];
  const expected = `${show(id)} as in the list`;
  if (first.why !== undefined || again.why !== undefined) {
    const why = again.why;
    if (why === undefined) return [];
    const actual = `the listed item ${show(id)} ${why.startsWith('has') ? `is not in the response by its id, which ${why}` : `is ${why} by its id`}`;
    return [{ about: why, isSure: true, finding: { request, expected, actual } }];
  }
  return differences
    .filter(
      ({ path, ...it }) =>
        differencesOf(it.listed, valueAt(listed, path)).length === 0 &&
        differencesOf(it.alone, valueAt(again.alone, path)).length === 0,
    )
    .map(({ path, isSure, ...it }) => {
      const name = pathText(path);
      const actual = `${show(id)} is not the same by its id: \`${name}\` is ${excerpt(it.listed)} in the list, and ${excerpt(it.alone)} by id`;
      return { about: name, isSure, finding: { request, expected, actual } };
    });
}

const same: Rule = {
  id: 'get.same',
  title: 'an item by its id is the same as in the list',
  dependsOn: ['walk.errors'],
  on: { by: '`--get`', isDeclaredIn: ({ get }) => get !== undefined },
  why: 'Clients that read an item again take it for a changed one, or for a deleted one.',
  change: 'Find the item by its id with the same permissions, and write it with the same code as the list does.',
  notes:
    'Items of each kind of the first page, one in the middle and the last one are read. What the item by id has more, and times in another notation, are right. What it lacks, and other forms such as an object in place of its id, are notes.',
  check: async (audited) => {
    const { list } = audited;
    if (list.profile.id === '') throw new NotChecked('the items are their own ids');
    const found = new Map<string, Found & { readonly count: number }>();
    const sample = await sampleOf(audited);
    for (const listed of sample)
      for (const it of await compare(list, listed)) {
        const known = found.get(it.about);
        found.set(it.about, { ...(known ?? it), count: (known?.count ?? 0) + 1 });
      }
    const findings = [...found.values()].map(({ isSure, finding, count }) => ({
      isSure,
      finding: {
        ...finding,
        actual: `${finding.actual}${count > 1 ? `, as for ${counted(count - 1, 'others')} of the ${String(sample.length)} that were read` : ''}`,
      },
    }));
    const [sure, ...more] = findings.filter((it) => it.isSure).map((it) => it.finding);
    if (sure !== undefined) throw new Failure(sure, ...more);
    const [note, ...notes] = findings.map((it) => it.finding);
    if (note !== undefined) throw new Noted(note, ...notes);
  },
};

export const GET_RULES: readonly Rule[] = [same];

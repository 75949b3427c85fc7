/** The items of a list that is served: each has its own id, and the values that the profile promises. */
import { pathOf, valueAt } from '../lists/json.ts';
import type { Path } from '../lists/json.ts';
import { propertyOf } from '../lists/order.ts';
import type { Profile, SortKey } from '../lists/profile.ts';
import { another, randomOf, timeAfter } from './forms.ts';
import { Digits, copyOf, isObject, setAt } from './json.ts';
import type { Json } from './json.ts';
import type { Sample } from './sample.ts';
import type { Effect, IdForm } from './scenario.ts';

type Id = string | number | Digits;
const textOf = (id: Id): string => (id instanceof Digits ? id.text : String(id));

/** An item, whose body is made when it is served: a list may be long. */
export interface Item {
  /** As a cursor has it, and as it is printed. */
  readonly id: string;
  readonly body: () => Json;
  /** Whether it has the value of each filter. */
  readonly filters: readonly boolean[];
}

export interface Items {
  readonly all: readonly Item[];
  /** @returns an item that comes before all of them, or after them. */
  readonly extra: (place: 'head' | 'tail') => Item;
}

/** Items that share the first sort value, so that the next one decides. */
const TIES = 3;
const NULLS = 2;
// A form that has one value only is tried so often, and an id that is short.
const [MAX_TRIES, MANY_TRIES] = [3, 6];
const LONGER = 8;

/** @param salt what the ids depend on: another list, and another account, have other ones. */
export function itemsOf(profile: Profile, sample: Sample, count: number, effect: Effect, salt: string): Items {
  const { order = [], filter = {} } = profile;
  const idPath = pathOf(profile.id);
  const ids = idsFor(sample, count + 2, effect.ids ?? [], salt);
  const isOfId = (key: SortKey): boolean => propertyOf(key) === profile.id;
  const depth = order.findIndex(isOfId);
  const [sortedBy] = order.slice(depth, depth + 1);
  // The last two are for items that are added at the head and at the tail.
  const places = Array.from({ length: count + 2 }, (_, at) => (at === count ? -1 : at === count + 1 ? count : at));
  if (depth >= 0 && sortedBy !== undefined) sortIds(ids, places, depth === 0 ? Infinity : TIES, sortedBy);

  const itemAt = (index: number): Item => {
    const [place = 0, id = ''] = [places[index], ids[index]];
    const text = textOf(id);
    const wanted = Object.entries(filter).map(([name, value], at) => ({
      ...{ name, value },
      has: effect.filtered?.includes(name) === true || (place + at) % 3 !== 1,
    }));
    return {
      id: text,
      filters: wanted.map(({ has }) => has),
      body: () => {
        const random = randomOf(`${salt} ${text}`);
        const [first] = sample.items;
        // The other values of an item go with that of its filter.
        const like = sample.items.filter((item) =>
          wanted.every(({ name, value, has }) => isEqual(item, name, value) === has),
        );
        const sources = like.length === 0 ? sample.items : like;
        const source = sources[Math.max(0, place) % sources.length] ?? first;
        if (idPath.length === 0) return id as Json; // The text writes the digits.
        const item = copyOf(source);
        setAt(item, idPath, id);
        if (sample.varied !== undefined) setAt(item, sample.varied, variedText(item, sample.varied, random, effect));
        for (const { name, value, has } of wanted) setAt(item, [name], filterValue(sample, name, value, has));
        for (const [at, key] of order.entries())
          if (!isOfId(key))
            setAt(item, pathOf(propertyOf(key)), sortValue(sample, key, at, place, count, order.length));
        if (effect.body?.includes('additional') === true && isObject(item)) setAt(item, ['rollcall_extra'], { a: [1] });
        return item;
      },
    };
  };
  const all = Array.from({ length: count }, (_, at) => itemAt(at));
  return { all, extra: (place) => itemAt(place === 'head' ? count : count + 1) };
}

function variedText(item: Json, path: Path, random: (bound: number) => number, { body = [] }: Effect): string {
  const text = another(String(valueAt(item, path)), random);
  return body.includes('unicode') ? `${text} \u{1f600}é\u2028"\\/\u0007\u{20bb7}` : text;
}

const isEqual = (item: Json, name: string, value: string): boolean => {
  const found = isObject(item) ? item[name] : undefined;
  return found !== undefined && typeof found !== 'object' && String(found) === value;
};

/** @returns what the property of a filter is: its value, or another one of the sample, or of the same form. */
function filterValue({ items }: Sample, name: string, wanted: string, has: boolean): Json {
  const known = items.flatMap((item) => (isObject(item) && item[name] !== undefined ? [item[name]] : []));
  const isText = known.every((it) => typeof it === 'string');
  const typed: Json = isText
    ? wanted
    : (JSON.parse(/^(-?\d+(\.\d+)?|true|false|null)$/.test(wanted) ? wanted : JSON.stringify(wanted)) as Json);
  if (has) return typed;
  if (typeof typed === 'boolean') return !typed;
  if (typeof typed === 'number') return typed + 1;
  const other = known.find((it) => typeof it === 'string' && it !== wanted);
  return other ?? (isText ? `other-${wanted}` : null);
}

/** @returns the value of a property that the list is ordered by: it grows with the rank of the item. */
function sortValue({ items }: Sample, key: SortKey, depth: number, place: number, count: number, keys: number): Json {
  const path = pathOf(propertyOf(key));
  const hasTies = depth === 0 && keys > 1;
  const isNull =
    key.nulls !== undefined && depth === 0 && (key.nulls === 'first' ? place < NULLS : place >= count - NULLS);
  if (isNull) return null;
  const group = hasTies ? Math.floor(place / TIES) : place;
  const rank = (key.by.startsWith('-') ? count - group : group) + 10;
  const [first] = items;
  const known = valueAt(first, path);
  const type =
    key.type ?? (typeof known === 'number' ? 'number' : /^\d{4}-\d\d-\d\d/.test(String(known)) ? 'time' : 'text');
  if (typeof known === 'number') return Math.floor(known) + rank * 61;
  if (type === 'number') return rank * 7;
  if (type === 'time') {
    // Equal times have one notation; others take turns.
    const like = valueAt(items[Math.max(0, group) % items.length] ?? first, path);
    const [start, form] = [known, like].map((it) => (typeof it === 'string' ? it : '2026-01-01T00:00:00Z'));
    return timeAfter(String(start), rank, form);
  }
  return `row ${String(rank).padStart(7, '0')}`;
}

/** Sorts ids where the order has them: of items that are equal in what comes before. */
function sortIds(ids: Id[], places: readonly number[], ties: number, { by, type }: SortKey): void {
  const compare = (a: Id, b: Id): number =>
    type === 'number' || (typeof a === 'number' && typeof b === 'number')
      ? Number(textOf(a)) - Number(textOf(b))
      : Buffer.compare(Buffer.from(textOf(a)), Buffer.from(textOf(b)));
  const sign = by.startsWith('-') ? -1 : 1;
  const groups = new Map<number, number[]>();
  for (const [index, place] of places.entries()) {
    const group = ties === Infinity ? 0 : Math.floor(place / ties);
    groups.set(group, [...(groups.get(group) ?? []), index]);
  }
  for (const all of groups.values()) {
    const sorted = all.map((index) => ids[index] ?? '').sort((a, b) => sign * compare(a, b));
    const inOrder = [...all].sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
    for (const [at, index] of inOrder.entries()) ids[index] = sorted[at] ?? '';
  }
}

/** @returns ids, of which no two are the same, and which are not sorted. */
function idsFor({ ids: known, idKind }: Sample, count: number, forms: readonly IdForm[], salt: string): Id[] {
  const made: Id[] = [];
  const seen = new Set<string>();
  let tries = 0;
  let isShort = false;
  for (let at = 0; made.length < count; at += 1) {
    const index = made.length;
    // Each form alone is on every item, so that it is at the end of a page whatever the size is; letters that differ in case need another id.
    const turns = forms.length === 1 && !forms.includes('case') ? 1 : forms.length + 1;
    const form = tries > MAX_TRIES ? undefined : forms[index % turns];
    const like = known[index % known.length] ?? '';
    const random = randomOf(`${salt} id ${String(at)}`);
    const short = idLike(form, like, idKind, index, random, textOf(made.at(-1) ?? ''));
    // Ids of the form of `1` or `DE` are soon used up.
    isShort ||= tries > MANY_TRIES;
    const id = isShort ? longer(short, random) : short;
    tries = seen.has(textOf(id)) ? tries + 1 : 0;
    if (tries > 0) continue;
    seen.add(textOf(id));
    made.push(id);
  }
  return made;
}

const longer = (id: Id, random: Random): Id =>
  typeof id === 'string' ? id + digits(LONGER, random) : Number(digits(LONGER, random));

type Random = (bound: number) => number;
const LETTERS = 'ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz23456789';
const letters = (length: number, random: Random): string =>
  Array.from({ length }, () => LETTERS.charAt(random(LETTERS.length))).join('');
const digits = (length: number, random: Random): string =>
  Array.from({ length }, (_, at) => String(at === 0 ? random(9) + 1 : random(10))).join('');

function idLike(
  form: IdForm | undefined,
  like: string | number,
  kind: Sample['idKind'],
  index: number,
  random: Random,
  before: string,
): Id {
  if (typeof like === 'number') return numberLike(form, index, random);
  if (form === 'case' && /[a-z]/i.test(before.slice(-3)))
    return before.replace(/[a-z](?=[^a-z]*$)/i, (it) =>
      it === it.toLowerCase() ? it.toUpperCase() : it.toLowerCase(),
    );
  if (form === 'digits') return index % 2 === 0 ? `00${digits(4, random)}` : `9007199254740${digits(6, random)}`;
  if (kind === 'digits') return digits(Math.max(3, like.length - (index % 3)), random);
  if (kind === 'free') {
    const text = letters(6 + (index % 5), random);
    return form === 'reserved' ? `${text}+/=&?#%41 ${letters(2, random)}` : text;
  }
  const [prefix = ''] = /^[A-Za-z]{1,8}_/.exec(like) ?? [];
  const text = prefix + another(like.slice(prefix.length), random);
  // Of ids of letters of both cases, the length differs, too.
  return /[g-z]/.test(text.slice(prefix.length)) && kind === 'letters' ? text + letters(index % 3, random) : text;
}

function numberLike(form: IdForm | undefined, index: number, random: Random): number | Digits {
  const isOnly = random(2) === 0;
  if (form === 'large') return Number.MAX_SAFE_INTEGER - (isOnly ? 0 : random(1_000_000_000));
  if (form === 'seven-digits') return isOnly ? 1_234_567 : 1_000_000 + random(9_000_000);
  if (form === 'beyond') return new Digits(`90071992547${digits(6, random)}`);
  if (form === 'zero' && isOnly) return 0;
  return Number(digits(3 + (index % 6), random));
}

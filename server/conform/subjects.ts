/** The operations of an implementation as the keys of a run see them, with the rules of each. */
import { COLLECTIONS, operationsOf } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import { rulesOfList, rulesOfLookup } from './rules.ts';
import type { Rule } from './rule.ts';
import { Subject } from './subject.ts';
import type { Parts } from './subject.ts';

interface Tested {
  readonly subject: Subject;
  readonly rules: readonly Rule[];
}

/** @returns what is tested, in order: each list, and after it the lookup of its items. */
export function subjectsOf(parts: Omit<Parts, 'key'>, isSeeded: boolean): readonly Tested[] {
  const { key, key2 } = parts.session.server;
  const foreign = key2 === undefined ? undefined : accountOf({ ...parts, key: key2 });
  const known = { hasTwin: foreign !== undefined, isSeeded };
  return [...accountOf({ ...parts, key }, foreign)].flatMap(([collection, { list, lookup }]): readonly Tested[] => {
    const ofList = { subject: list, rules: rulesOfList(collection, known) };
    return lookup === undefined ? [ofList] : [ofList, { subject: lookup, rules: rulesOfLookup(known) }];
  });
}

interface Pair {
  readonly list: Subject;
  readonly lookup: Subject | undefined;
}

/** @param twins the same of another account. */
function accountOf(parts: Parts, twins?: ReadonlyMap<Collection, Pair>): ReadonlyMap<Collection, Pair> {
  const pairs = new Map<Collection, Pair>();
  for (const collection of COLLECTIONS) {
    const others = (): readonly Subject[] => [...pairs].filter(([it]) => it !== collection).map(([, it]) => it.list);
    const { list: listId, get: lookupId } = operationsOf(collection);
    const twin = twins?.get(collection);
    const list = new Subject(parts, collection, listId, { others, twin: twin?.list });
    const lookup = lookupId && new Subject(parts, collection, lookupId, { list, others, twin: twin?.lookup });
    pairs.set(collection, { list, lookup });
  }
  return pairs;
}

/**
 * What the contract answers: a function of the records of each account and of a request as it is sent. The checks come in the order of the
 * contract: path, method, key, parameters, existence. Each answer names the rule that it follows. Where the contract leaves a choice, there
 * are several answers.
 */
import { COLLECTIONS, filterOf, operationsOf } from '../../contract/collections.ts';
import type { Contract } from '../../contract/document.ts';
import type { OperationId, ProblemName } from '../../contract/types.ts';
import { pageAt } from '../lists/place.ts';
import type { Expected } from '../lists/place.ts';
import { groupBy } from '../rules/group.ts';
import type { Item } from './records.ts';

/** A request as it is sent. */
export interface Sent {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** The lines of `Authorization`. */
  readonly authorization: readonly string[];
}

/** A list, and the operation that retrieves its items, if there is one. */
export interface List {
  readonly id: OperationId;
  readonly get: OperationId | undefined;
  readonly path: string;
  readonly limits: { readonly min: number; readonly max: number; readonly default: number };
  readonly filter: { readonly name: string; readonly values: readonly string[] } | undefined;
  /** What an id in a request matches. */
  readonly idPattern: RegExp;
}

/** The items of a list that are known. */
export interface Known {
  readonly items: readonly Item[];
  /** Whether they are all. */
  readonly isWhole: boolean;
}

export interface World {
  readonly lists: readonly List[];
  readonly status: Contract['problemStatus'];
  /** By key, the items of each list, by its path. */
  readonly accounts: ReadonlyMap<string, ReadonlyMap<string, Known>>;
}

/** An answer, and the rule that it follows. */
export type Answer = {
  readonly rule: string;
  /** The operation of the path. */
  readonly operation: OperationId | undefined;
} & (
  | {
      readonly kind: 'problem';
      readonly name: ProblemName;
      readonly status: number;
      /** The parameters that are wrong, in the order of the request, and why. */
      readonly wrong: readonly Wrong[];
    }
  | ({ readonly kind: 'page'; readonly status: 200 } & Expected<Item>)
  | { readonly kind: 'item'; readonly status: 200; readonly item: Item }
  | { readonly kind: 'options'; readonly status: 204 }
  /** One of several statuses. */
  | {
      readonly kind: 'choice';
      readonly choice: Choice;
      /** What Rollcall returns. */
      readonly status: number;
      readonly name: ProblemName;
      readonly isRight: (status: number) => boolean;
    }
  /** The records that it depends on were not read. */
  | { readonly kind: 'unknown'; readonly status: undefined }
);

/** Where the contract leaves a choice, and its sentence that does. */
export const CHOICES = {
  escaped: 'A letter or hyphen that is escaped may be decoded, or lead to a 404; in an id, every character is decoded',
  method: 'Methods are case-sensitive: one in lower case may be rejected as malformed, too.',
  scheme: 'with a punctuation mark directly beside `Bearer`, such as `Bearer:`, either name is right.',
  several: 'Several lines of `Authorization` return 401 `invalid_api_key`, unless a proxy rejects them.',
} as const;
export type Choice = keyof typeof CHOICES;

/** @returns the lists of a contract. */
export const listsOf = (contract: Contract): readonly List[] =>
  COLLECTIONS.map((collection): List => {
    const { list, get } = operationsOf(collection);
    const { path, parameters } = contract.operation(list);
    const schemaOf = (name = '') => parameters.find((it) => it.name === name)?.schema;
    const { minimum = 1, maximum = 1, default: usual } = schemaOf('limit') ?? {};
    const name = filterOf(collection);
    return {
      ...{ id: list, get, path },
      limits: { min: minimum, max: maximum, default: Number(usual) },
      filter: name === undefined ? undefined : { name, values: schemaOf(name)?.enum ?? [] },
      idPattern: new RegExp(contract.schemas.ItemId.pattern ?? ''),
    };
  });

/** @returns a text without its escapes, each decoded once; `undefined` if it cannot be decoded. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

type Pair = readonly [name: string | undefined, value: string | undefined];

/** @returns the parameters of a query, decoded. Empty ones between two `&` are none. */
const pairsOf = (query: string): readonly Pair[] =>
  query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair): Pair => {
      const [name = '', value = ''] = pair.split(/[=](.*)/).map((part) => part.replaceAll('+', ' '));
      return [decoded(name), decoded(value)];
    });

/** @returns path and query of a target, without a fragment. Several leading slashes count as one. */
export function partsOf(target: string): readonly [path: string, query: string | undefined] {
  const [path = '', query] = target.replace(/#.*/, '').split(/\?(.*)/);
  return [path.replace(/\/+/, '/'), query]; // The first ones.
}

/** @returns the list of a path, and the id in it, which is escaped. */
function routeOf(lists: readonly List[], path: string): { readonly list: List; readonly id?: string } | undefined {
  for (const list of lists) {
    if (path === list.path) return { list };
    const id = path.startsWith(`${list.path}/`) ? path.slice(list.path.length + 1) : '';
    if (list.get !== undefined && id !== '' && !id.includes('/')) return { list, id };
  }
  return undefined;
}

/** @returns the answer of the contract to a request without conditions. */
export function answerOf(world: World, { method, target, authorization }: Sent): Answer {
  const { lists, status, accounts } = world;
  const [path, query = ''] = partsOf(target);
  const route = routeOf(lists, path);
  if (route === undefined) return answerOfUnknown(world, { method, target, authorization });
  const { list, id } = route;
  const operation = id === undefined ? list.id : list.get;
  const problem = (name: ProblemName, rule: string, wrong: readonly Wrong[] = []): Answer => {
    return { kind: 'problem', name, status: status[name], rule, operation, wrong };
  };
  const choice = (of: Choice, name: ProblemName, rule: string, isRight: (status: number) => boolean): Answer => {
    return { kind: 'choice', choice: of, name, status: status[name], rule, operation, isRight };
  };

  if (method === 'OPTIONS') return { kind: 'options', status: 204, rule: 'http.options', operation };
  if (method !== 'GET' && method !== 'HEAD') {
    const isSpelled = ['GET', 'HEAD', 'OPTIONS'].includes(method.toUpperCase());
    if (!isSpelled) return problem('method_not_allowed', 'request.method_not_allowed');
    const isRight = (is: number): boolean => is >= 400 && is !== status.missing_api_key;
    return choice('method', 'method_not_allowed', 'request.method_case', isRight);
  }

  if (authorization.length > 1) return choice('several', 'invalid_api_key', 'auth.several', (is) => is >= 300);
  const key = keyOf(authorization[0] ?? '');
  if (key === 'missing') return problem('missing_api_key', 'auth.missing');
  if (key === 'either')
    return choice('scheme', 'missing_api_key', 'auth.missing', (is) => is === status.missing_api_key);
  const account = accounts.get(key.key);
  if (account === undefined) return problem('invalid_api_key', 'auth.unknown');

  const wrong = id === undefined ? wrongOfList(list, pairsOf(query)) : wrongOfItem(list, id, pairsOf(query));
  const [first] = wrong;
  if (first !== undefined) return problem('validation_error', first.rule, wrong);

  const known = account.get(list.path) ?? { items: [], isWhole: false };
  const placeOf = (cursor: string): number => known.items.findIndex((item) => item.id === cursor.toLowerCase());
  const notFound = (rule: string): Answer =>
    known.isWhole ? problem('not_found', rule) : { kind: 'unknown', status: undefined, rule, operation };
  if (id !== undefined) {
    const item = known.items[placeOf(decoded(id) ?? '')];
    return item === undefined
      ? notFound('get.not_found')
      : { kind: 'item', status: 200, item, rule: 'get.found', operation };
  }
  const asked = new Map(pairsOf(query));
  const [after, before] = [asked.get('after'), asked.get('before')];
  const cursor = after ?? before;
  const at = cursor === undefined ? undefined : placeOf(cursor);
  if (at === -1) return notFound('list.unknown_cursor');
  if (!known.isWhole && known.items.length === 0) return notFound('list.pagination');
  const { filter, limits } = list;
  const value = filter && asked.get(filter.name);
  const place = after === undefined ? { before: at } : { after: at };
  const isMatching = (item: Item): boolean =>
    filter === undefined || value === undefined || item[filter.name] === value;
  const size = Number(asked.get('limit') ?? limits.default);
  const page = pageAt(known.items, known.isWhole, place, size, isMatching);
  return { kind: 'page', status: 200, ...page, rule: ruleOf(cursor, before, value), operation };
}

/** @returns the rule of a page. */
function ruleOf(cursor: string | undefined, before: string | undefined, value: string | undefined): string {
  if (value !== undefined) return cursor === undefined ? 'list.filter' : 'list.filter_cursor';
  return cursor === undefined ? 'list.limit' : before === undefined ? 'list.after' : 'list.before';
}

/** @returns the answer for a path that no operation has. One that is escaped where it need not be is the plain one, or unknown; a slash is never. */
function answerOfUnknown(world: World, { target, ...others }: Sent): Answer {
  const { not_found } = world.status;
  const nowhere = { name: 'not_found', status: not_found, rule: 'request.unknown_path', operation: undefined } as const;
  const [path, query] = partsOf(target);
  const plain = decoded(path.replaceAll(/%2f/gi, '%25$&')) ?? path;
  if (routeOf(world.lists, plain) === undefined) return { kind: 'problem', ...nowhere, wrong: [] };
  const suffix = query === undefined ? '' : `?${query}`;
  const other = answerOf(world, { ...others, target: `${encodeURI(plain)}${suffix}` });
  const isRight = (status: number): boolean =>
    status === not_found || (other.kind === 'choice' ? other.isRight(status) : status === other.status);
  return { kind: 'choice', choice: 'escaped', ...nowhere, isRight };
}

/** @returns the key of a line of `Authorization`; `either` if a punctuation mark stands directly beside the scheme. */
function keyOf(line: string): { readonly key: string } | 'missing' | 'either' {
  const [, key] = /^bearer +(.+)/i.exec(line.trim()) ?? [];
  if (key !== undefined) return { key };
  return /^bearer(?=[^\w\s])|, *bearer /i.test(line) ? 'either' : 'missing';
}

/** A parameter that is wrong, and the rule of it. */
export interface Wrong {
  readonly rule: string;
  readonly name: string;
  /** The bound that a number is beyond. */
  readonly beyond?: 'minimum' | 'maximum';
}

function wrongOfList({ limits, filter, idPattern }: List, pairs: readonly Pair[]): readonly Wrong[] {
  const count = groupBy(pairs, ([name]) => name ?? '');
  const wrong = pairs.flatMap(([name = '', value = '']): readonly Wrong[] => {
    const isKnown = ['limit', 'after', 'before', filter?.name].includes(name);
    if (!isKnown) return [{ name, rule: 'request.unknown_parameter' }];
    if (count.get(name)?.length !== 1) return [{ name, rule: 'request.repeated_parameter' }];
    if (name === 'limit') return wrongOfLimit(value, limits);
    if (name === filter?.name) return filter.values.includes(value) ? [] : [{ name, rule: 'list.invalid_filter' }];
    return idPattern.test(value) ? [] : [{ name, rule: 'list.malformed_cursor' }];
  });
  const isBoth = count.has('after') && count.has('before');
  return isBoth ? [...wrong, { name: 'after', rule: 'list.conflicting_cursors' }] : wrong;
}

function wrongOfLimit(value: string, { min, max }: List['limits']): readonly Wrong[] {
  const wrong = { name: 'limit', rule: 'list.invalid_limit' };
  if (!/^(0|[1-9]\d*)$/.test(value)) return [wrong];
  if (Number(value) < min) return [{ ...wrong, beyond: 'minimum' }];
  return Number(value) > max ? [{ ...wrong, beyond: 'maximum' }] : [];
}

function wrongOfItem({ idPattern }: List, id: string, pairs: readonly Pair[]): readonly Wrong[] {
  const unknown = pairs.map(([name = '']): Wrong => ({ name, rule: 'request.unknown_parameter' }));
  return idPattern.test(decoded(id) ?? '') ? unknown : [{ name: 'id', rule: 'get.malformed_id' }, ...unknown];
}

/** Whether `If-None-Match` has a tag, compared weakly (RFC 9110, 13.1.2). Any 200 matches `*`. */
export function isMatch(ifNoneMatch: string, tag: string): boolean {
  const plain = (text: string): string => text.replace(/^W\//, '');
  const tags = ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return ifNoneMatch.trim() === '*' || tags.some((it) => plain(it) === plain(tag));
}

/**
 * Crosses the requests of the other rules: each is sent again with a few parts more that must not change what is checked, such as HEAD, the
 * other account, slashes, a body or a header. The model says what must come back. A response that is wrong is made smaller, part by part.
 */
import { groupBy } from '../rules/group.ts';
import { Failure } from '../rules/rule.ts';
import type { Finding } from '../rules/rule.ts';
import { Said, joined, own, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { summary } from './checked-session.ts';
import type { CheckedResponse, Request } from './checked-session.ts';
import { answerOf, isMatch, partsOf } from './model.ts';
import type { Answer, World } from './model.ts';
import type { Comparison, Item } from './records.ts';
import type { Random } from './sample.ts';
import { IGNORED_BODY, IGNORED_HEADERS, UNKNOWN_ID } from './values.ts';

/** What is crossed: the requests of one operation, and how they are judged. */
export interface Crossing {
  readonly world: World;
  readonly comparison: Comparison;
  readonly random: Random;
  /** Counts a request that is crossed. @returns whether there may be one more. */
  readonly next: () => boolean;
  /** The requests that were sent, with the responses to them. */
  readonly rows: readonly Row[];
  readonly key: string;
  readonly otherKey: string | undefined;
  /** The items of the list in each account. */
  readonly items: readonly Item[];
  readonly otherItems: readonly Item[];
  readonly send: (request: Request) => Promise<CheckedResponse>;
  /** Whether a response rule reports a response. */
  readonly isBroken: (response: CheckedResponse) => boolean;
}
/** A request that was sent, and of its response what crossing needs. */
export interface Row {
  readonly request: Request;
  readonly status: number;
  readonly tag: string | undefined;
}

/** Adds a part to a request. @returns `undefined` if the request cannot have it. */
type Add = (request: Request) => Request | undefined;

/** A part that is added to requests. */
interface Part {
  /** Its name in messages. */
  readonly name: string;
  /** Of so many requests, one has it. */
  readonly oneOf: number;
  /** Whether a page cannot be seen with it. */
  readonly isHiding?: true;
  /** @returns what adds it to the request of a row. Whatever is random in it is the same each time. */
  readonly of: (crossing: Crossing, row: Row) => Add;
}

/** Headers that are ignored, or change nothing that is checked here. */
const HEADERS = {
  ...IGNORED_HEADERS,
  accept: 'text/html',
  'accept-encoding': 'identity',
  'content-type': 'text/plain',
  cookie: 'session=1',
  'x-request-id': 'crossed',
} as const;
const CONDITION = 'if-none-match';
const OTHER_TAG = '"other"';
const CURSORS = ['after', 'before'] as const;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const METHODS = [undefined, 'GET'];

/** @returns a request with one header more; `undefined` if it has one of this name. */
const withHeader = (request: Request, name: string, value: string): Request | undefined =>
  request.headers !== undefined && name in request.headers
    ? undefined
    : { ...request, headers: { ...request.headers, [name]: value } };

/** @returns a request with one parameter more, before or after the others; `undefined` if it has one of this name. */
function withParameter(request: Request, name: string, value: string, isFirst: boolean): Request | undefined {
  const [, query = ''] = partsOf(request.path);
  const has = query.split('&').some((pair) => pair.replace(/=.*/, '') === name);
  if (has || request.path.includes('#')) return undefined;
  const at = request.path.indexOf('?');
  const path = at < 0 ? request.path : request.path.slice(0, at);
  const pairs = [...(query === '' ? [] : [query]), `${name}=${encodeURIComponent(value)}`];
  return { ...request, path: `${path}?${(isFirst ? pairs.reverse() : pairs).join('&')}` };
}

const one = <T>(values: readonly T[], random: Random): T | undefined => values[random(values.length)];

/** @returns the request with the key of the other account, and with ids of its items in the place of those of the first. */
function withOther(
  request: Request,
  { otherKey, items, otherItems }: Crossing,
  isTranslated: boolean,
): Request | undefined {
  if (otherKey === undefined || request.authorization !== undefined) return undefined;
  const places = new Map(items.map(({ id }, at) => [id, at]));
  const translated = (id: string): string => {
    const place = places.get(id.toLowerCase());
    const other = place === undefined ? undefined : otherItems[place % otherItems.length]?.id;
    return other === undefined ? id : id === id.toUpperCase() ? other.toUpperCase() : other;
  };
  const path = isTranslated ? request.path.replaceAll(UUID, translated) : request.path;
  return { ...request, authorization: `Bearer ${otherKey}`, path };
}

const PARTS: readonly Part[] = [
  {
    name: 'HEAD',
    oneOf: 3,
    isHiding: true,
    of: () => (request) => (METHODS.includes(request.method) ? { ...request, method: 'HEAD' } : undefined),
  },
  { name: 'the other key', oneOf: 4, of: (crossing) => (request) => withOther(request, crossing, true) },
  {
    name: 'the other key for the same ids',
    oneOf: 8,
    of: (crossing) => (request) => withOther(request, crossing, false),
  },
  {
    name: 'leading slashes',
    oneOf: 3,
    of: ({ random }) => {
      const slashes = '/'.repeat(random(2) + 1);
      return (request) => ({ ...request, path: `${slashes}${request.path}` });
    },
  },
  {
    name: 'a body',
    oneOf: 4,
    of: () => (request) => {
      const typed = request.body === undefined ? withHeader(request, 'content-type', 'application/json') : undefined;
      return typed && { ...typed, body: IGNORED_BODY };
    },
  },
  ...Object.entries(HEADERS).map(([name, value]): Part => {
    return { name, oneOf: 3, of: () => (request) => withHeader(request, name, value) };
  }),
  {
    name: 'If-None-Match',
    oneOf: 4,
    isHiding: true,
    of: ({ random }, { tag = OTHER_TAG }) => {
      const value = one([tag, tag, OTHER_TAG, '*'], random) ?? tag;
      return (request) => withHeader(request, CONDITION, value);
    },
  },
  {
    name: 'an id in upper case',
    oneOf: 3,
    of: () => (request) => {
      const path = request.path.replace(UUID, (id) => id.toUpperCase());
      return path === request.path ? undefined : { ...request, path };
    },
  },
  {
    name: 'a limit',
    oneOf: 4,
    of: (crossing, { request: { path } }) => {
      const { random } = crossing;
      const limits = listOf(crossing, path)?.limits;
      const [value, isFirst] = [(limits?.min ?? 0) + random(limits?.max ?? 0), random(2) === 0];
      return (request) => limits && withParameter(request, 'limit', String(value), isFirst);
    },
  },
  {
    name: 'a filter',
    oneOf: 4,
    of: (crossing, { request: { path } }) => {
      const { random } = crossing;
      const filter = listOf(crossing, path)?.filter;
      const [value = '', isFirst] = [one(filter?.values ?? [], random), random(2) === 0];
      return (request) => filter && withParameter(request, filter.name, value, isFirst);
    },
  },
  {
    name: 'a cursor',
    oneOf: 4,
    of: (crossing, { request: { path } }) => {
      const { random, key, otherKey, items, otherItems } = crossing;
      const [place, isFirst, name] = [random(items.length + 1), random(2) === 0, one(CURSORS, random) ?? 'after'];
      const isList = listOf(crossing, path) !== undefined;
      return (request) => {
        const hasCursor = CURSORS.some((cursor) => partsOf(request.path)[1]?.includes(`${cursor}=`));
        const isOther = otherKey !== undefined && otherKey !== key && request.authorization === `Bearer ${otherKey}`;
        const id = (isOther ? otherItems[place % otherItems.length] : items[place])?.id ?? UNKNOWN_ID;
        return isList && !hasCursor ? withParameter(request, name, id, isFirst) : undefined;
      };
    },
  },
];

/** @returns the list of a path. */
const listOf = ({ world: { lists } }: Crossing, path: string) => lists.find((list) => partsOf(path)[0] === list.path);

/** How a response is wrong. */
interface Wrong {
  readonly rule: string;
  /** The request in one line. */
  readonly request: Text;
  readonly expected: Text;
  readonly actual: Text;
}

/** @returns the tag that a request has got. */
type TagOf = (request: Request) => string | undefined;

/** @returns the answer of the model to a request. */
const modelOf = ({ world, key }: Crossing, request: Request): Answer => {
  const { method = 'GET', path, authorization = `Bearer ${key}` } = request;
  return answerOf(world, { method, target: path, authorization: authorization === null ? [] : [authorization] });
};

/** @returns how a response is wrong; `undefined` if it is right, or if it cannot be known. */
function judge(crossing: Crossing, request: Request, response: CheckedResponse, tagOf: TagOf): Wrong | undefined {
  const { comparison, isBroken } = crossing;
  const { method, headers = {} } = request;
  const answer = modelOf(crossing, request);
  if (answer.kind === 'unknown' || isBroken(response)) return undefined;
  const wrong = (expected: Text, actual = summary(response)): Wrong => ({
    rule: answer.rule,
    request: response.request,
    expected,
    actual,
  });
  const { status } = response;
  const condition = headers[CONDITION];
  const isFound = answer.kind === 'page' || answer.kind === 'item';
  if (isFound && condition !== undefined) {
    const tag = tagOf(request);
    const isSame = tag === undefined ? undefined : isMatch(condition, tag);
    // A tag that was not got for this request may be that of the same page all the same.
    const isWrong = condition === OTHER_TAG || isSame === false;
    if (status === 304) return isWrong ? wrong(say`200: this is not the ETag of the response`) : undefined;
    if (isSame === true && condition !== '*') return wrong(say`304: this is the ETag of the response`);
  }
  if (answer.kind === 'choice') {
    const isRight = answer.isRight(status === 304 && condition !== undefined ? 200 : status);
    return isRight ? undefined : wrong(say`${answer.status} ${answer.name}`);
  }
  if (status !== answer.status) return wrong(expectedOf(answer));
  if (method === 'HEAD' || status === 204) return undefined;
  if (answer.kind === 'problem') {
    const { name } = response.body as { readonly name?: unknown }; // An error, as a response rule has checked.
    return name === answer.name ? undefined : wrong(expectedOf(answer));
  }
  if (answer.kind === 'item') {
    const difference = comparison.differenceOf(answer.item, response.body);
    return difference && wrong(say`the item as it is listed`, difference);
  }
  if (answer.kind !== 'page') return undefined;
  const { data, has_more } = response.body as { readonly data: readonly Item[]; readonly has_more: boolean }; // As declared.
  const known = answer.isCut ? data.slice(0, answer.items.length) : data;
  const difference = comparison.differenceOfItems(answer.items, known);
  if (difference !== undefined) return wrong(say`the page at this place of the list`, difference.difference);
  const isRight = answer.hasMore === undefined || answer.hasMore === has_more;
  return isRight
    ? undefined
    : wrong(say`has_more ${own(String(answer.hasMore))}`, say`has_more ${own(String(has_more))}`);
}

const expectedOf = (answer: Answer): Text =>
  answer.kind === 'problem' ? say`${answer.status} ${answer.name}` : say`${answer.status ?? 0}`;

/** A request, the row it is made of, and the parts that it has more. */
interface Crossed {
  readonly row: Row;
  readonly parts: readonly Added[];
  readonly request: Request;
}
interface Added {
  readonly part: Part;
  readonly add: Add;
}

/** A failure, the rule that owns it, and the parts that it needs. */
interface Found {
  readonly finding: Finding<Text>;
  readonly rule: string;
  readonly parts: readonly Part[];
}

// More findings would not make a failure clearer; each costs a request for each of its parts.
const MAX_FINDINGS = 3;

/** @throws Failure with the smallest requests that have a wrong response. */
export async function assertCrossed(crossing: Crossing): Promise<void> {
  const { rows, send, key } = crossing;
  const tags = new Map(
    rows.filter(isPlain).map(({ request, tag }) => [`${authorizationOf(request, key)} ${request.path}`, tag]),
  );
  const tagOf: TagOf = (request) =>
    request.headers?.['accept-encoding'] === undefined
      ? tags.get(`${authorizationOf(request, key)} ${request.path}`)
      : undefined;
  const wrongOf = async (request: Request): Promise<Wrong | undefined> => {
    try {
      return judge(crossing, request, await send(withMentions(crossing, request)), tagOf);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { rule: modelOf(crossing, request).rule, ...error.findings[0] }; // There was no response.
    }
  };
  const found: Found[] = [];
  const look = async ({ row, request, parts }: Crossed): Promise<Found | undefined> => {
    const wrong = await wrongOf(request);
    const has = (part: Part): boolean => parts.some((added) => added.part === part);
    const isKnown = found.some((it) => it.rule === wrong?.rule && it.parts.every(has));
    if (wrong === undefined || isKnown) return undefined;
    const again = await wrongOf(request);
    const smallest = again === undefined ? { parts, wrong } : await shrink({ row, request, parts }, again, wrongOf);
    // Of a row alone, its own rule has judged the response.
    if (smallest.parts.length === 0) return undefined;
    const left = smallest.parts.map(({ part }) => part);
    const { rule } = smallest.wrong;
    return { finding: findingOf(smallest.wrong, left, again !== undefined), rule, parts: left };
  };
  for (const crossed of crossings(crossing)) {
    if (found.length === MAX_FINDINGS || !crossing.next()) break;
    try {
      const it = await look(crossed);
      if (it !== undefined) found.push(it);
    } catch (error) {
      // If the run cannot continue, the next rule says so: what was found is kept.
      if (found.length > 0 && error instanceof Said) break;
      throw error;
    }
  }
  const [first, ...others] = found.map(({ finding }) => finding);
  if (first !== undefined) throw new Failure(first, ...others);
}

const authorizationOf = ({ authorization = '' }: Request, key: string): string =>
  authorization === '' || authorization === `Bearer ${key}` ? '' : String(authorization);

/** Whether the response to a row has the tag of its path: no header or method of the request makes another one. */
const isPlain = ({ request: { method = 'GET', headers = {}, body }, status }: Row): boolean =>
  method === 'GET' && body === undefined && Object.keys(headers).length === 0 && status === 200;

/** @returns a request without parts that its response is wrong without, and that response. */
async function shrink(
  { row, parts }: Crossed,
  wrong: Wrong,
  wrongOf: (request: Request) => Promise<Wrong | undefined>,
): Promise<{ readonly parts: readonly Added[]; readonly wrong: Wrong }> {
  let smallest = { parts, wrong };
  for (const part of parts) {
    const fewer = smallest.parts.filter((other) => other !== part);
    const made = fewer.reduce<Request | undefined>((request, { add }) => request && add(request), row.request);
    const other = made && (await wrongOf(made));
    if (other !== undefined) smallest = { parts: fewer, wrong: other };
  }
  return smallest;
}

function findingOf(
  { request, rule, expected, actual }: Wrong,
  parts: readonly Part[],
  isSteady: boolean,
): Finding<Text> {
  const names = joined(
    parts.map(({ name }) => own(name)),
    ' or ',
  );
  const difference = isSteady
    ? say`the response is right without ${names}; it breaks ${own(rule)}`
    : say`not every time: sent again, the same request returned the right response`;
  return { request, expected, actual, difference };
}

/** Crosses rows without end, of each kind in turn. */
function* crossings(crossing: Crossing): Generator<Crossed> {
  const { rows, random } = crossing;
  const kinds = [...groupBy(rows, ({ request }) => kindOf(modelOf(crossing, request))).values()];
  for (let misses = 0; misses < kinds.length * MAX_MISSES;) {
    for (const kind of kinds) {
      const row = one(kind, random);
      const crossed = row && crossedOf(crossing, row);
      misses = crossed === undefined ? misses + 1 : 0;
      if (crossed !== undefined) yield crossed;
    }
  }
}
// A row may get no part by chance.
const MAX_MISSES = 20;

/** @returns what distinguishes the rows that one request stands for. */
function kindOf(answer: Answer): string {
  const { rule, kind } = answer;
  if (kind === 'page') return `${rule} ${String(answer.hasMore)} ${String(answer.items.length === 0)}`;
  return kind === 'problem' ? `${rule} ${answer.wrong.map(({ beyond = '' }) => beyond).join()}` : rule;
}

/** @returns a row with parts at random; `undefined` if it gets none. */
function crossedOf(crossing: Crossing, row: Row): Crossed | undefined {
  const { random } = crossing;
  const parts: Added[] = [];
  let { request } = row;
  for (const part of shuffled(PARTS, random)) {
    if (random(part.oneOf) > 0) continue;
    const add = part.of(crossing, row);
    const added = add(request);
    if (added === undefined) continue;
    // A status alone shows most errors, but no page.
    const isHidden = part.isHiding === true && parts.length > 0 && (modelOf(crossing, request).status ?? 0) < 300;
    if (isHidden) continue;
    request = added;
    parts.push({ part, add });
  }
  return parts.length === 0 ? undefined : { row, parts, request };
}

function shuffled<T>(values: readonly T[], random: Random): readonly T[] {
  const rest = [...values];
  return values.flatMap(() => rest.splice(random(rest.length), 1));
}

/** @returns a request whose message must name the parameter, if one is wrong, and its name can be repeated. */
function withMentions(crossing: Crossing, request: Request): Request {
  const { mentions: _, ...others } = request;
  const answer = modelOf(crossing, request);
  const [name, ...rest] = answer.kind === 'problem' ? answer.wrong.map((it) => it.name) : [];
  const isNamed =
    name !== undefined && rest.length === 0 && /^[\w.-]{1,99}$/.test(name) && !/%(00|ff)/.test(request.path);
  return isNamed ? { ...others, mentions: [name] } : others;
}

/** Tokens of the next page in the body, and the parameters that may take them. */
import { groupBy } from '../../rules/group.ts';
import { pathText } from '../json.ts';
import type { Found, Path } from '../json.ts';
import type { Way } from '../profile.ts';
import type { Answer, Session } from '../session.ts';
import { paramsOf } from '../target.ts';
import { isUrl, leadsElsewhere, plainName, scalarsIn } from './evidence.ts';

const TOKEN_NAME =
  /next|cursor|token|marker|continu|after|bookmark|scroll|resum|^end|offset|evaluated|last_?(key|id|doc)|watermark/i;
/** Names of what is said about a page, and is no token. */
const NO_TOKEN = /^(has|is)[_A-Z]|total|count|size|limit|_?at$|access_?token|^type$|^kind$/i;
const MAX_TOKEN = 4096;

/** The parameters that take tokens of other names. */
const PARAMS = [
  ...'cursor after next page_token pageToken token from offset start starting_after start_cursor startCursor'.split(
    ' ',
  ),
  ...'continuation continuationToken continue marker bookmark scroll_id page since position skiptoken'.split(' '),
];
const MAX_PARAMS = 14;

/** @returns the ways by a token that a response has, those that are named as the next one first. */
export function tokenWays(answer: Answer, known: readonly string[], session: Session): readonly Way[] {
  const found = scalarsIn(answer, session).filter(isToken);
  const isNamed = ({ path }: Found): boolean => /next|continu/i.test(path.join('.'));
  // A text is more often a token than a number, and one that is named as the next more often than another.
  const rank = (it: Found): number => (isNamed(it) ? 0 : 2) + (typeof it.value === 'number' ? 1 : 0);
  const ranked = [...found].sort((one, other) => rank(one) - rank(other));
  const asked = [...known, ...paramsOf(answer.target).keys()];
  const ways = ranked.map(({ path, value }): readonly Way[] =>
    [...new Set([...known, ...parametersOf(path, typeof value === 'number', asked)])].map((token) => ({
      token,
      from: pathText(path),
    })),
  );
  // Of each token, the parameters of its own name come before the others.
  const objects = objectsOf(found);
  const several = severalTokens(objects);
  const isEach = ({ path }: Found): boolean => /continu|evaluated/i.test(path.at(-2) ?? '');
  return [
    ...(found.some(isEach) ? several : []),
    ...ways.flatMap((all) => all.slice(0, OWN_PARAMS + known.length)),
    ...several,
    // An object is sent back whole, too: as JSON.
    ...[...objects.values()].flatMap(([{ path }]) =>
      parametersOf(path.slice(0, -1), false, asked).map((token) => ({ token, from: pathText(path.slice(0, -1)) })),
    ),
    ...ways.flatMap((all) => all.slice(OWN_PARAMS + known.length)),
  ];
}
const OWN_PARAMS = 2;

function isToken({ path, value }: Found): boolean {
  const name = path.at(-1) ?? '';
  const isText = typeof value === 'string' && value !== '' && value.length < MAX_TOKEN && !isUrl(value);
  // A number is a token if it is that of the next page or item; `offset: 0` is the one of this page.
  const isNumber = typeof value === 'number' && path.some((it) => /next|after|cursor|continu|evaluated/i.test(it));
  return (
    (isText || isNumber) && path.some((it) => TOKEN_NAME.test(it)) && !NO_TOKEN.test(name) && !leadsElsewhere(path)
  );
}

type Objects = ReturnType<typeof objectsOf>;
/** @returns the objects of tokens, `continue: { a, b }`, by their paths. */
const objectsOf = (found: readonly Found[]): ReturnType<typeof groupBy<Found, string>> =>
  groupBy(
    found.filter(({ path }) =>
      /^(continu\w*|last_?evaluated_?key|next_?(key|token|cursor)?)$/i.test(path.at(-2) ?? ''),
    ),
    ({ path }) => pathText(path.slice(0, -1)),
  );

/** @returns the ways by an object of tokens: each is sent back under its own name. */
const severalTokens = (objects: Objects): readonly Way[] =>
  [...objects.values()]
    .filter((all) => all.length > 1)
    .map((all) => ({ tokens: Object.fromEntries(all.map(({ path }) => [path.at(-1) ?? '', pathText(path)])) }));

/** @returns the parameters that may take a token: by its own name, those that the URL has, and those of other APIs. */
function parametersOf(path: Path, isNumber: boolean, asked: readonly string[]): readonly string[] {
  const name = path.at(-1) ?? '';
  const parent = path.at(-2) ?? '';
  const bare = name.replace(/^(_?next_?|end_?)/i, '');
  const own = bare === '' ? '' : bare.charAt(0).toLowerCase() + bare.slice(1);
  const isPage = isNumber || /page/i.test(`${parent}${name}`);
  const pages = isPage ? ['page', '_page', 'cursor', 'page_token', 'pageToken'] : [];
  const offsets = isNumber && /offset|skip|start/i.test(name) ? ['offset', 'skip', 'start'] : [];
  const ids = /last_?id/i.test(name) ? ['after', 'starting_after', 'after_id', 'last_id'] : [];
  const evaluated = /evaluated|last_?key/i.test(`${parent}${name}`)
    ? ['ExclusiveStartKey', 'exclusive_start_key', 'exclusiveStartKey', 'startKey', 'start_key', 'lastKey']
    : [];
  const batch = /batch/i.test(name) ? ['from', 'since'] : [];
  const near = asked.filter((it) => plainName(name).includes(plainName(it)) || TOKEN_NAME.test(it));
  // `meta.page.cursor` goes into `page[cursor]`, and `next.after` into `after`.
  const nested = /^page/i.test(parent) ? [`page[${own === '' ? name : own}]`] : [];
  const start = /^next_?cursor$/i.test(name) ? ['cursor', 'start_cursor', 'startCursor'] : [];
  const all = [
    own,
    name,
    ...near,
    ...batch,
    ...start,
    ...nested,
    ...offsets,
    ...ids,
    ...evaluated,
    ...pages,
    ...PARAMS.slice(0, 7),
  ];
  return [...new Set([...all, `_${name}`, ...PARAMS])]
    .filter((it) => it !== '' && !/^(has|is)_/.test(it))
    .slice(0, MAX_PARAMS);
}

/** Rules of requests: paths, methods, parameters, and input that is ignored. */
import { COLLECTIONS, filterOf } from '../../contract/collections.ts';
import { forEach } from '../rules/rule.ts';
import type { Rule } from './rule.ts';
import type { Request } from './session.ts';
import type { Target } from './target.ts';
import { UNKNOWN_ID } from './values.ts';

const COMMON_METHODS = ['POST', 'DELETE'];
// The other common ones, and those that frameworks know and applications forget. Operations check them in turn.
const OTHER_METHODS = ['PUT', 'PATCH', 'PROPFIND', 'SEARCH', 'PATCH', 'PUT', 'REPORT', 'QUERY'];

// Names of parameters that frameworks and other APIs have.
const COMMON_NAMES = ['sort', 'format'];
// Names that operations check in turn.
const OTHER_NAMES = ['page', 'cursor', 'fields', 'callback', '_method', 'id', 'offset', 'utm_source', '_', '__proto__'];

// Headers that change the response of a framework, a static file server or a proxy. The contract has none of them.
const IGNORED_HEADERS: readonly Readonly<Record<string, string>>[] = [
  { accept: 'text/html' },
  { accept: 'application/xml, image/*;q=0.5' },
  { accept: '*/*;q=0' },
  { accept: 'nonsense' },
  { range: 'bytes=0-9' },
  { 'if-modified-since': 'Fri, 31 Dec 2100 23:59:59 GMT' },
  { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
  { 'if-match': '"other"' },
  { 'x-http-method-override': 'DELETE' },
  { 'x-forwarded-prefix': '/nonsense' },
  { 'x-original-url': '/nonsense' },
  { 'accept-language': 'xx' },
  { accept: 'application/vnd.api+json' },
  { origin: 'https://conform.example' },
];

/** The names of all filters: an operation without such a parameter rejects it. */
const FILTERS = [...new Set(COLLECTIONS.flatMap((collection) => filterOf(collection) ?? []))];

const JSON_BODY = { 'content-type': 'application/json' };
/** Bodies that a framework parses, or merges into the parameters. */
const BODIES: readonly Omit<Request, 'path'>[] = [
  { headers: JSON_BODY, body: '{"limit":1,"status":"nonsense","after":"x"}' },
  { headers: JSON_BODY, body: '{' },
  { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'limit=1&status=nonsense&_method=DELETE' },
  { headers: { 'content-type': 'text/plain' }, body: '{' },
  { headers: JSON_BODY },
  { headers: { 'content-type': 'nonsense' } },
];

export const REQUEST_RULES: readonly Rule[] = [
  {
    id: 'request.exact_path',
    title:
      'a request for a path with a trailing slash, another case, a suffix or a matrix parameter (;v=1) returns 404 not_found',
    check: async (target) => {
      const path = await target.likelyPath();
      const upper = path.replace(/^\/(.)/, (it) => it.toUpperCase());
      const id = /[0-9a-f-]{36}$/.exec(path)?.[0] ?? '';
      const shouted = path.slice(0, path.length - id.length).toUpperCase() + id;
      const ofList =
        target.list === undefined ? ['.json', ';v=1', '%20', '/index.html'].map((it) => `${path}${it}`) : [];
      const swapped = path.includes('-') && target.list === undefined ? [path.replaceAll('-', '_')] : [];
      await forEach([`${path}/`, upper, shouted, ...swapped, ...target.shareOf(ofList)], (it) =>
        target.assertProblem({ path: it }, isRoutedAsId(target, it) ? 'validation_error' : 'not_found'),
      );
    },
  },
  {
    id: 'request.unknown_path',
    title: 'a request for an unknown path returns 404 not_found',
    check: async (target) => {
      const path = await target.likelyPath();
      const prefixes = target
        .shareOf(['/v1', '/api', '/index.php', '//conform.example', '/v2', '/graphql'])
        .map((it) => `${it}${path}`);
      for (const it of [`/nonsense${path}`, ...prefixes, `${path}/nonsense/nonsense`]) {
        await target.assertProblem({ path: it }, 'not_found');
      }
      const [item] = target.list === undefined ? await target.items(0) : [];
      const [below, parent] = [`${path}/${item?.id ?? UNKNOWN_ID}`, path.slice(0, path.lastIndexOf('/'))];
      const isKnown = (it: string): boolean => target.contract.operations.some(({ path: known }) => matches(known, it));
      const unknown = [below, parent].filter((it) => it !== '' && !isKnown(it));
      await forEach(unknown, (it) => target.assertProblem({ path: it }, 'not_found'));
    },
  },
  {
    id: 'request.leading_slashes',
    title: 'several leading slashes count as one',
    dependsOn: ['list.pagination', 'list.limit', 'list.default_limit'],
    check: async (target) => {
      await assertSame(target, [target.shareOfAll([0, 0]).length > 0 ? '//' : '///'], (path, it) => ({
        path: `${it}${path.slice(1)}`,
      }));
    },
  },
  {
    id: 'request.fragment',
    title: 'a fragment in the request target is ignored',
    dependsOn: ['list.pagination', 'list.limit', 'list.default_limit'],
    check: async (target) => {
      await assertSame(target, [target.shareOfAll([0]).length > 0 ? '#?limit=0' : '#fragment'], (path, it) => ({
        path: `${path}${it}`,
      }));
      if (target.list === undefined)
        await target.request({ path: `${target.path()}?limit=${String(target.limits.min)}#x` });
    },
  },
  {
    id: 'request.ignored_input',
    title: 'a request body and a Content-Type are ignored',
    dependsOn: ['list.pagination', 'list.limit', 'list.default_limit'],
    check: async (target) => {
      const [first, ...others] = BODIES;
      await assertSame(target, [...(first ? [first] : []), ...target.shareOfAll(others)], (path, it) => ({
        path,
        ...it,
      }));
    },
  },
  {
    id: 'request.ignored_headers',
    title: 'Accept and all headers that are not in the contract are ignored',
    dependsOn: ['list.pagination', 'list.limit', 'list.default_limit'],
    check: async (target) => {
      const [first, ...others] = IGNORED_HEADERS;
      const values = [...(first ? [first] : []), ...target.shareOfAll(others)];
      await assertSame(target, values, (path, headers) => ({ path, headers }));
      await target.assertProblem({ path: `/nonsense${target.path()}`, headers: { accept: 'text/html' } }, 'not_found');
    },
  },
  {
    id: 'request.unknown_parameter',
    title: 'an unknown parameter, or one of another operation, is rejected, alone or with a known one',
    check: async (target) => {
      const path = await target.likelyPath();
      const known = queryOf(target).map(([name, value]) => `${name}=${value}&`);
      const foreign = ['limit', 'after', 'before', ...FILTERS].filter((it) => !target.queryNames.includes(it));
      const names = [...foreign, ...COMMON_NAMES, ...target.shareOfAll(OTHER_NAMES)];
      const odd = [
        ['nonsense', 'nonsense'],
        ['nonsense=', 'nonsense'],
        ['=1', ''],
        ['filter[status]=enabled', 'filter'],
        ['%20limit=1', 'limit'],
        [`nonsense=${'x'.repeat(3000)}`, 'nonsense'],
        ['nonsense=<script>', 'nonsense'],
        ['nonsense=%ff', 'nonsense'],
        ['nonsense=%', 'nonsense'],
      ] as const;
      const queries: (readonly [query: string, name: string])[] = [
        ...['', ...known.slice(0, 1)].map((before) => [`${before}nonsense=1`, 'nonsense'] as const),
        ...names.map((name) => [`${name}=1`, name] as const),
        ...target.shareOfAll(odd),
        ...target.shareOf(brackets(target)),
      ];
      await forEach(queries, ([query, name]) => {
        const mentions = name === '' ? [] : [name];
        return target.assertProblem({ path: `${path}?${query}`, mentions }, 'validation_error');
      });
      const { otherAccount } = target;
      if (otherAccount !== undefined)
        await otherAccount.assertProblem({ path: `${otherAccount.path()}?nonsense=1` }, 'validation_error');
    },
  },
  {
    id: 'request.method_not_allowed',
    title: 'a request with another method returns 405, even without a key',
    check: async (target) => {
      const path = await target.likelyPath();
      await forEach([...COMMON_METHODS, ...target.shareOfAll(OTHER_METHODS)], (method) =>
        target.assertProblem({ method, path, authorization: null }, 'method_not_allowed'),
      );
    },
  },
];

/** Rules of operations with parameters in the query. */
export const PARAMETER_RULES: readonly Rule[] = [
  {
    id: 'request.repeated_parameter',
    title: 'a repeated parameter is rejected, even with the same value',
    check: async (target) => {
      const queries = queryOf(target).flatMap(([name, value, other = value]) => [
        [name, `${name}=${value}&${name}=${other}`] as const,
        ...target.shareOf([[name, `${name}=${value}&${name}[]=${value}`] as const]),
      ]);
      await forEach(queries, ([name, query]) =>
        target.assertProblem({ path: `${target.path()}?${query}`, mentions: [name] }, 'validation_error'),
      );
    },
  },
  {
    id: 'request.parameter_case',
    title: 'parameter names are case-sensitive',
    dependsOn: ['request.unknown_parameter'],
    check: async (target) => {
      const names = queryOf(target).map(([name, value], at) => {
        const isCapitalized = (at + target.shareOf([0]).length) % 2 === 0;
        return [isCapitalized ? `${name.charAt(0).toUpperCase()}${name.slice(1)}` : name.toUpperCase(), value];
      });
      await forEach(names, ([name = '', value = '']) =>
        target.assertProblem({ path: `${target.path()}?${name}=${value}`, mentions: [name] }, 'validation_error'),
      );
    },
  },
];

/** @returns the parameters as a framework writes lists: names that are unknown. */
const brackets = (target: Target): (readonly [query: string, name: string])[] =>
  queryOf(target).flatMap(([name, value]) => ['[]', '%5B0%5D'].map((it) => [`${name}${it}=${value}`, name] as const));

/** Whether a path with a known id and more is that of another id: `/imports/x.json` has the id `x.json`. */
const isRoutedAsId = ({ contract, operation }: Target, path: string): boolean =>
  contract.operations.some((it) => it !== operation && matches(it.path, path));

/** Whether a path has the form of a path of the contract. */
const matches = (template: string, path: string): boolean => {
  const [of, is] = [template.split('/'), path.split('/')];
  return of.length === is.length && of.every((it, at) => it === is[at] || (it.startsWith('{') && is[at] !== ''));
};

/** @returns the query parameters, each with a valid value, and with another one if it exists. */
function queryOf({ operation }: Target): (readonly [name: string, value: string, other: string | undefined])[] {
  return operation.parameters
    .filter((it) => it.in === 'query')
    .map(({ name, schema }) =>
      schema.type === 'integer'
        ? [name, String(schema.minimum), String(schema.maximum)]
        : [name, schema.enum?.[0] ?? UNKNOWN_ID, schema.enum?.[1]],
    );
}

/** @throws Failure unless each varied request has the same response body as the original. */
async function assertSame<T>(
  target: Target,
  values: readonly T[],
  vary: (path: string, value: T) => Request,
): Promise<void> {
  const path = await target.existingPath();
  const plain = await target.plain();
  await forEach(values, async (value) => {
    const varied = await target.request(vary(path, value));
    target.assertSame(plain, varied);
  });
}

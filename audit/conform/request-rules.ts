/** Rules of requests: paths, methods, parameters, and input that is ignored. */
import { COLLECTIONS, filterOf } from '../../contract/collections.ts';
import { Failure, forEach } from '../rules/rule.ts';
import type { Rule } from './rule.ts';
import { assertThat } from './session.ts';
import type { Request } from './session.ts';
import type { Target } from './target.ts';
import { UNKNOWN_ID } from './values.ts';

const COMMON_METHODS = ['POST', 'DELETE'];
// The other common ones, and those that frameworks know and applications forget. Operations check them in turn.
const OTHER_METHODS = [
  ...['PUT', 'PATCH', 'PROPFIND', 'SEARCH', 'PATCH', 'PUT', 'REPORT', 'QUERY'],
  ...['COPY', 'MKCOL', 'LINK', 'PURGE'],
];

// Requests whose body, header or query names another method, as frameworks read it. Sent without a key.
const POSTS: readonly Omit<Request, 'path'>[] = [
  { headers: { 'content-type': 'application/json' }, body: '{"name":"conform"}' },
  { headers: { 'x-http-method-override': 'GET', 'x-method-override': 'GET', 'x-http-method': 'GET' }, body: '' },
  { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: '_method=GET' },
];

// Names of parameters that frameworks and other APIs have.
const COMMON_NAMES = ['sort', 'format', '__proto__', 'constructor'];
// Names that lists check in turn. An operation without query parameters checks all of them: any name is unknown there.
const OTHER_NAMES = [
  ...[
    'page',
    'cursor',
    'fields',
    'callback',
    '_method',
    'id',
    'offset',
    'utm_source',
    '_',
    'toString',
    'pretty',
    'order',
  ],
  ...['starting_after', 'ending_before', 'per_page', 'q', 'search', 'api-version', 'created.gt', 'account', 'tenant'],
];
// Names that other APIs have where they retrieve an item.
const LOOKUP_NAMES = ['expand', 'include', 'embed', 'select', 'version'];

// Headers that change the response of a framework, a static file server or a proxy. The contract has none of them.
const IGNORED_HEADERS: readonly Readonly<Record<string, string>>[] = [
  { range: 'bytes=0-9' },
  { 'if-modified-since': 'Fri, 31 Dec 2100 23:59:59 GMT' },
  { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
  { 'if-match': '"other"' },
  { 'x-forwarded-prefix': '/nonsense' },
  { 'x-forwarded-host': 'conform.example' },
  { 'x-forwarded-for': '192.0.2.1' },
  { 'x-original-url': '/nonsense' },
  { 'x-rewrite-url': '/nonsense' },
  { 'x-requested-with': 'XMLHttpRequest' },
  { 'x-api-version': '0' },
  { 'accept-version': '0' },
  { prefer: 'return=minimal, timezone=Asia/Kolkata' },
  { 'time-zone': 'Asia/Kolkata' },
  { 'accept-language': 'xx' },
  { 'accept-charset': 'utf-16' },
  { 'save-data': 'on' },
  { origin: 'https://conform.example' },
];

const TYPES = [
  ...['text/html', 'application/xml, image/*;q=0.5', '*/*;q=0', 'nonsense', 'application/vnd.api+json'],
  ...['application/json;version=0', 'text/event-stream', ''],
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
    change: 'Switch on strict and case-sensitive routing, and redirect nothing.',
    check: async (target) => {
      const path = await target.likelyPath();
      const upper = path.replace(/^\/(.)/, (it) => it.toUpperCase());
      const [, inner = ''] = /(\/[a-z]+)(?:\/[0-9a-f-]{36})?$/.exec(path) ?? [];
      const capitalized =
        inner === '' ? [] : [path.replace(inner, `/${inner.charAt(1).toUpperCase()}${inner.slice(2)}`)];
      const id = /[0-9a-f-]{36}$/.exec(path)?.[0] ?? '';
      const shouted = path.slice(0, path.length - id.length).toUpperCase() + id;
      const ofList =
        target.list === undefined
          ? ['.json', ';v=1', '%20', '/index.html', '&limit=1', '%3Flimit=1'].map((it) => `${path}${it}`)
          : [];
      const swapped = path.includes('-') && target.list === undefined ? [path.replaceAll('-', '_')] : [];
      const others = new Set([upper, ...capitalized, shouted, ...swapped, ...target.shareOf(ofList)]);
      await forEach([`${path}/`, ...others], (it) =>
        target.assertProblem({ path: it }, isRoutedAsId(target, it) ? 'validation_error' : 'not_found'),
      );
    },
  },
  {
    id: 'request.unknown_path',
    title: 'a request for an unknown path returns 404 not_found',
    change: 'Route whole paths only, and return the JSON error from the handler of all other paths.',
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
      const words = path
        .replace(/\/[0-9a-f-]{36}$/, '')
        .slice(1)
        .split('/');
      const others = [
        ...(target.list === undefined ? [`${path}/count`] : []),
        ...(words.length > 1 ? [path.replace(`/${String(words[0])}/`, '/'), path.replace(/^\/(\w+)s\//, '/$1-')] : []),
        ...(parent === '' ? [] : [`${parent}/`]),
      ];
      const isKnown = (it: string): boolean => target.contract.operations.some(({ path: known }) => matches(known, it));
      const unknown = [below, parent, ...others].filter((it) => it !== '' && !isKnown(it));
      await forEach(unknown, (it) => target.assertProblem({ path: it }, 'not_found'));
    },
  },
  {
    id: 'request.leading_slashes',
    title: 'several leading slashes count as one',
    change: 'Replace several leading slashes by one before routing; do not redirect.',
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
    change: 'Cut the request target at the first `#`.',
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
    change: 'Do not parse the body of a GET, and do not look at its Content-Type.',
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
    change:
      'Remove content negotiation, ranges, dates and overrides from the handling of a GET: only the headers of the contract count.',
    dependsOn: ['list.pagination', 'list.limit', 'list.default_limit'],
    check: async (target) => {
      // Without a key, because a server that heeds it would delete an item.
      const override = { 'x-http-method-override': 'DELETE' };
      const overridden = await target.send({ path: await target.likelyPath(), authorization: null, headers: override });
      const { method_not_allowed, missing_api_key } = target.contract.problemStatus;
      assertThat(
        overridden,
        overridden.status !== method_not_allowed,
        `${String(missing_api_key)}, as without the header`,
      );
      const types = target.shareOfAll(TYPES).map((accept) => ({ accept }));
      await assertSame(target, [{ accept: 'text/html' }, ...types], (path, headers) => ({ path, headers }));
      const all = Object.assign({}, ...IGNORED_HEADERS) as Readonly<Record<string, string>>; // Of their entries.
      try {
        await assertSame(target, [all], (path, headers) => ({ path, headers }));
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        // Each alone, so that the failure names those that are wrong.
        await assertSame(target, IGNORED_HEADERS, (path, headers) => ({ path, headers }));
        throw error;
      }
      await target.assertProblem({ path: `/nonsense${target.path()}`, headers: { accept: 'text/html' } }, 'not_found');
    },
  },
  {
    id: 'request.unknown_parameter',
    title: 'an unknown parameter, or one of another operation, is rejected, alone or with a known one',
    change:
      'Compare the names in the query with those of the operation (a set, not an object with a prototype); reject any other.',
    check: async (target) => {
      const path = await target.likelyPath();
      const known = queryOf(target).map(([name, value]) => `${name}=${value}&`);
      const foreign = ['limit', 'after', 'before', ...FILTERS].filter((it) => !target.queryNames.includes(it));
      const others = target.list === undefined ? target.shareOf(OTHER_NAMES) : [...OTHER_NAMES, ...LOOKUP_NAMES];
      const names = [...foreign, ...COMMON_NAMES, ...others];
      const odd = [
        ['nonsense', 'nonsense'],
        ['nonsense=', 'nonsense'],
        ['=1', ''],
        ['filter[status]=enabled', 'filter'],
        ['%20limit=1', 'limit'],
        [`nonsense=${'x'.repeat(3000)}`, 'nonsense'],
        ['nonsense=<script>', 'nonsense'],
        [`${'x'.repeat(2000)}=1`, ''],
        ['nonsense=%ff', 'nonsense'],
        ['nonsense=%', 'nonsense'],
        ['%25=1', ''],
        ['__proto__[nonsense]=1', '__proto__'],
        ['nonsense[constructor]=1', 'nonsense'],
        ['%6Eonsense=1', 'nonsense'],
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
    change:
      'Decide by the method of the request line, before the key, and by nothing in the body, the query or headers.',
    check: async (target) => {
      const path = await target.likelyPath();
      await forEach([...COMMON_METHODS, ...target.shareOfAll(OTHER_METHODS)], (method) =>
        target.assertProblem({ method, path, authorization: null }, 'method_not_allowed'),
      );
      const posts: readonly Request[] = [...POSTS.map((it) => ({ ...it, path })), { path: `${path}?_method=GET` }];
      await forEach(posts, (request) =>
        target.assertProblem({ ...request, method: 'POST', authorization: null }, 'method_not_allowed'),
      );
    },
  },
  {
    id: 'request.method_case',
    title: 'methods are case-sensitive: `get` is not GET',
    change: 'Compare methods exactly.',
    dependsOn: ['request.method_not_allowed'],
    check: async (target) => {
      const path = await target.likelyPath();
      // Sent as it is, because HTTP clients write methods in upper case. A server may reject it in its own way.
      await forEach([target.shareOfAll([0, 0]).length > 0 ? 'get' : 'Get'], async (method) => {
        const answer = await target.send({ method, path, authorization: null, isRaw: true }).catch((error: unknown) => {
          if (!(error instanceof Failure)) throw error;
          return undefined; // The connection was closed.
        });
        if (answer === undefined) return;
        const { method_not_allowed, missing_api_key } = target.contract.problemStatus;
        // A key is asked for where the method is taken for GET.
        const isOther = answer.status >= 400 && answer.status !== missing_api_key;
        assertThat(answer, isOther, `${String(method_not_allowed)} method_not_allowed`);
      });
    },
  },
  {
    id: 'request.encoding',
    title: 'percent-encoded characters of names, values and ids are decoded; an empty query has no parameters',
    change: 'Split the path at `/`, and the query at `&` and `=`, first; then decode each part once.',
    dependsOn: ['list.pagination', 'list.limit'],
    check: async (target) => {
      await assertSame(target, ['?'], (path, it) => ({ path: `${path}${it}` }));
      const [item] = await (target.list ?? target).items(1);
      const id = item?.id ?? '';
      const asked = target.list === undefined ? queryOf(target).map(([name, value]) => [name, value] as const) : [];
      const [limit] = asked;
      const cursor = asked.find(([, value]) => UUID.test(value));
      const withoutCursor = asked.filter(([, value]) => !UUID.test(value));
      const withCursor = limit === undefined || cursor === undefined ? [] : [limit, [cursor[0], id] as const];
      const queries = [withoutCursor, withCursor].filter((it) => it.length > 0);
      const ofGet = [[target.path(id), target.path(HOLE).replace(HOLE, encode(id))] as const];
      const ofList = queries.map((pairs) => {
        const plain = pairs.map(([name, value]) => `${name}=${value}`).join('&');
        const encoded = pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
        return [`${target.path()}?${plain}`, `${target.path()}?${encoded}`] as const;
      });
      await forEach(target.list === undefined ? ofList : ofGet, async ([plain, encoded]) => {
        target.assertSame(await target.request({ path: plain }), await target.request({ path: encoded }));
      });
    },
  },
];

const UUID = /^[0-9a-f-]{36}$/i;

// What a path has in the place of an id. It needs no escape.
const HOLE = '~';

/** @returns a text with its first character percent-encoded, or the hyphens of an id. */
const encode = (text: string): string =>
  UUID.test(text)
    ? text.replaceAll('-', '%2D')
    : text.replace(/^./, (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`);

/** Rules of operations with parameters in the query. */
export const PARAMETER_RULES: readonly Rule[] = [
  {
    id: 'request.repeated_parameter',
    title: 'a repeated parameter is rejected, even with the same value',
    change: 'Reject a name that is in the query twice, whatever its values are, after it is decoded.',
    check: async (target) => {
      const queries = queryOf(target).flatMap(([name, value, other = value]) => [
        [name, `${name}=${value}&${name}=${other}`] as const,
        ...target.shareOf([[name, `${name}=${value}&${name}[]=${value}`] as const]),
        [name, `${name}=${value}&${name}=`] as const,
        ...target.shareOf([
          [name, `${name}=&${name}=${value}`] as const,
          [name, `${name}=${value}&${encode(name)}=${value}`] as const,
        ]),
      ]);
      await forEach(queries, ([name, query]) =>
        target.assertProblem({ path: `${target.path()}?${query}`, mentions: [name] }, 'validation_error'),
      );
    },
  },
  {
    id: 'request.separator',
    title: 'only `&` separates parameters, and only the first `=` a name from its value',
    change: 'Split the query at `&` alone, before it is decoded.',
    dependsOn: ['list.invalid_limit'],
    check: async (target) => {
      const [first, second] = queryOf(target);
      if (first === undefined || second === undefined) return;
      const [name, value] = first;
      const of = `${name}=${value}`;
      const other = `${second[0]}=${await someId(target)}`;
      const queries = [`${of};${other}`, `${of}%26${other}`, `${of}?${other}`, `${name}=${of.slice(name.length)}`];
      await forEach(queries, (query) =>
        target.assertProblem({ path: `${target.path()}?${query}`, mentions: [name] }, 'validation_error'),
      );
    },
  },
  {
    id: 'request.parameter_case',
    title: 'parameter names are case-sensitive',
    change: 'Compare the names of parameters exactly.',
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

/** @returns the id of an item, or of none. */
const someId = async (target: Target): Promise<string> => (await target.items(0))[0]?.id ?? UNKNOWN_ID;

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

/** Rules of requests: paths, methods, parameters, and input that is ignored. */
import { COLLECTIONS, filterOf } from '../../contract/collections.ts';
import { Failure, forEach } from '../rules/rule.ts';
import { say } from '../rules/text.ts';
import { assertCases, assertTogether, besideOthers, cases, filtered, rejected } from './cases.ts';
import type { Case } from './cases.ts';
import { isPathOf } from './response-rule.ts';
import type { ContractRule } from './contract-rule.ts';
import { assertThat } from './checked-session.ts';
import type { Request } from './checked-session.ts';
import type { Target } from './target.ts';
import { IGNORED_BODY, IGNORED_HEADERS, UNKNOWN_ID } from './values.ts';

// Methods that frameworks know and applications forget. Operations check them in turn.
const OTHER_METHODS = 'PATCH PROPFIND SEARCH PATCH REPORT QUERY COPY MKCOL LINK PURGE'.split(' ');

const OVERRIDES = ['x-http-method-override', 'x-method-override', 'x-http-method'];

// Requests whose body, header or query names another method, as frameworks read it. Sent without a key.
const JSON_POST: Case[1] = { headers: { 'content-type': 'application/json' }, body: '{' };
const POSTS: readonly Case[1][] = [
  { headers: Object.fromEntries(OVERRIDES.map((name) => [name, 'GET'])), body: '' },
  { headers: { 'content-type': 'application/x-www-form-urlencoded' }, query: '_method=GET', body: '_method=GET' },
];

const SUFFIXES = ['.json', ';v=1', '%20', '&limit=1', '%3Flimit=1'];
const PREFIXES = ['/v1', '/api', '/index.php', '//conform.example', '/v2', '/graphql'];

// Names of parameters that frameworks and other APIs have.
const COMMON_NAMES = ['sort', 'format', '__proto__', 'constructor'];
// Names of other APIs, which lists check in turn, like those of records. An operation without query parameters checks all: any name is unknown there.
const OTHER_NAMES = [
  ...'page cursor fields callback _method id offset utm_source _ toString pretty order'.split(' '),
  ...'starting_after ending_before per_page q search api-version created.gt account tenant'.split(' '),
];
const OF_RECORDS = ['name', 'type'];
// Names that other APIs have where they retrieve an item.
const LOOKUP_NAMES = ['expand', 'include', 'embed', 'select', 'version'];
/** @returns the names of all filters: an operation without such a parameter rejects it. */
const filters = (): ReadonlySet<string> => new Set(COLLECTIONS.flatMap((collection) => filterOf(collection) ?? []));
// A message that repeats it whole is longer than the contract allows.
const LONG_NAME = 'x'.repeat(2000);
// Queries that parsers read as another name, or not at all.
const ODD_QUERIES = [
  ...['nonsense', 'nonsense=', '=1', 'filter[status]=enabled', `nonsense=${'x'.repeat(3000)}`],
  ...['nonsense=<script>', 'nonsense=%ff', 'nonsense=%', '%25=1', '__proto__[nonsense]=1'],
  ...['nonsense[constructor]=1', '%6Eonsense=1', 'nonsense=1&nonsense=1', '%ff=1', '%C3%A9=1', 'nonsense=%F0%9F%98%80'],
];

const TYPES = [
  ...['text/plain', 'application/xml, image/*;q=0.5', '*/*;q=0', 'nonsense', 'application/vnd.api+json'],
  ...['application/json;version=0', 'text/event-stream', ''],
];

// How libraries, crawlers and browsers call themselves.
const CLIENTS = ['curl/8.11.1', 'python-requests/2.32.5', 'Mozilla/5.0 (compatible; conform)'] as const;

const JSON_BODY = { 'content-type': 'application/json' };
const FIRST_BODY = { headers: JSON_BODY, body: IGNORED_BODY };
/** Bodies that a framework parses, or merges into the parameters. */
const OTHER_BODIES: readonly Partial<Request>[] = [
  { headers: JSON_BODY, body: '{' },
  {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'transfer-encoding': 'chunked',
      expect: '100-continue',
    },
    body: 'limit=1&status=nonsense&_method=DELETE',
  },
  { headers: { 'content-type': 'multipart/form-data', 'content-encoding': 'gzip' }, body: '{'.repeat(2000) },
  { headers: { 'content-type': 'application/json; charset=utf-16' } },
  { headers: { 'content-type': 'nonsense' } },
  { headers: { 'content-type': 'application/xml' } },
];

/** The rules without which no page is known to be right. */
const OF_PAGES = ['list.pagination', 'list.limit'];

const UUID = /[0-9a-f-]{36}$/i;
const toUpper = (text: string): string => text.toUpperCase();

export const REQUEST_RULES: readonly ContractRule[] = [
  {
    id: 'request.exact_path',
    title:
      'a request for a path with a trailing slash, another case, an escaped slash, a suffix or a matrix parameter (;v=1) returns 404 not_found',
    change: 'Switch on strict and case-sensitive routing, and redirect nothing.',
    check: async (target) => {
      const path = await target.likelyPath();
      const { contract, operation, list } = target;
      const [id = ''] = UUID.exec(path) ?? [];
      const start = path.slice(0, path.length - id.length);
      // The first letter, that of the last word, and all.
      const inUpper = [/[a-z]/, /[a-z](?=[a-z]*\/?$)/, /[a-z]/g].map((letters) => start.replace(letters, toUpper) + id);
      const suffixed = target.shareOf([...SUFFIXES.map((suffix) => `${path}${suffix}`), path.replace(/s$/, '')]);
      // `/imports/index.html` is the path of an id, whose rules are those of ids.
      const isOfId = (asked: string): boolean =>
        contract.operations.some((other) => other !== operation && isPathOf(other, asked));
      const page = [`${path}/index.html`].filter((asked) => !isOfId(asked));
      const ofList = list === undefined ? [path.replaceAll('-', '_'), ...page, ...suffixed] : [];
      const others = new Set([...inUpper, ...ofList]);
      others.delete(path);
      await assertCases(
        target,
        [`${path}/`, ...others].map((asked): Case => [
          isOfId(asked) ? 'validation_error' : 'not_found',
          { path: asked },
        ]),
      );
      // A proxy may reject an escaped slash in its own way.
      const merged = ['%2F', '%5C'].map((slash) => path.replace(/(?<=.)\//, slash));
      await forEach(path.lastIndexOf('/') > 0 ? merged : [], async (asked) => {
        const answer = await target.send({ path: asked, isRaw: true });
        assertThat(answer, answer.status >= 300, say`${contract.problemStatus.not_found} not_found`);
      });
      const response = await target.send({ path: path.replace(/\w/, escapeOf) });
      const isRight = [200, contract.problemStatus.not_found].includes(response.status);
      assertThat(response, isRight, say`200, or ${contract.problemStatus.not_found} not_found`);
    },
  },
  {
    id: 'request.unknown_path',
    title: 'a request for an unknown path returns 404 not_found, even without a key',
    change:
      'Route whole paths only, before the key is checked, and return the JSON error from the handler of all other paths.',
    check: cases(async (target, path) => {
      const [item] = target.list === undefined ? await target.items(0) : [];
      const parent = path.slice(0, path.lastIndexOf('/'));
      const beside = ['/nonsense', ...target.shareOf(PREFIXES)].map((prefix) => `${prefix}${path}`);
      const unknown = [
        ...beside,
        ...[`${path}/nonsense/nonsense`, `${path}/${item?.id ?? UNKNOWN_ID}`],
        ...(parent === '' ? [] : [parent, `${parent}/`]),
        ...(target.list === undefined ? [`${path}/count`] : []),
        // Without the first word, and with it as the beginning of the second one.
        ...[path.replace(/^\/\w+\//, '/'), path.replace(/^\/(\w+)s\//, '/$1-')],
      ].filter((asked) => !target.contract.operations.some((operation) => isPathOf(operation, asked)));
      // Near known paths without a key, which does not count there; that of a single item with it too.
      const single = unknown.filter((asked) => item !== undefined && asked.endsWith(item.id));
      return [
        ...unknown.map((asked): Case => {
          return ['not_found', { path: asked, ...(!beside.includes(asked) && { authorization: null }) }];
        }),
        ...single.map((asked): Case => ['not_found', { path: asked }]),
      ];
    }),
  },
  {
    id: 'request.leading_slashes',
    title: 'several leading slashes count as one',
    change: 'Replace several leading slashes by one before routing; do not redirect.',
    dependsOn: OF_PAGES,
    check: cases((target, path) => [
      ['same', { path: `${target.shareOfAll(['//', '//'])[0] ?? '///'}${path.slice(1)}` }],
    ]),
  },
  {
    id: 'request.fragment',
    title: 'a fragment in the request target is ignored',
    change: 'Cut the request target at the first `#`.',
    dependsOn: OF_PAGES,
    check: cases((target, path) => [
      ['same', { path: `${path}${target.shareOfAll(['#?limit=0'])[0] ?? '#fragment'}` }],
      ...(target.list === undefined ? [[200, { query: `limit=${String(target.limits.min)}#x` }] as const] : []),
    ]),
  },
  {
    id: 'request.ignored_input',
    title: 'a request body and a Content-Type are ignored',
    change: 'Do not parse the body of a GET, and do not look at its type, length and encodings.',
    dependsOn: OF_PAGES,
    check: cases((target) => [FIRST_BODY, ...target.shareOfAll(OTHER_BODIES)].map((body): Case => ['same', body])),
  },
  {
    id: 'request.unknown_parameter',
    title: 'an unknown parameter, or one of another operation, is rejected, alone or with a known one',
    change:
      'Compare the names in the query with those of the operation (a set, not an object with a prototype); reject any other.',
    check: cases(async (target) => {
      const known = queryOf(target);
      const foreign = ['limit', 'after', 'before', ...filters()].filter((name) => !target.queryNames.includes(name));
      const others =
        target.list === undefined ? target.shareOf([...OTHER_NAMES, ...OF_RECORDS]) : [...OTHER_NAMES, ...LOOKUP_NAMES];
      // As frameworks write lists.
      const brackets = known.flatMap(([name, value]) => [`${name}[]=${value}`, `${name}%5B0%5D=${value}`]);
      const marked = known.slice(0, 1).flatMap(([name, value]) => [`$${name}=${value}`, `%20${name}=${value}`]);
      const item = target.list === undefined ? (await target.items(0))[0] : undefined;
      const after = item === undefined ? [] : foreign.map((name) => `after=${item.id}&${name}=1`);
      // A value that another list takes.
      const valueOf = (name: string): string =>
        target.otherLists().flatMap((other) => other.parameter(name)?.enum ?? [])[0] ?? '1';
      const alone = ['nonsense=1', ...foreign.map((name) => `${name}=${valueOf(name)}`), ...after];
      const queries = [
        ...known.slice(0, 1).map(([name, value]) => `${name}=${value}&nonsense=1`),
        ...[LONG_NAME, ...COMMON_NAMES, ...others].map((name) => `${name}=1`),
        ...[...target.shareOfAll(ODD_QUERIES), ...target.shareOf([...brackets, ...marked])],
      ];
      const all = [...alone, ...(await besideOthers(target, queries))];
      const other = target.otherAccount;
      const ofOther = other && { path: `${other.path()}?nonsense=1`, authorization: `Bearer ${other.key}` };
      return [...all.map(rejected), ...(ofOther ? [['validation_error', ofOther] as const] : [])];
    }),
  },
  {
    id: 'request.ignored_headers',
    title: 'Accept and all headers that are not in the contract are ignored',
    change:
      'Remove content negotiation, ranges, dates and overrides from the handling of a GET: only the headers of the contract count.',
    dependsOn: [...OF_PAGES, 'request.unknown_path', 'request.unknown_parameter'],
    check: async (target) => {
      // Without a key, because a server that heeds it would delete an item.
      const headers = Object.fromEntries(OVERRIDES.map((name) => [name, 'DELETE']));
      const overridden = await target.send({ path: await target.likelyPath(), authorization: null, headers });
      const { method_not_allowed, missing_api_key } = target.contract.problemStatus;
      const isIgnored = overridden.status !== method_not_allowed;
      assertThat(overridden, isIgnored, say`${missing_api_key}, as without the header`);
      await assertCases(
        target,
        target
          .shareOfAll(TYPES)
          .map((accept, at) => ['same', { headers: { accept, 'user-agent': target.inRotation(CLIENTS, at) } }]),
      );
      const errors = [['not_found', { path: `/nonsense${target.path()}` }] as const, rejected('nonsense=1')];
      const [error = ['same', {}] as const] = target.shareOfAll([...errors, ...errors]);
      await assertTogether(Object.entries({ accept: 'text/html', ...IGNORED_HEADERS }), (some) => {
        const headers = Object.fromEntries(some);
        return assertCases(target, [
          ['same', { headers }],
          [error[0], { ...error[1], headers }],
        ]);
      });
    },
  },
  {
    id: 'request.method_not_allowed',
    title: 'a request with another method returns 405, with any key, id, query and body',
    change:
      'Decide by the method of the request line, before the key, and by nothing in the body, the query or headers.',
    check: cases((target, path) => {
      const malformed = target.path('x');
      const methods = [
        { method: 'POST', path: `/${path}` },
        { method: 'DELETE', path: target.list === undefined ? `${path}?nonsense=1` : malformed },
        ...['PUT', ...target.shareOfAll(OTHER_METHODS)].map((method) => ({ method })),
      ];
      const all = [
        ...methods,
        ...[JSON_POST, ...target.shareOfAll(POSTS)].map((request) => ({ ...request, method: 'POST' })),
      ];
      return all.map((request): Case => ['method_not_allowed', { ...request, authorization: null }]);
    }),
  },
  {
    id: 'request.method_case',
    title: 'methods are case-sensitive: `get` is not GET',
    change: 'Compare methods exactly.',
    dependsOn: ['request.method_not_allowed'],
    check: async (target) => {
      const [path, method] = [await target.likelyPath(), target.shareOfAll(['get', 'get'])[0] ?? 'Get'];
      // Sent as it is, because HTTP clients write methods in upper case. A server may reject it in its own way, or close the connection.
      const answer = await target.send({ method, path, authorization: null, isRaw: true }).catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error;
        return undefined;
      });
      if (answer === undefined) return;
      const { method_not_allowed, missing_api_key } = target.contract.problemStatus;
      // A key is asked for where the method is taken for GET.
      const isOther = answer.status >= 400 && answer.status !== missing_api_key;
      assertThat(answer, isOther, say`${method_not_allowed} method_not_allowed`);
    },
  },
  {
    id: 'request.encoding',
    title:
      'percent-encoded characters of names, values and ids are decoded; an empty query, or an empty part of it, has no parameters',
    change: 'Split the path at `/`, and the query at `&` and `=`, first; then decode each part once.',
    dependsOn: ['list.pagination', 'list.limit'],
    check: async (target) => {
      const { list, limits } = target;
      await assertCases(target, [
        ['same', { query: '' }],
        ['same', { query: '&&' }],
      ]);
      const [item] = await (list ?? target).items(1);
      if (list !== undefined)
        return assertCases(target, [
          ['same', { path: target.path(item?.id).replace(UUID, (id) => id.replaceAll('-', '%2D')) }],
        ]);
      const cursor = { after: item?.id ?? '' };
      const queries = [[filtered(target), inValues] as const, [cursor, inValues] as const, [cursor, escaped] as const];
      await forEach(queries, async ([query, escape]) => {
        const path = target.pathWith({ limit: limits.min, ...query });
        const plain = await target.request({ path });
        target.assertSame(plain, await target.request({ path: path.replace(/(?<=[?]).*/, escape) }));
      });
    },
  },
];

const escapeOf = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
/** @returns a query with its hyphens and the first character of each name and value percent-encoded. */
const escaped = (text: string): string => text.replaceAll(/(?<=^|[&=])[^&=]|-/g, escapeOf);
/** @returns the same, with its names as they are. */
const inValues = (text: string): string => text.replaceAll(/(?<==)[^&]|-/g, escapeOf);

/** Rules of operations with parameters in the query. */
export const PARAMETER_RULES: readonly ContractRule[] = [
  {
    id: 'request.repeated_parameter',
    title: 'a repeated parameter is rejected, even with the same value',
    change: 'Reject a name that is in the query twice, whatever its values are, after it is decoded.',
    check: cases((target) =>
      queryOf(target)
        .flatMap(([name, value, other = value]) => {
          const one = `${name}=${value}`;
          const inTurn = [
            ...target.shareOf([`${one}&${name}[]=${value}`]),
            ...target.shareOf([`${name}=&${one}`, `${one}&${escaped(one)}`, `${one}&${name}=`]),
          ];
          return [...new Set([`${one}&${name}=${other}`, `${one}&${one}`]), ...inTurn];
        })
        .map(rejected),
    ),
  },
  {
    id: 'request.separator',
    title: 'only `&` separates parameters, and only the first `=` a name from its value',
    change: 'Split the query only at `&`, before it is decoded.',
    dependsOn: ['list.invalid_limit'],
    check: cases(async (target) => {
      const [item] = await target.items(0);
      const [[name, value] = ['', ''], [second] = ['']] = queryOf(target);
      const [one, other] = [`${name}=${value}`, `${second}=${item?.id ?? UNKNOWN_ID}`];
      const separators = [';', target.inRotation(['%26', '?', '&amp;'], 0)];
      return [...separators.map((separator) => `${one}${separator}${other}`), `${name}==${value}`, `${one}=`].map(
        rejected,
      );
    }),
  },
  {
    id: 'request.parameter_case',
    title: 'parameter names are case-sensitive',
    change: 'Compare the names of parameters exactly.',
    dependsOn: ['request.unknown_parameter'],
    check: cases((target) =>
      queryOf(target).map(([name, value], at) => {
        const isCapitalized = (at + target.shareOf([0]).length) % 2 === 0;
        return rejected(`${isCapitalized ? name.replace(/^./, toUpper) : toUpper(name)}=${value}`);
      }),
    ),
  },
];

/** @returns the query parameters, each with a valid value, and with another one if it exists. */
function queryOf({ operation }: Target): (readonly [name: string, value: string, other: string | undefined])[] {
  return operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema: { type, minimum, maximum, enum: [value = UNKNOWN_ID, other] = [] } }) =>
      type === 'integer' ? [name, String(minimum), String(maximum)] : [name, value, other],
    );
}

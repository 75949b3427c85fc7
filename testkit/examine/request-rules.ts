/** Rules of requests: a client sends what the contract describes, and nothing else. */
import { isDeepStrictEqual } from 'node:util';
import { NotChecked } from '../../audit/rules/rule.ts';
import { say } from '../../audit/rules/text.ts';
import type { Contract } from '../../contract/document.ts';
import type { Run } from './client.ts';
import { assertEvery, assertThat, hasPathOf, isId, requestsOfTask } from './judge.ts';
import { ERROR_RUNS, MOVED, REDIRECTED } from './error-rules.ts';
import { RECORDS_BELOW } from './item-rules.ts';
import type { LoggedRequest } from './log.ts';
import { SHORT_BEFORE, assertCursors, assertOnEachRequest } from './pagination-rules.ts';
import { forEachCase, forEachRun } from './rule.ts';
import type { Rule } from './rule.ts';
import { BASE_PATH, idsOf, recordsOf } from './scenario.ts';
import type { Scenario } from './scenario.ts';
import { pathOfTask } from './task.ts';
import type { ListTask, Task } from './task.ts';
import { COMPRESSED, PLAIN_GET, PROPERTIES_OF_GET, SHORT_LISTS } from './value-rules.ts';

const COUNT = 5;
const STATUS = { automations: 'disabled', contactImports: 'in_progress', contactProperties: undefined } as const;

type Listed = keyof typeof STATUS;

const itemsOf = (collection: Listed): readonly { readonly id: string }[] =>
  recordsOf(collection, COUNT, () => (STATUS[collection] === undefined ? {} : { status: STATUS[collection] }));
const of = (task: Task, collection: Listed): Scenario => ({ task, records: { [collection]: itemsOf(collection) } });
const lists = (collection: Listed): readonly Scenario[] => {
  const ids = idsOf(itemsOf(collection));
  const from = collection === 'automations' ? { after: ids[0] } : { before: ids.at(-1) };
  return [
    of({ do: 'list', collection, limit: 2, before: ids[3] }, collection),
    of({ do: 'list-all', collection, limit: 2, status: STATUS[collection], ...from }, collection),
  ];
};
/** @returns the ids that a task prints: all items have its status. */
function idsOfTask(
  { do: kind, collection, limit, after, before }: ListTask,
  records: Scenario['records'] = {},
): readonly string[] {
  const ids = idsOf(records[collection] ?? []);
  const [start, end] = [
    after === undefined ? 0 : ids.indexOf(after) + 1,
    before === undefined ? COUNT : ids.indexOf(before),
  ];
  return ids.slice(start, end).slice(kind === 'list' ? -Number(limit) : 0);
}
/** One page and all pages of each list, with every option, and the retrieval of a record. */
const ALL: readonly Scenario[] = [
  ...lists('automations'),
  ...lists('contactProperties'),
  ...lists('contactImports'),
  PLAIN_GET,
];

/** Values that a client must encode, and what they are sent as. */
const DIFFICULT = [`${String(idsOf(itemsOf('automations'))[0])};v=1/b?c=d#e..`, 'a b+c&limit=1%25"<'] as const;
const ENCODED: readonly Scenario[] = [
  ...DIFFICULT.map((id): Scenario => ({ task: { do: 'get', id } })),
  // With a limit, because some clients always send one.
  { task: { do: 'list', collection: 'automations', after: DIFFICULT[0], limit: 7 } },
  { task: { do: 'list', collection: 'contactImports', before: DIFFICULT[1], limit: 7 } },
];

/** What a request has that should not be, or lacks; `undefined` if it is right. */
type Check = (request: LoggedRequest, run: Run) => string | undefined;

const keyOf: Check = ({ method, headers }, { key }) => {
  if (method === 'OPTIONS') return undefined;
  const [, scheme, token] = /^(\S+) +(\S+)$/.exec(headers['authorization']?.toString() ?? '') ?? [];
  if (headers['authorization'] === undefined) return 'no Authorization header';
  return scheme?.toLowerCase() === 'bearer' && token === key ? undefined : 'another scheme or key';
};
const methodOf: Check = ({ method }) => (['GET', 'HEAD', 'OPTIONS'].includes(method) ? undefined : method);
const bodyOf: Check = ({ headers }) => {
  const length = one(headers['content-length']);
  if (headers['transfer-encoding'] !== undefined) return 'a body of unknown length';
  return length === undefined || length === '0' ? undefined : `a body of ${length} bytes`;
};
const acceptOf: Check = ({ headers }) => {
  const accept = one(headers['accept']) ?? '*/*';
  const allows = /(^|[\s,])(\*\/\*|application\/\*|application\/json)(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accept);
  return allows ? undefined : `Accept: ${accept}`;
};
const ALWAYS = [keyOf, methodOf, bodyOf, acceptOf];

/** Checks every request of the runs. @throws Failure for the first one that `what` finds something in. */
const eachRequest =
  (
    expected: string,
    what: (request: LoggedRequest, run: Run, contract: Contract) => string | undefined,
    others: readonly Scenario[] = [],
  ): Rule['check'] =>
  (examined) =>
    forEachRun(examined, [...ALL, ...others], (run) => {
      for (const [index, request] of run.requests.entries()) {
        const found = what(request, run, examined.contract);
        assertThat(run, found === undefined, expected, `request ${String(index + 1)}: ${String(found)}`);
      }
    });

const one = (value: LoggedRequest['headers'][string]): string | undefined =>
  typeof value === 'object' ? value.join(', ') : value;

/** Names of the key's place, with which nobody is told the key. */
function placesOfKey({ url, headers }: Pick<LoggedRequest, 'url' | 'headers'>, key: string): readonly string[] {
  const others = Object.entries(headers).filter(([name]) => name !== 'authorization');
  const hasKey = (text: string): boolean => [key, btoa(key).replace(/..=*$/, '')].some((it) => text.includes(it));
  return [
    ...(hasKey(decoded(url)) ? ['the URL'] : []),
    ...others.flatMap(([name, value]) => (hasKey(one(value) ?? '') ? [`the header ${name}`] : [])),
  ];
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

/** @throws Failure unless the id or the cursor of the task has been sent as it is, or not at all. */
function assertEncoded(run: Run): void {
  const { task } = run.scenario;
  const [name, value] =
    task.do === 'get' ? ['id', task.id] : task.after === undefined ? ['before', task.before] : ['after', task.after];
  for (const request of requestsOfTask(run)) {
    const { query, url } = request;
    const own = task.do === 'get' ? {} : { [name]: value, limit: String(task.limit) };
    const sent = isId(String(value), query[name]) ? { ...query, [name]: value } : query;
    const isExact = hasPathOf(task, request) && isDeepStrictEqual(sent, own);
    assertThat(run, isExact, `the value ${JSON.stringify(value)}, percent-encoded`, url);
  }
  const { kind } = run.printed.ending;
  assertThat(run, kind === 'exited', 'an error, or `unsupported`');
}

const [AFTER, BEFORE] = ['pagination.after', 'pagination.before'];
const RUNS = ['driver.runs'];
const PARAMETERS = 'requests.parameters';

export const REQUEST_RULES: readonly Rule[] = [
  {
    id: 'requests.key',
    title: 'every GET and HEAD has the key in its Authorization header, as `Bearer <key>`',
    reason: 'A request without the key is rejected, and pages after the first are requests too.',
    dependsOn: RUNS,
    check: eachRequest('Authorization: Bearer <the key that was given>', keyOf),
  },
  {
    id: 'requests.key_elsewhere',
    title: 'the key is nowhere else: not in the URL, in no other header, and not in standard output or standard error',
    reason: 'URLs and other headers are written to logs, and so is output.',
    dependsOn: RUNS,
    check: eachRequest(
      'the key in the Authorization header alone',
      (request, { key, printed }) => {
        if (printed.stdout.includes(key)) return 'the key in standard output';
        if (printed.stderr.includes(key)) return 'the key in standard error';
        const [place] = placesOfKey(request, key);
        return place === undefined ? undefined : `the key in ${place}`;
      },
      ERROR_RUNS,
    ),
  },
  {
    id: 'requests.path',
    title: 'requests go to the paths of the contract exactly, after the base URL; a GET to that of its task',
    reason: 'Paths are case-sensitive, and a path with a trailing slash does not exist.',
    dependsOn: RUNS,
    check: eachRequest('the path of the contract', (request, { scenario: { task } }) => {
      const isFree = request.method !== 'GET' && request.operation !== undefined;
      if (isFree || hasPathOf(task, request)) return undefined;
      return `the path ${request.path}, not ${pathOfTask(task)}`;
    }),
  },
  {
    id: 'requests.method',
    title: 'every request is a GET, HEAD or OPTIONS',
    reason: 'All operations are GET: any other method is rejected with 405.',
    dependsOn: RUNS,
    check: eachRequest('GET', methodOf),
  },
  {
    id: PARAMETERS,
    title: 'requests have only parameters of the contract, each once',
    reason: 'An unknown, repeated or empty parameter is rejected with 422.',
    dependsOn: RUNS,
    check: eachRequest('parameters of the contract, each once', ({ query, operation }, _, contract) => {
      if (operation === undefined) return undefined; // Another rule is about the path.
      const known = contract.operation(operation).parameters.flatMap((it) => (it.in === 'query' ? [it.name] : []));
      const stray = Object.entries(query).find(
        ([name, value]) => !known.includes(name) || typeof value !== 'string' || value === '',
      );
      if (stray === undefined) return undefined;
      const [name, value] = stray;
      if (!known.includes(name)) return `the parameter ${name}`;
      return typeof value === 'string' ? `the parameter ${name} without a value` : `the parameter ${name} twice`;
    }),
  },
  {
    id: 'requests.options',
    title: 'the options of the task are sent for every list: limit and status with each page, and the cursor',
    reason: 'An option that a client drops gives another result than the one that was asked for.',
    dependsOn: [PARAMETERS, 'pagination.limit', 'pagination.filter', 'pagination.every_item', AFTER, BEFORE],
    check: (examined) =>
      forEachRun(examined, ALL, (run) => {
        const { task } = run.scenario;
        const [first] = requestsOfTask(run);
        if (task.do === 'get' || first === undefined) return;
        for (const name of ['limit', 'status'] as const)
          if (task[name] !== undefined) assertOnEachRequest(run, name, String(task[name]));
        const name = task.after === undefined ? 'before' : 'after';
        const [value = '', sent] = [task[name], first.query[name]];
        assertThat(run, isId(value, sent), `${name}=${value} in the first request`, `${name}: ${String(sent)}`);
        if (task.do === 'list-all') assertCursors(run, name);
        assertEvery(run, idsOfTask(task, run.scenario.records));
      }),
  },
  {
    id: 'requests.encoding',
    title: 'ids and cursors with reserved characters are encoded, or rejected before a request',
    reason: 'An id with a slash or a question mark would reach another path or add a parameter.',
    dependsOn: [PARAMETERS, 'requests.path'],
    check: (examined) =>
      forEachCase(
        examined,
        ENCODED.map((scenario) => ({
          scenario,
          unlessFailed: scenario.task.do === 'get' ? undefined : scenario.task.after === undefined ? BEFORE : AFTER,
          check: assertEncoded,
        })),
      ),
  },
  {
    id: 'requests.redirect',
    title: 'the key does not follow a redirect to another origin, of a later page or of `get` neither',
    reason: 'Whoever can redirect one response would have the key. Some HTTP libraries send all headers on.',
    dependsOn: RUNS,
    check: (examined) =>
      forEachRun(examined, REDIRECTED, (run) => {
        for (const { url, headers } of run.strays) {
          const hasKey = headers.authorization?.includes(run.key) === true;
          const place = hasKey ? 'the header authorization' : placesOfKey({ url, headers }, run.key)[0];
          const expected = 'no redirect followed to another origin, or a request there without the key';
          assertThat(
            run,
            place === undefined,
            expected,
            `the key in ${String(place)} of a request to http://${headers.host ?? ''}`,
          );
        }
      }),
  },
  {
    id: 'requests.base_path',
    title: 'a path in the base URL comes before the paths of the contract',
    reason:
      'Gateways serve an API below a path. URL functions replace the path of the base by one that begins with a slash.',
    dependsOn: ['pagination.one_page', 'requests.path', 'requests.method', PARAMETERS],
    check: (examined) =>
      forEachRun(examined, [COMPRESSED, PROPERTIES_OF_GET, ...SHORT_LISTS, SHORT_BEFORE, ...RECORDS_BELOW], (run) => {
        const { task } = run.scenario;
        const expected = `${BASE_PATH}${pathOfTask(task)}, as the base URL ends with ${BASE_PATH}`;
        const other = run.requests.find((it) => {
          const path = it.path.replaceAll(/\/+/g, '/'); // Some clients write two slashes, which servers read as one.
          const isBelow = path.startsWith(BASE_PATH) && hasPathOf(task, { ...it, path: path.slice(BASE_PATH.length) });
          return it.method === 'GET' && !isBelow;
        });
        assertThat(run, other === undefined, expected, other?.path);
      }),
  },
  {
    id: 'requests.no_body',
    title: 'requests have no body',
    reason: 'Proxies and caches drop or reject a GET with a body.',
    dependsOn: RUNS,
    check: eachRequest('no body', bodyOf),
  },
  {
    id: 'requests.accept',
    title: 'an Accept header allows JSON',
    reason: 'A server or proxy that honors Accept would respond with 406.',
    dependsOn: RUNS,
    check: eachRequest('no Accept header, or one that allows application/json', acceptOf),
  },
  {
    id: 'requests.everywhere',
    title:
      'requests of every task and after every response have the key and no body, are a GET, HEAD or OPTIONS, and accept JSON',
    reason: 'Retries, later pages, pages below a path and records are separate code in some clients.',
    dependsOn: ['requests.key', 'requests.method', 'requests.no_body', 'requests.accept', 'retries.same_request'],
    isOfEveryRun: true,
    check: async ({ everyRun }) => {
      const runs = await everyRun();
      if (runs.length === 0) throw new NotChecked(say`the client supports no task`);
      for (const run of runs) {
        for (const [index, request] of run.requests.entries()) {
          const checks = request.url.startsWith(MOVED) ? ALWAYS.filter((it) => it !== keyOf) : ALWAYS;
          const found = checks.map((it) => it(request, run)).find((it) => it !== undefined);
          assertThat(
            run,
            found === undefined,
            'what other requests have',
            `request ${String(index + 1)}: ${String(found)}`,
          );
        }
      }
    },
  },
];

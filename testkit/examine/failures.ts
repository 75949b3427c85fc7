/** The failures of a server, or of the network before it, that rules of errors and of retries inject. */
import type { Collection } from '../../contract/collections.ts';
import type { Contract } from '../../contract/document.ts';
import type { ProblemName } from '../../contract/types.ts';
import type { Fault } from '../faults.ts';
import type { Canned } from './log.ts';
import { automations, idsOf, proxyPage, recordsOf } from './scenario.ts';
import type { Scenario } from './scenario.ts';
import { NETWORK, UNREADABLE } from './task.ts';
import type { ListOptions, ListTask, PrintedError } from './task.ts';

type Errors = readonly [PrintedError, ...PrintedError[]];

export interface ServerFailure {
  /** The rule about a list whose every response fails in this way. */
  readonly rule: string;
  /** @returns a scenario whose responses fail, from the n-th on. @param times how many of them. */
  readonly on: (scenario: Scenario, nth?: number, times?: number) => Scenario;
  /** The lines that report it. */
  readonly errors: (contract: Contract) => Errors;
  /** A list whose every response fails. */
  readonly list: Scenario;
  /** The whole list, and a record, likewise. */
  readonly listAll: Scenario;
  readonly get: Scenario;
  /** A list of several pages, of which every one after the first fails. */
  readonly later: Scenario;
}

/** A page of a list, or the whole list for a client that reads no single pages. */
export const LIST: Scenario = {
  task: { do: 'list', collection: 'automations' },
  alternative: { do: 'list-all', collection: 'automations' },
  records: { automations: automations(8) },
};

const LIST_IDS = idsOf(automations(8));
const LIST_ALL: Scenario = { task: { do: 'list-all', collection: 'automations' }, records: LIST.records };

const IMPORTS = recordsOf('contactImports', 1);
export const GET: Scenario = { task: { do: 'get', id: String(IMPORTS[0]?.id) }, records: { contactImports: IMPORTS } };

/** @returns a list of three pages; before its last item, if it is read backward. Both, and every list, are separate code in some clients. */
export function pagesOf(collection: Collection, isBackward = false): Scenario & { readonly task: ListTask } {
  const items: readonly { readonly id: string }[] = recordsOf(collection, 8);
  const before = isBackward ? items.at(-1)?.id : undefined;
  return { task: { do: 'list-all', collection, limit: 3, before }, records: { [collection]: items } };
}
export const PAGES: ReturnType<typeof pagesOf> = { ...pagesOf('automations'), records: LIST.records };
const pagesWith = (options: ListOptions): Scenario => ({ ...PAGES, task: { ...PAGES.task, ...options } });
const BEFORE = pagesOf('automations', true);
/** A page of another list, with a limit. */
const listOf = (collection: Collection): Scenario => ({
  task: { do: 'list', collection, limit: 3 },
  alternative: { do: 'list-all', collection: 'automations' },
  records: { ...LIST.records, [collection]: recordsOf(collection, 8) },
});
const [IMPORTED, PROPERTIES] = [listOf('contactImports'), listOf('contactProperties')];

const RECORDS: Scenario = { ...listOf('automations'), task: { do: 'records', collection: 'automations', limit: 3 } };

/** Where a failure occurs: kinds of failures differ in it, because a client may report one list's, or one page's, alone. */
interface Place {
  readonly list?: Scenario;
  readonly pages?: Scenario;
  /** The page of the list that fails, and every one after it. */
  readonly nth?: number;
}

const failure = (
  rule: string,
  on: ServerFailure['on'],
  errors: ServerFailure['errors'],
  { list = LIST, pages = PAGES, nth = 2 }: Place = {},
): ServerFailure => ({
  ...{ rule: `errors.${rule}`, on, errors },
  ...{ list: on(list), listAll: on(LIST_ALL), get: on(GET), later: on(pages, nth) },
});

const injected =
  (fault: Fault): ServerFailure['on'] =>
  (scenario, nth = 1, times = Infinity) => ({
    ...scenario,
    prepare: (account) => {
      account.cue({ when: { nth }, then: [{ fail: fault }], times });
    },
  });

const replaced =
  (canned: Canned): ServerFailure['on'] =>
  (scenario, nth = 1, times = Infinity) => ({
    ...scenario,
    respond: (_, number) => (number >= nth && number < nth + times ? canned : undefined),
  });

const problem = (name: ProblemName, place?: Place): ServerFailure =>
  failure(name, injected({ error: name }), ({ problemStatus }) => [{ status: problemStatus[name], name }], place);
const unreadable = (rule: string, on: ServerFailure['on'], status: number, place?: Place): ServerFailure =>
  failure(rule, on, () => [{ status, name: UNREADABLE }], place);

const OK = 200;
const BAD_GATEWAY = 502;
const UNAVAILABLE = 503;
const NO_BACKEND: Canned = { status: UNAVAILABLE, body: '{"message":"no healthy upstream"}' };
const UNAVAILABLE_NAME: ProblemName = 'service_unavailable';
const EXTENDED: Canned = {
  status: UNAVAILABLE,
  body: JSON.stringify({
    ...{ statusCode: UNAVAILABLE, name: UNAVAILABLE_NAME, message: 'The service is temporarily unavailable.' },
    ...{ retryable: true, causes: [] },
  }),
};
const NO_RESPONSE: PrintedError = { status: 0, name: NETWORK };

export const FAILURES = {
  noKey: problem('missing_api_key'),
  wrongKey: problem('invalid_api_key', { pages: pagesWith({ status: 'enabled' }) }),
  notFound: problem('not_found'),
  invalid: problem('validation_error', { list: IMPORTED, pages: pagesWith({ after: LIST_IDS[0] }) }),
  limited: problem('rate_limit_exceeded', { list: PROPERTIES, pages: BEFORE, nth: 3 }),
  internal: problem('application_error', { list: IMPORTED, pages: BEFORE }),
  unavailable: failure(
    'service_unavailable',
    replaced(EXTENDED),
    () => [{ status: UNAVAILABLE, name: UNAVAILABLE_NAME }],
    {
      list: RECORDS,
      pages: pagesOf('contactImports'),
    },
  ),
  badGateway: unreadable('proxy_html', replaced(proxyPage(BAD_GATEWAY)), BAD_GATEWAY, {
    pages: pagesOf('contactImports', true),
  }),
  noBackend: unreadable('proxy_html', replaced(NO_BACKEND), UNAVAILABLE, { list: PROPERTIES }),
  html: unreadable('not_json', replaced(proxyPage(OK)), OK, { pages: pagesOf('contactImports') }),
  malformed: unreadable('not_json', injected({ body: 'malformed' }), OK, { list: IMPORTED }),
  // A client may see a body that is cut as one that cannot be read, or as a connection that failed.
  cut: failure('truncated', injected({ body: 'cut' }), () => [{ status: OK, name: UNREADABLE }, NO_RESPONSE], {
    nth: 3,
  }),
  reset: failure('reset', injected({ disconnect: true }), () => [NO_RESPONSE], { pages: pagesOf('contactProperties') }),
} as const satisfies Readonly<Record<string, ServerFailure>>;

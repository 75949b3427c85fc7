/** The failures of a server, or of the network before it, that rules of errors and of retries inject. */
import type { Collection } from '../../contract/collections.ts';
import type { Contract } from '../../contract/document.ts';
import type { ProblemName } from '../../contract/types.ts';
import type { Fault } from '../faults.ts';
import type { Canned } from './log.ts';
import { automations, proxyPage, recordsOf } from './scenario.ts';
import type { Scenario } from './scenario.ts';
import { NETWORK, UNREADABLE } from './task.ts';
import type { PrintedError } from './task.ts';

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

const LIST_ALL: Scenario = { task: { do: 'list-all', collection: 'automations' }, records: LIST.records };

const IMPORTS = recordsOf('contactImports', 1);
export const GET: Scenario = { task: { do: 'get', id: String(IMPORTS[0]?.id) }, records: { contactImports: IMPORTS } };

/** @returns a list of three pages; before its last item, if it is read backward. Both, and every list, are separate code in some clients. */
export function pagesOf(collection: Collection, isBackward = false): Scenario {
  const items: readonly { readonly id: string }[] = recordsOf(collection, 8);
  const before = isBackward ? items.at(-1)?.id : undefined;
  return { task: { do: 'list-all', collection, limit: 3, before }, records: { [collection]: items } };
}
export const PAGES: Scenario = { ...pagesOf('automations'), records: LIST.records };
const BEFORE = pagesOf('automations', true);

function failure(
  rule: string,
  on: ServerFailure['on'],
  errors: ServerFailure['errors'],
  pages: Scenario = PAGES,
): ServerFailure {
  return {
    ...{ rule: `errors.${rule}`, on, errors },
    ...{ list: on(LIST), listAll: on(LIST_ALL), get: on(GET), later: on(pages, 2) },
  };
}

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

const problem = (name: ProblemName, pages?: Scenario): ServerFailure =>
  failure(name, injected({ error: name }), ({ problemStatus }) => [{ status: problemStatus[name], name }], pages);
const unreadable = (rule: string, on: ServerFailure['on'], status: number, pages?: Scenario): ServerFailure =>
  failure(rule, on, () => [{ status, name: UNREADABLE }], pages);

const OK = 200;
const BAD_GATEWAY = 502;
const UNAVAILABLE = 503;
const NO_BACKEND: Canned = { status: UNAVAILABLE, body: '{"message":"no healthy upstream"}' };
const NO_RESPONSE: PrintedError = { status: 0, name: NETWORK };

export const FAILURES = {
  noKey: problem('missing_api_key'),
  wrongKey: problem('invalid_api_key'),
  notFound: problem('not_found'),
  invalid: problem('validation_error'),
  limited: problem('rate_limit_exceeded', BEFORE),
  internal: problem('application_error', BEFORE),
  unavailable: problem('service_unavailable', pagesOf('contactImports')),
  badGateway: unreadable('proxy_html', replaced(proxyPage(BAD_GATEWAY)), BAD_GATEWAY, pagesOf('contactImports', true)),
  noBackend: unreadable('proxy_html', replaced(NO_BACKEND), UNAVAILABLE),
  html: unreadable('not_json', replaced(proxyPage(OK)), OK),
  malformed: unreadable('not_json', injected({ body: 'malformed' }), OK),
  // A client may see a body that is cut as one that cannot be read, or as a connection that failed.
  cut: failure('truncated', injected({ body: 'cut' }), () => [{ status: OK, name: UNREADABLE }, NO_RESPONSE]),
  reset: failure('reset', injected({ disconnect: true }), () => [NO_RESPONSE], pagesOf('contactProperties')),
} as const satisfies Readonly<Record<string, ServerFailure>>;

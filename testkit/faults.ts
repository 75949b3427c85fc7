/** Fault injection: the faults that a test can request, their validation, and their effect on a response. */
import type { Contract } from '../contract/document.ts';
import { ProblemError } from '../contract/problems.ts';
import type { OperationId, Problem, ProblemName, Responses, Status } from '../contract/types.ts';
import type { Exchange, SendBody } from '../server/http/exchange.ts';
import { setTimeout } from '../server/real-time.ts';
import { whenReady } from '../server/store/store.ts';
import type { MaybePromise } from '../server/store/store.ts';
import { WrongType, WrongValue, assertInteger, assertKnown, assertMs, assertObject } from './assert.ts';

/** More faults than any test needs, so that a mistake in a loop is an error. */
const MAX_PENDING = 1000;

/** The statuses of the contract's errors. */
export type ErrorStatus = Exclude<Status<OperationId>, 200 | 304>;

/** Which requests a fault applies to, and when. */
interface Common {
  /** The operation whose requests fail. Default: every request. */
  readonly operation?: OperationId | undefined;
  /** The delay before the response begins, in milliseconds. Default: 0. */
  readonly delayMs?: number | undefined;
}

/** The statuses whose responses have the header `Retry-After`. */
type LaterStatus = {
  [S in ErrorStatus]: Responses[S] extends { headers: { 'Retry-After': unknown } } ? S : never;
}[ErrorStatus];
/** The errors of these statuses. */
type LaterError = Extract<ProblemName, 'rate_limit_exceeded' | 'service_unavailable'>;

/** The contract's error with this name, or with this status, if only one error has the status. */
type ErrorFault =
  | (Later & ({ readonly error: LaterError } | { readonly status: LaterStatus }))
  | { readonly error: Exclude<ProblemName, LaterError>; readonly retryAfter?: undefined }
  | { readonly status: Exclude<ErrorStatus, LaterStatus>; readonly retryAfter?: undefined };

interface Later {
  /** Value of the `Retry-After` header, in seconds. Default: 1. */
  readonly retryAfter?: number | undefined;
}

/** Half of the body before the connection is cut; or a body of the same length that is not JSON. */
interface BrokenBody {
  readonly body: 'cut' | 'malformed';
  readonly ms?: undefined;
}

/** The body in two halves, with a pause of `ms` milliseconds between them; or in pieces, spread over `ms` milliseconds. */
interface LateBody {
  readonly body: 'stalled' | 'slow';
  readonly ms: number;
}

/** The connection is cut without a response. */
interface Disconnect {
  readonly disconnect: true;
}

/** The regular response, delayed. */
interface Delay {
  readonly delayMs: number;
}

/**
 * An injected failure: one of these, for all requests or those of an `operation`, immediately or after `delayMs`.
 * Faults of the body apply only to responses that have a body: HEAD and a 304 are not affected.
 */
export type Fault = Common & (ErrorFault | BrokenBody | LateBody | Disconnect | Delay);

/** Faults that wait for the requests that they apply to. */
export interface FaultQueue {
  /**
   * Adds a fault for the next `times` requests that it applies to and that no earlier fault takes.
   * @param fault a `Fault`. It is validated, because it may come from JavaScript or from JSON.
   * @throws TypeError or RangeError if the fault is invalid.
   */
  readonly add: (fault: unknown, times: number) => void;
  /** Adds a fault that has been validated, for one request. @throws RangeError if too many wait. */
  readonly addValidated: (fault: ValidatedFault) => void;
  /** @returns the first fault that applies to a request of the operation. It counts as used. */
  readonly take: (operation: OperationId | undefined) => ValidatedFault | undefined;
  /** Removes all faults. */
  readonly clear: () => void;
}

export function createFaultQueue(contract: Contract): FaultQueue {
  const pending: { readonly fault: ValidatedFault; left: number }[] = [];
  const push = (fault: ValidatedFault, times: number): void => {
    if (pending.length === MAX_PENDING)
      throw new WrongValue(`No more than ${String(MAX_PENDING)} faults can be pending.`);
    pending.push({ fault, left: times });
  };
  return {
    add: (fault, times) => {
      if (typeof fault === 'object' && fault !== null && 'times' in fault)
        throw new WrongType('`times` is the second argument, as in `fail({ status: 503 }, 2)`.');
      const validated = validateFault(contract, fault);
      assertTimes(times);
      push(validated, times);
    },
    addValidated: (fault) => {
      push(fault, 1);
    },
    take: (operation) => {
      const index = pending.findIndex(({ fault }) => fault.operation === undefined || fault.operation === operation);
      const next = pending[index];
      if (next === undefined) return undefined;
      next.left -= 1;
      if (next.left === 0) pending.splice(index, 1);
      return next.fault;
    },
    clear: () => {
      pending.length = 0;
    },
  };
}

/** @throws RangeError unless `times` is a whole number of 1 or more, or Infinity. */
export function assertTimes(times: unknown): asserts times is number {
  if (times === Infinity || (Number.isSafeInteger(times) && Number(times) >= 1)) return;
  throw new WrongValue('`times` must be a whole number of 1 or more, or Infinity.');
}

export interface FaultInjector {
  /** Applies a fault to an exchange that has no response yet. @throws ProblemError if the fault is an error of the contract. */
  readonly inject: (fault: ValidatedFault, exchange: Exchange) => MaybePromise<void>;
  /** Cuts the connections of the requests that a fault is being applied to. */
  readonly close: () => void;
}

export function createFaultInjector(): FaultInjector {
  const affected = new Set<Exchange['res']>();
  return {
    inject: ({ delayMs, isDisconnect, body, problem }, exchange) => {
      const { res } = exchange;
      affected.add(res);
      res.once('close', () => affected.delete(res));
      return whenReady(delayMs === 0 ? undefined : sleep(delayMs), () => {
        if (isDisconnect) res.destroy();
        if (body !== undefined) exchange.sendBody = brokenBody(body);
        if (problem !== undefined) throw problem;
      });
    },
    close: () => {
      for (const response of affected) response.destroy();
    },
  };
}

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });

/** A validated fault, in the form that `inject` applies. */
export interface ValidatedFault {
  readonly fault: Fault;
  readonly operation: OperationId | undefined;
  readonly delayMs: number;
  readonly problem?: ProblemError;
  readonly body?: BodyFault;
  readonly isDisconnect: boolean;
}
interface BodyFault {
  readonly kind: 'cut' | 'malformed' | 'stalled' | 'slow';
  /** How long the body takes, in milliseconds. */
  readonly ms: number;
}

const COMMON = ['operation', 'delayMs'];
/** The property that identifies each kind of fault, and the other properties of that kind. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  error: ['retryAfter'],
  status: ['retryAfter'],
  body: ['ms'],
  disconnect: [],
};
const BODY_FAULTS: readonly string[] = ['cut', 'malformed', 'stalled', 'slow'] satisfies BodyFault['kind'][];
const TIMED_BODY_FAULTS: readonly string[] = ['stalled', 'slow'] satisfies BodyFault['kind'][];

/** @throws TypeError for unknown or conflicting properties; RangeError for a number that is out of range. */
export function validateFault(contract: Contract, fault: unknown): ValidatedFault {
  assertObject('A fault', fault, '{ "status": 503 }');
  const kinds = Object.keys(KINDS).filter((name) => name in fault);
  const [kind = 'delayMs', other] = kinds;
  if (other !== undefined || !(kind in fault)) {
    throw new WrongType(`A fault must have one of ${[...Object.keys(KINDS), 'delayMs'].join(', ')}.`);
  }
  assertKnown(`property of a fault with \`${kind}\``, Object.keys(fault), [kind, ...COMMON, ...(KINDS[kind] ?? [])]);

  const { operation, delayMs = 0 } = fault;
  const operations = contract.operations.map(({ id }) => id);
  if (operation !== undefined) assertKnown('operation', [operation], operations);
  assertMs('delayMs', delayMs);
  if (kind === 'disconnect' && fault['disconnect'] !== true) throw new WrongType('`disconnect` must be true.');
  return {
    fault: { ...fault } as unknown as Fault, // Each property has been validated.
    operation: operation as OperationId | undefined,
    delayMs: delayMs as number,
    ...(kind === 'error' || kind === 'status' ? { problem: problemOf(contract, fault) } : {}),
    ...(kind === 'body' ? { body: bodyFaultOf(fault) } : {}),
    isDisconnect: kind === 'disconnect',
  };
}

function bodyFaultOf({ body, ms }: Partial<Record<string, unknown>>): BodyFault {
  assertKnown('body fault', [body], BODY_FAULTS);
  const kind = body as BodyFault['kind'];
  if (TIMED_BODY_FAULTS.includes(kind)) assertMs('ms', ms);
  else if (ms !== undefined) throw new WrongType(`The body fault ${kind} does not support \`ms\`.`);
  return { kind, ms: typeof ms === 'number' ? ms : 0 };
}

/** @returns the error that a fault names, with the message of the contract's example. */
function problemOf(contract: Contract, fault: Partial<Record<string, unknown>>): ProblemError {
  const name = 'error' in fault ? nameOf(contract, fault['error']) : nameOfStatus(contract, fault['status']);
  const response = contract.operations[0]?.responses.get(contract.problemStatus[name]);
  const { example, examples = {} } = response?.content?.['application/json'] ?? {};
  const bodies = [example, ...Object.values(examples).map(({ value }) => value)] as (Problem | undefined)[]; // They match the schema of the response.
  const message = bodies.find((body) => body?.name === name)?.message ?? name;

  const { retryAfter } = fault;
  if (response?.headers?.['Retry-After'] === undefined) {
    if (retryAfter !== undefined) throw new WrongType(`${name} does not support \`retryAfter\`.`);
    return new ProblemError(name, message);
  }
  const { schema, example: defaultSeconds } = contract.headers.RetryAfter;
  const seconds = retryAfter ?? defaultSeconds;
  assertInteger('retryAfter', seconds, schema.minimum ?? 0, schema.maximum ?? 0);
  return new ProblemError(name, message, { retryAfter: Number(seconds) });
}

function nameOf({ problemStatus }: Contract, name: unknown): ProblemName {
  assertKnown('error', [name], Object.keys(problemStatus));
  return name as ProblemName;
}

function nameOfStatus({ problemStatus }: Contract, status: unknown): ProblemName {
  const names = (Object.keys(problemStatus) as ProblemName[]).filter((known) => problemStatus[known] === status); // The keys of problemStatus are the names.
  const [name, other] = names;
  if (name === undefined) {
    const known = [...new Set(Object.values(problemStatus))].sort((a, b) => a - b).join(', ');
    throw new WrongValue(`No error has status ${String(status)}. Expected one of: ${known}.`);
  }
  if (other !== undefined)
    throw new WrongType(`${String(status)} is the status of several errors. Set a name, such as { error: '${name}' }.`);
  return name;
}

// Enough for a client to receive the body in pieces.
const PIECES = 10;

/** @returns a function that writes a body broken or late. */
function brokenBody({ kind, ms }: BodyFault): SendBody {
  return (res, text) => {
    const body = Buffer.from(text);
    const half = Math.floor(body.length / 2);
    switch (kind) {
      case 'cut':
        res.write(body.subarray(0, half), () => res.destroy());
        break;
      case 'malformed':
        res.end(Buffer.concat([body.subarray(0, -1), Buffer.from('\n')])); // An object without its closing brace.
        break;
      case 'stalled':
        writeSlowly(res, [body.subarray(0, half), body.subarray(half)], ms);
        break;
      case 'slow':
        writeSlowly(res, piecesOf(body), ms / (PIECES - 1));
        break;
    }
  };
}

function piecesOf(body: Buffer): Buffer[] {
  const size = Math.ceil(body.length / PIECES);
  return Array.from({ length: PIECES }, (_, index) => body.subarray(index * size, (index + 1) * size));
}

function writeSlowly(res: Exchange['res'], [first, ...rest]: readonly Buffer[], pauseMs: number): void {
  if (res.destroyed) return;
  if (first !== undefined) res.write(first);
  if (rest.length === 0) res.end();
  else setTimeout(writeSlowly, pauseMs, res, rest, pauseMs).unref();
}

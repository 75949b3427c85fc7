/** Failures on demand, so that callers can test how they bear them. */
import type { Contract } from '../contract/document.ts';
import { ProblemError } from '../contract/problems.ts';
import type { OperationId, Problem, ProblemName, Status } from '../contract/types.ts';
import type { Exchange, SendBody } from '../http/exchange.ts';
import type { Intercept } from '../http/pipeline.ts';
import { setTimeout } from '../real-time.ts';
import { after } from '../store/store.ts';
import { demandKnown, demandMs, demandWhole } from './demand.ts';

/** The statuses of the contract's errors. */
export type ErrorStatus = Exclude<Status<OperationId>, 200 | 304>;

/** Whom a fault is for, and when. */
interface Common {
  /** The operation whose requests meet with it; every request unless given. */
  readonly operation?: OperationId;
  /** How long before the answer begins, in milliseconds; 0 unless given. */
  readonly delayMs?: number;
}

/** The contract's error of this name. */
interface ErrorByName {
  readonly error: ProblemName;
  /** In seconds, of errors that have the header; 1 unless given. */
  readonly retryAfter?: number;
}

/** The contract's error of this status, where the status has one name. */
interface ErrorByStatus {
  readonly status: ErrorStatus;
  /** In seconds, of errors that have the header; 1 unless given. */
  readonly retryAfter?: number;
}

/** A half of the usual body, and then the connection is cut; or a body as long as the usual one that is not JSON. */
interface BrokenBody {
  readonly body: 'cut' | 'malformed';
}

/** The usual body: a half of it, a pause of `ms` milliseconds, and the rest; or in pieces, over `ms` milliseconds. */
interface LateBody {
  readonly body: 'stalled' | 'slow';
  readonly ms: number;
}

/** The connection is cut without an answer. */
interface Disconnect {
  readonly disconnect: true;
}

/** The usual answer, later. */
interface Delay {
  readonly delayMs: number;
}

/**
 * A failure on demand: one of these, for all requests or those of an `operation`, at once or after `delayMs`.
 * Of a body, the faults are those of an answer that has one: HEAD and a 304 stay as they are.
 */
export type Fault = Common & (ErrorByName | ErrorByStatus | BrokenBody | LateBody | Disconnect | Delay);

/** What is known of a request before it has a response. */
export interface Met {
  readonly exchange: Exchange;
  readonly operation: OperationId | undefined;
  /** What it meets with. */
  readonly fault: Fault | undefined;
}

export interface Faults {
  /**
   * The next `times` requests that it is for, and that no earlier fault takes, meet with this one.
   * @param fault as `Fault` has it, and checked: it may come from a program without types.
   * @throws TypeError, RangeError
   */
  readonly add: (fault: unknown, times: number) => void;
  /** No request meets with a fault any more. */
  readonly clear: () => void;
  /** Also lets go of the connections of requests that meet with one right now. */
  readonly close: () => void;
  readonly intercept: Intercept;
}

/** @param met told of every request. */
export function createFaults(contract: Contract, met?: (it: Met) => void): Faults {
  const pending: { readonly checked: Checked; left: number }[] = [];
  const held = new Set<Exchange['res']>();

  const take = (operation: OperationId | undefined): Checked | undefined => {
    const at = pending.findIndex(({ checked: { operation: its } }) => its === undefined || its === operation);
    const found = pending[at];
    if (found === undefined) return undefined;
    found.left -= 1;
    if (found.left === 0) pending.splice(at, 1);
    return found.checked;
  };
  const clear = (): void => {
    pending.length = 0;
  };
  return {
    add: (fault, times) => {
      const checked = checkFault(contract, fault);
      if (times !== Infinity && !(Number.isSafeInteger(times) && times >= 1)) {
        throw new RangeError('`times` must be a whole number of 1 or more, or Infinity.');
      }
      pending.push({ checked, left: times });
    },
    clear,
    close: () => {
      clear();
      for (const it of held) it.destroy();
    },
    intercept: (exchange) => {
      const { res, method } = exchange;
      const operation = method === 'GET' || method === 'HEAD' ? exchange.operation?.id : undefined;
      const checked = take(operation);
      met?.({ exchange, operation, fault: checked?.fault });
      if (checked === undefined) return undefined;
      held.add(res);
      res.once('close', () => held.delete(res));
      const { delayMs } = checked;
      return after(delayMs === 0 ? undefined : sleep(delayMs), () => {
        meet(checked, exchange);
      });
    },
  };
}

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });

/** @throws ProblemError */
function meet({ isCut, body, problem }: Checked, exchange: Exchange): void {
  if (isCut) exchange.res.destroy();
  if (body !== undefined) exchange.sendBody = brokenBody(body);
  if (problem !== undefined) throw problem;
}

/** A fault as it is carried out. */
interface Checked {
  readonly fault: Fault;
  readonly operation: OperationId | undefined;
  readonly delayMs: number;
  readonly problem?: ProblemError;
  readonly body?: BodyFault;
  readonly isCut: boolean;
}
interface BodyFault {
  readonly kind: 'cut' | 'malformed' | 'stalled' | 'slow';
  /** How long the body takes. */
  readonly ms: number;
}

const COMMON = ['operation', 'delayMs'];
/** What a fault is known by, and what else such a fault has. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  error: ['retryAfter'],
  status: ['retryAfter'],
  body: ['ms'],
  disconnect: [],
};
const BODIES: readonly string[] = ['cut', 'malformed', 'stalled', 'slow'] satisfies BodyFault['kind'][];
const LASTING: readonly string[] = ['stalled', 'slow'] satisfies BodyFault['kind'][];

/** @throws TypeError for what is not known or does not go together, RangeError for a number out of its range. */
function checkFault(contract: Contract, value: unknown): Checked {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError('A fault must be an object, such as { "status": 503 }.');
  }
  const fault = value as Partial<Record<string, unknown>>; // Whatever it has: each is looked at.
  const kinds = Object.keys(KINDS).filter((it) => it in fault);
  const [kind = 'delayMs', other] = kinds;
  if (other !== undefined || !(kind in fault)) {
    throw new TypeError(`A fault must have one of ${[...Object.keys(KINDS), 'delayMs'].join(', ')}.`);
  }
  demandKnown(`property of a fault with \`${kind}\``, Object.keys(fault), [kind, ...COMMON, ...(KINDS[kind] ?? [])]);

  const { operation, delayMs = 0 } = fault;
  const operations = contract.operations.map((it) => it.id);
  if (operation !== undefined) demandKnown('operation', [operation], operations);
  demandMs('delayMs', delayMs);
  if (kind === 'disconnect' && fault['disconnect'] !== true) throw new TypeError('`disconnect` must be true.');
  return {
    fault: { ...fault } as unknown as Fault, // Each of its properties is looked at here.
    operation: operation as OperationId | undefined,
    delayMs: delayMs as number,
    ...(kind === 'error' || kind === 'status' ? { problem: problemOf(contract, fault) } : {}),
    ...(kind === 'body' ? { body: bodyFaultOf(fault) } : {}),
    isCut: kind === 'disconnect',
  };
}

function bodyFaultOf({ body, ms }: Partial<Record<string, unknown>>): BodyFault {
  demandKnown('fault of a body', [body], BODIES);
  const kind = body as BodyFault['kind'];
  if (LASTING.includes(kind)) demandMs('ms', ms);
  else if (ms !== undefined) throw new TypeError(`A body that is ${kind} has no \`ms\`.`);
  return { kind, ms: typeof ms === 'number' ? ms : 0 };
}

/** @returns the error that a fault names, in the words of the contract's example of it. */
function problemOf(contract: Contract, fault: Partial<Record<string, unknown>>): ProblemError {
  const name = 'error' in fault ? nameOf(contract, fault['error']) : nameOfStatus(contract, fault['status']);
  const response = contract.operations[0]?.responses.get(contract.problemStatus[name]);
  const { example, examples = {} } = response?.content?.['application/json'] ?? {};
  const bodies = [example, ...Object.values(examples).map((it) => it.value)] as (Problem | undefined)[]; // By their schema.
  const message = bodies.find((it) => it?.name === name)?.message ?? name;

  const { retryAfter } = fault;
  if (response?.headers?.['Retry-After'] === undefined) {
    if (retryAfter !== undefined) throw new TypeError(`${name} has no \`retryAfter\`.`);
    return new ProblemError(name, message);
  }
  const { schema, example: usual } = contract.headers.RetryAfter;
  const seconds = retryAfter ?? usual;
  demandWhole('retryAfter', seconds, schema.minimum ?? 0, schema.maximum ?? 0);
  return new ProblemError(name, message, Number(seconds));
}

function nameOf({ problemStatus }: Contract, name: unknown): ProblemName {
  demandKnown('error', [name], Object.keys(problemStatus));
  return name as ProblemName;
}

function nameOfStatus({ problemStatus }: Contract, status: unknown): ProblemName {
  const names = (Object.keys(problemStatus) as ProblemName[]).filter((it) => problemStatus[it] === status); // Its keys are its type.
  const [name, other] = names;
  if (name === undefined) {
    const known = [...new Set(Object.values(problemStatus))].sort((a, b) => a - b).join(', ');
    throw new RangeError(`There is no error of status ${String(status)}. There are: ${known}.`);
  }
  if (other !== undefined)
    throw new TypeError(`${String(status)} has more than one error: name it, as { error: '${name}' }.`);
  return name;
}

// Enough for a caller to see that it comes in pieces.
const PIECES = 10;

/** @returns what writes a body broken, or late. */
function brokenBody({ kind, ms }: BodyFault): SendBody {
  return (res, text) => {
    const body = Buffer.from(text);
    const half = Math.floor(body.length / 2);
    switch (kind) {
      case 'cut':
        res.write(body.subarray(0, half), () => res.destroy());
        break;
      case 'malformed':
        res.end(Buffer.concat([body.subarray(0, -1), Buffer.from('\n')])); // An object that is not closed.
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
  return Array.from({ length: PIECES }, (_, at) => body.subarray(at * size, (at + 1) * size));
}

function writeSlowly(res: Exchange['res'], [first, ...rest]: readonly Buffer[], pauseMs: number): void {
  if (res.destroyed) return;
  if (first !== undefined) res.write(first);
  if (rest.length === 0) res.end();
  else setTimeout(writeSlowly, pauseMs, res, rest, pauseMs).unref();
}

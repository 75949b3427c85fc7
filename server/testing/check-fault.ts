/** Reads a fault, which may come from a program without types: what it does not know it refuses. */
import type { Contract } from '../contract/document.ts';
import { ProblemError } from '../contract/problems.ts';
import type { OperationId, Problem, ProblemName } from '../contract/types.ts';
import { demandKnown, demandMs, demandWhole } from './demand.ts';
import type { Fault } from './fault.ts';

/** A fault as it is carried out. */
export interface Checked {
  readonly fault: Fault;
  readonly operation: OperationId | undefined;
  readonly delayMs: number;
  readonly problem?: ProblemError;
  readonly body?: BodyFault;
  readonly isCut: boolean;
}
export interface BodyFault {
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
export function checkFault(contract: Contract, value: unknown): Checked {
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

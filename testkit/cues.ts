/** Cues: changes that happen at a certain request of an account, so that a test sees a list change while it is read. */
import type { Contract } from '../contract/document.ts';
import type { OperationId } from '../contract/types.ts';
import { parseQuery } from '../server/http/express.ts';
import type { Exchange } from '../server/http/exchange.ts';
import type { Change, Prepare } from './account.ts';
import { WrongType, WrongValue, assertInteger, assertKnown, assertList, assertObject } from './assert.ts';
import { assertTimes, validateFault } from './faults.ts';
import type { Fault, ValidatedFault } from './faults.ts';
import { inspected } from './inspected.ts';

/** The requests of an account that a cue waits for. */
export interface When {
  /** Only requests of this operation. Default: every GET and HEAD of an operation. */
  readonly operation?: OperationId | undefined;
  /** Only requests whose `after` or `before` is this id. */
  readonly cursor?: string | undefined;
  /** The cue fires at the n-th of these requests since it was added. Default: 1. */
  readonly nth?: number | undefined;
}

/** An action of a cue: a change of the account's records or key, or a fault. */
export type Action = Change | { readonly fail: Fault };

/** The options of a new cue. */
export interface CueOptions {
  readonly when: When;
  /** At least one action; they happen in this order. */
  readonly then: readonly Action[];
  /**
   * Default: `before`, which is before the response is computed; a fault then applies to this request. `after` is after the response is
   * sent, and before the next request of the account; a fault then applies to the next request.
   */
  readonly at?: 'before' | 'after' | undefined;
  /** The number of requests at which it fires, starting with the n-th. Default: 1; `Infinity` for all. */
  readonly times?: number | undefined;
}

/** A cue that has been added. */
export interface Cue extends CueOptions {
  readonly at: 'before' | 'after';
  readonly times: number;
  /** 1 for the first cue of the account since its start or the last reset. */
  readonly number: number;
  /** How often it has fired; 0 until its request arrives. */
  readonly fired: number;
  /** The messages of actions that failed, such as the move of an import that has been removed. */
  readonly errors: readonly string[];
}

/** A validated action. */
export type Effect = { readonly change: () => Promise<unknown> } | { readonly fault: ValidatedFault };

/** A cue that fires at a request. */
export interface FiredCue {
  readonly number: number;
  readonly at: 'before' | 'after';
  readonly effects: readonly Effect[];
  /** Reports that an action failed. */
  readonly failed: (error: unknown) => void;
}

/** The cues of an account. */
export interface Cues {
  /** @throws TypeError or RangeError if the cue is invalid. */
  readonly add: (cue: unknown) => Cue;
  readonly list: () => readonly Cue[];
  /** Counts a request. @returns the cues that fire at it, in the order in which they were added. */
  readonly match: (operation: OperationId, exchange: Exchange) => readonly FiredCue[];
  readonly clear: () => void;
}

const MAX_CUES = 1000;
const MAX_ACTIONS = 100;
const MAX_ERRORS = 10;
const OPTIONS: readonly string[] = ['when', 'then', 'at', 'times'] satisfies (keyof CueOptions)[];
const WHEN: readonly string[] = ['operation', 'cursor', 'nth'] satisfies (keyof When)[];
const AT: readonly string[] = ['before', 'after'] satisfies Cue['at'][];

/** @param prepare validates a change of the account. */
export function createCues(contract: Contract, prepare: Prepare): Cues {
  const cues: {
    readonly cue: Cue;
    readonly match: (operation: OperationId, cursor: unknown) => FiredCue | undefined;
  }[] = [];
  let added = 0;
  return {
    add: (value) => {
      const { options, effects } = validated(contract, prepare, value);
      if (cues.length === MAX_CUES) throw new WrongValue(`An account can have no more than ${String(MAX_CUES)} cues.`);
      const { when, at, times } = options;
      const { operation, nth = 1 } = when;
      const cursor = when.cursor?.toLowerCase();
      let [seen, fired]: [number, number] = [0, 0];
      const errors: string[] = [];
      added += 1;
      const cue = inspected<Cue>({
        number: added,
        ...options,
        get fired() {
          return fired;
        },
        errors,
      });
      const firing: FiredCue = {
        number: added,
        at,
        effects,
        failed: (error) => {
          if (errors.length < MAX_ERRORS) errors.push(error instanceof Error ? error.message : String(error));
        },
      };
      cues.push({
        cue,
        match: (requested, sentCursor) => {
          if (operation !== undefined && operation !== requested) return undefined;
          if (cursor !== undefined && cursor !== sentCursor) return undefined;
          seen += 1;
          if (seen < nth || fired >= times) return undefined;
          fired += 1;
          return firing;
        },
      });
      return cue;
    },
    list: () => cues.map(({ cue }) => cue),
    match: (operation, { target, path }) => {
      if (cues.length === 0) return [];
      const { after, before } = parseQuery(target.slice(path.length + 1));
      const sent = after ?? before;
      const cursor = typeof sent === 'string' ? sent.toLowerCase() : undefined;
      return cues.flatMap((cue) => cue.match(operation, cursor) ?? []);
    },
    clear: () => {
      cues.length = 0;
      added = 0;
    },
  };
}

/** @throws TypeError or RangeError that names the property. */
function validated(
  contract: Contract,
  prepare: Prepare,
  value: unknown,
): { readonly options: Pick<Cue, keyof CueOptions>; readonly effects: readonly Effect[] } {
  assertObject('A cue', value, '{ when: { operation: "listAutomations", nth: 2 }, then: [{ fail: { status: 503 } }] }');
  assertKnown('cue property', Object.keys(value), OPTIONS);
  const { when, then, at = 'before', times = 1 } = value;
  assertObject('`when`', when, '{ operation: "listAutomations", nth: 2 }');
  assertKnown('property of `when`', Object.keys(when), WHEN);
  const { operation, cursor, nth = 1 } = when;
  if (operation !== undefined)
    assertKnown(
      'operation',
      [operation],
      contract.operations.map(({ id }) => id),
    );
  if (cursor !== undefined && typeof cursor !== 'string') throw new WrongType('`cursor` must be the id of a record.');
  assertInteger('nth', nth, 1, Number.MAX_SAFE_INTEGER);
  assertKnown('value of `at`', [at], AT);
  assertTimes(times);
  assertList('`then`', then, MAX_ACTIONS);
  if (then.length === 0) throw new WrongType('`then` must have at least one action.');
  const effects = then.map((action: unknown): Effect => {
    if (typeof action !== 'object' || action === null || !('fail' in action)) return { change: prepare(action) };
    assertKnown('property of an action with `fail`', Object.keys(action), ['fail']);
    return { fault: validateFault(contract, action.fail) };
  });
  return { options: { when, then, at, times } as unknown as Pick<Cue, keyof CueOptions>, effects }; // Each property has been validated.
}

/** Failures on demand, so that callers can test how they bear them. */
import type { Contract } from '../contract/document.ts';
import type { OperationId } from '../contract/types.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Intercept } from '../http/pipeline.ts';
import { setTimeout } from '../real-time.ts';
import { after } from '../store/store.ts';
import { brokenBody } from './broken-bodies.ts';
import { checkFault } from './check-fault.ts';
import type { Checked } from './check-fault.ts';
import type { Fault } from './fault.ts';

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

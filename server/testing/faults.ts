/** Failures on demand, so that callers can test how they bear them. */
import type { Contract } from '../contract/document.ts';
import type { OperationId } from '../contract/types.ts';
import type { Intercept } from '../http/application.ts';
import { breakBody } from './broken-bodies.ts';
import { checkFault } from './check-fault.ts';
import type { Checked } from './check-fault.ts';
import type { Fault } from './fault.ts';
import { operationsOf } from './operation-of.ts';

type Request = Parameters<Intercept>[0];
type Response = Parameters<Intercept>[1];

/** What is known of a request before it is answered. */
export interface Met {
  readonly req: Request;
  readonly res: Response;
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
  const operationOf = operationsOf(contract);
  const pending: { readonly checked: Checked; left: number }[] = [];
  const held = new Set<Response>();

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
    intercept: (req, res, next) => {
      const operation = operationOf(req);
      const checked = take(operation);
      met?.({ req, res, operation, fault: checked?.fault });
      if (checked === undefined) {
        next();
        return;
      }
      held.add(res);
      res.once('close', () => held.delete(res));
      const { delayMs } = checked;
      if (delayMs === 0) meet(checked, req, res, next);
      else setTimeout(meet, delayMs, checked, req, res, next).unref();
    },
  };
}

function meet({ isCut, body, problem }: Checked, req: Request, res: Response, next: (error?: unknown) => void): void {
  if (isCut) req.socket.destroy();
  if (res.destroyed || isCut) return;
  if (body !== undefined) breakBody(res, body);
  next(problem);
}

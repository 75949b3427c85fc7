/** Failures on demand, so that callers can test how they bear them. */
import { rateLimitExceeded, unavailable } from '../contract/problems.ts';
import type { ProblemError } from '../contract/problems.ts';
import type { Intercept } from '../http/application.ts';
import type { Fault } from './fault.ts';

const RETRY_AFTER_SECONDS = 1;

export interface Faults {
  /** The next `times` requests that no earlier fault takes meet with this one. */
  add(fault: Fault, times: number): void;
  clear(): void;
  readonly intercept: Intercept;
}

export function createFaults(): Faults {
  const pending: Fault[] = [];
  return {
    add: (fault, times) => {
      for (let at = 0; at < times; at += 1) pending.push(fault);
    },
    clear: () => {
      pending.length = 0;
    },
    intercept: (req, _res, next) => {
      const fault = pending.shift();
      if (fault === undefined) {
        next();
      } else if ('delayMs' in fault) {
        setTimeout(next, fault.delayMs).unref();
      } else if ('disconnect' in fault) {
        req.socket.destroy();
      } else {
        throw problemOf(fault);
      }
    },
  };
}

function problemOf({ status, retryAfter = RETRY_AFTER_SECONDS }: Extract<Fault, { status: number }>): ProblemError {
  return status === 503 ? unavailable(retryAfter) : rateLimitExceeded(retryAfter);
}

/** What requests meet with on demand. In a file of its own, so that published types need none of Express's. */
import type { OperationId, ProblemName, Status } from '../contract/types.ts';

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

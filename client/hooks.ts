/**
 * What a caller is told of requests: for logs, metrics and traces. Hooks may return a promise, which is waited for within the
 * time limits. What a hook throws ends the call: it rejects with that, and nothing is tried again.
 */
import type { NetworkError, TimeoutError } from './errors.ts';

interface Try {
  readonly method: string;
  readonly url: string;
  /** 1 for the first try, 2 for the first that is a retry. */
  readonly attempt: number;
}

export interface RequestEvent extends Try {
  /** The headers that will be sent; what is set here is sent too. The key is not among them. */
  readonly headers: Headers;
}

export interface ResponseEvent extends Try {
  readonly status: number;
  readonly headers: Headers;
  /** From sending the request until the last byte of its answer, in milliseconds. */
  readonly durationMs: number;
}

export interface RetryEvent extends Try {
  /** The status that is the reason, if an answer came. */
  readonly status: number | undefined;
  /** Why no answer came, if none did. */
  readonly error: NetworkError | TimeoutError | undefined;
  /** The pause before the next try, in milliseconds. */
  readonly pauseMs: number;
}

export interface Hooks {
  /** Before each try. */
  readonly onRequest?: ((event: RequestEvent) => unknown) | undefined;
  /** After each answer, whatever its status. */
  readonly onResponse?: ((event: ResponseEvent) => unknown) | undefined;
  /** After a try that failed, before the pause that the next one follows. */
  readonly onRetry?: ((event: RetryEvent) => unknown) | undefined;
}

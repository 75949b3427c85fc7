/** Notices a request: when it came, what it proved to be, and how it ended. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OperationId } from '../contract/types.ts';
import { maskKeys } from '../store/keys.ts';
import type { Caller } from '../store/store.ts';
import type { Observer } from './notices.ts';

/** What those who answer a request tell of it. */
export interface Watch {
  id?: string;
  operation?: OperationId | undefined;
  caller?: Caller;
  /** Of the body; what Express sends has it as a header. */
  bytes?: number;
  isRemembered?: true;
}

const MAX_PATH = 300;

// On the response itself, like in client-errors.ts: nothing is looked up where nobody watches.
const WATCH = Symbol('what is noticed of the request');
type Watched = ServerResponse & { [WATCH]?: Watch };

/** @returns where to tell what is known of a request; `undefined` if nobody watches it. */
export const watchOf = (res: ServerResponse): Watch | undefined => (res as Watched)[WATCH];

/** Watches a request that has just come, until it is over. */
export function watch(req: IncomingMessage, res: ServerResponse, answered: NonNullable<Observer['answered']>): void {
  const started = performance.now();
  const { method = '', url = '' } = req; // Before they are normalized.
  const it: Watch = {};
  (res as Watched)[WATCH] = it;
  res.once('close', () => {
    answered({
      id: it.id === undefined ? undefined : maskKeys(it.id),
      method,
      path: pathOf(url),
      operation: it.operation,
      account: it.caller?.accountName,
      keyId: it.caller?.keyId,
      status: res.headersSent ? res.statusCode : undefined,
      ms: performance.now() - started,
      bytes: method === 'HEAD' ? 0 : (it.bytes ?? Number(res.getHeader('Content-Length') ?? 0)),
      isRemembered: it.isRemembered === true,
      isComplete: res.writableFinished,
    });
  });
}

// Node takes printable ASCII alone. A query may hold a key that went astray, and userinfo of an absolute target a password.
function pathOf(target: string): string {
  const local = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const end = local.search(/[?#]/);
  const masked = maskKeys(end < 0 ? local : local.slice(0, end));
  return masked.length > MAX_PATH ? `${masked.slice(0, MAX_PATH)}...` : masked;
}

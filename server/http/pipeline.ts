/**
 * The pipeline: every request to an operation passes the same stages in the same order, on SQLite and on PostgreSQL. A stage rejects a
 * request by throwing a ProblemError, which ends it: `fail` turns the error into the response. A reply that `reuse` finds skips the two
 * stages that would make it. All state of a request is in its `Exchange`.
 *
 *   stage         file               what it does, and the responses that it can end with
 *
 *   cors          cross-origin.ts    Sets headers for every response, including a 503 and a 422.
 *   admission     admission.ts       Rejects requests before they cost anything. 503: too many connections or requests in flight.
 *                                    422: too many headers, or not HTTP/1.1. A preflight ends after this stage with a 204.
 *   route         router.ts          Finds the operation of the path. Every other path goes to page-requests.ts: a page, or a 404.
 *                                    204: OPTIONS. 405: any other method but GET and HEAD. From here on HEAD is GET: Node omits the body.
 *   authenticate  authentication.ts  Finds the caller of the key. 401: the key is missing or not live. The store may verify a key
 *                                    later: a 422 waits for `confirm`, and any read of `execute` may find that the key is not live.
 *   rate limit    rate-limits.ts     Takes a point from the account. 429: no point is left. This costs the store nothing. If the key
 *                                    later proves not to be live, the point is returned and the address is charged, as for every
 *                                    failed key.
 *   reuse         cache.ts           Finds a cached reply for the same revision. If there is one, the next two stages are skipped.
 *   validate      validation.ts      Turns the target into typed parameters. The result is cached per request template; Express runs
 *                                    express-openapi-validator on a new one. 422: the contract does not allow the parameters.
 *   execute       ../handlers.ts     Calls the handler, which reads the store. 404: the account has no record with the id or cursor.
 *   respond       respond.ts         Writes the 200, or a 304 if the caller has the same body already.
 *
 * A stage is synchronous unless a value is a promise: a cached reply is written in the turn in which its request arrived. The store's
 * revision is read once per exchange, before any cache; a result is cached under that revision, and never found under a newer one.
 */
import type { Operation } from '../../contract/document.ts';
import { ProblemError } from '../../contract/problems.ts';
import type { Call, HandlerReply, Handlers, OperationId } from '../../contract/types.ts';
import type { EnabledPages } from '../pages/pages.ts';
import { KeyNotLive, whenReady } from '../store/store.ts';
import type { MaybePromise, Records, Store } from '../store/store.ts';
import { createAdmission } from './admission.ts';
import { createAuthentication } from './authentication.ts';
import { createCache } from './cache.ts';
import type { Access } from './cache.ts';
import { createCrossOrigin } from './cross-origin.ts';
import { emitCompleted, timeStore } from './events.ts';
import { createRequestIds, openExchange } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { createValidate } from './express.ts';
import type { Application, ListenerParts } from './listener.ts';
import { createPageRequests } from './page-requests.ts';
import type { RateLimits } from './rate-limits.ts';
import { RequestTemplates } from './request-templates.ts';
import { allowedMethods, createRespond } from './respond.ts';
import { createRouter } from './router.ts';

/**
 * Intercepts every exchange except preflights, between `route` and `authenticate`: the test kit injects its faults here. The pipeline continues
 * when it returns or its promise resolves; an error that it throws becomes the response. It may set `sendBody` in the exchange to replace
 * the write of the body, or respond itself.
 */
export type Intercept = (exchange: Exchange) => MaybePromise<void>;

/** The parts of a server. `compose.ts` puts them together. */
export interface Parts extends ListenerParts {
  readonly store: Store;
  readonly createHandlers: (records: Records) => Handlers;
  readonly intercept?: Intercept | undefined;
  /** The maximum size of cached replies in bytes; 0 switches all caches off, those of keys and validation results too. */
  readonly cacheBytes: number;
  readonly rateLimits?: RateLimits | undefined;
  /** Which pages are served. */
  readonly pages: EnabledPages;
  /** The URL at which callers reach the API, if a proxy adds a path prefix. */
  readonly publicUrl?: string | undefined;
}

// One error for all responses: a new one would cost its stack.
const NOT_LIVE = new ProblemError('invalid_api_key', 'This API key is unknown, has been revoked or has expired.');

/** An exchange whose operation is known. */
type OperationExchange = Exchange & { operation: Operation };
type Stage = (x: OperationExchange) => MaybePromise<void>;

/** @returns the server's application. Its responses are those that the contract declares, the pages, and the contract itself. */
export function createPipeline({
  contract,
  store: plainStore,
  intercept,
  observer,
  cacheBytes,
  createHandlers,
  limits,
  rateLimits,
  corsOrigins,
  pages,
  publicUrl,
}: Parts): Application {
  const { completed, read } = observer;
  const store = read === undefined ? plainStore : timeStore(plainStore, read);
  const requestIds = createRequestIds(contract);
  const crossOrigin = createCrossOrigin(allowedMethods(contract), corsOrigins);
  const respond = createRespond(contract, observer, crossOrigin?.vary ?? []);
  const admit = createAdmission(limits);
  const operationOf = createRouter(contract);
  const validateTarget = createValidate(contract);
  const respondWithPage = createPageRequests(contract, respond, pages, publicUrl);
  const templates = cacheBytes > 0 ? new RequestTemplates(contract) : undefined;
  const generationOf = cacheBytes > 0 ? createCache(cacheBytes) : undefined;
  const authenticate = createAuthentication(store, createHandlers, generationOf);

  const handle = (x: Exchange): MaybePromise<void> => {
    if (x.operation === undefined) return respondWithPage(x);
    if (x.method === 'OPTIONS') {
      return whenReady(rateLimits?.show(x), () => {
        respond.options(x);
      });
    }
    if (x.method !== 'GET' && x.method !== 'HEAD') throw respond.methodNotAllowed('This path');
    return run(x as OperationExchange, 0); // It has an operation.
  };

  const spend: Stage = (x) => rateLimits?.spend(x, accessOf(x).caller.account);

  const reuse: Stage = (x) => {
    x.reply = x.generation?.replyOf(accessOf(x), x.url);
    x.isCached = x.reply !== undefined;
  };

  const validate: Stage = (x) => {
    x.parameters = templates?.match(x.url);
    if (x.parameters !== undefined) return undefined;
    const rejection = templates?.rejectionOf(x.url);
    const validated = rejection === undefined ? validateTarget(x) : Promise.reject(rejection);
    return validated.then(
      (parameters) => {
        x.parameters = parameters;
        templates?.add(x.url, parameters);
      },
      async (error: unknown) => {
        if (error instanceof ProblemError) templates?.addRejection(x.url, error);
        await accessOf(x).caller.confirm?.(); // A 401 comes before a 422.
        throw error;
      },
    );
  };

  const execute: Stage = (x) => {
    const access = accessOf(x);
    const call = { account: access.caller.account, ...x.parameters } as unknown as Call<OperationId>; // Validated.
    const done = ({ body }: HandlerReply<OperationId>): void => {
      x.reply = respond.replyOf(x.operation, body);
      x.generation?.addReply(access, x.url, x.reply);
    };
    return whenReady(dispatch(access.handlers, x.operation.id, call), done);
  };

  const STAGES: readonly Stage[] = [authenticate, spend, reuse, validate, execute];

  /** Runs the stages from an index on until there is a reply, and responds with it. */
  const run = (x: OperationExchange, from: number): MaybePromise<void> => {
    for (let index = from; index < STAGES.length && x.reply === undefined; index += 1) {
      const pending = STAGES[index]?.(x);
      if (pending instanceof Promise) return resume(x, pending, index + 1);
    }
    const { reply } = x;
    if (reply === undefined) throw new Error('The last stage made no reply.');
    respond.reply(x, reply);
    return undefined;
  };

  /** A function of its own: a closure in the loop would make a context for every stage. */
  const resume = (x: OperationExchange, pending: Promise<void>, from: number): Promise<void> =>
    pending.then(() => run(x, from));

  const fail = (x: Exchange, thrown: unknown): void => {
    const isKeyNotLive = thrown instanceof KeyNotLive;
    if (isKeyNotLive) x.access = undefined;
    const error = isKeyNotLive ? NOT_LIVE : thrown;
    const counted = isKeyNotLive
      ? rateLimits?.spendFailure(x)
      : x.rateHeaders === undefined
        ? rateLimits?.show(x)
        : undefined;
    if (counted === undefined) respond.error(x, error);
    else {
      counted.then(
        () => {
          respond.error(x, error);
        },
        (limit: unknown) => {
          respond.error(x, limit);
        },
      );
    }
  };

  const proceed = (x: Exchange): MaybePromise<void> => (x.res.destroyed || x.res.headersSent ? undefined : handle(x));
  const begin = intercept === undefined ? proceed : (x: Exchange) => whenReady(intercept(x), () => proceed(x));
  const failLater = (x: Exchange, pending: Promise<void>): void => {
    pending.catch((thrown: unknown) => {
      fail(x, thrown);
    });
  };

  // Without a closure, which would take memory for every request.
  return (req, res, error) => {
    const x = openExchange(req, res, requestIds);
    if (completed !== undefined) emitCompleted(x, completed);
    try {
      if (crossOrigin !== undefined) x.corsHeaders = Object.entries(crossOrigin.headersOf(req)).flat();
      admit(x, error);
      if (crossOrigin?.isPreflight(req) === true) {
        respond.options(x);
        return;
      }
      x.operation = operationOf(x.path);
      const pending = begin(x);
      if (pending instanceof Promise) failLater(x, pending);
    } catch (thrown) {
      fail(x, thrown);
    }
  };
}

/** @throws Error before the stage `authenticate` has run. */
function accessOf({ access }: Exchange): Access {
  if (access === undefined) throw new Error('The request has not been authenticated.');
  return access;
}

/** Calls the handler of an operation. */
function dispatch<Op extends OperationId>(
  handlers: Handlers,
  operation: Op,
  call: Call<Op>,
): MaybePromise<HandlerReply<Op>> {
  const send = (status: number, body: string): HandlerReply<Op> => ({ status, body }) as HandlerReply<Op>; // The brand exists in types only.
  return handlers[operation](call, send);
}

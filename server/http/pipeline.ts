/**
 * What becomes of a request, from top to bottom. Every request to an operation passes the same stages in the same order, whether its
 * result is cached or not, whether it succeeds or fails, on SQLite and on PostgreSQL. A cache is a detail inside the stage whose
 * result it holds. `Exchange` holds all that the stages find out, and an error is thrown anywhere and ends in `fail`.
 *
 *   cors          Headers for every response, a 503 and a 422 too.
 *   admission     Too many connections, or too much in flight, is a 503; too many headers and what is not HTTP/1.1 a 422: before
 *                 anything costs more. A preflight ends here with 204.
 *   route         The path names the operation. What is no operation's goes to Express: the pages, the contract, or a 404.
 *                 OPTIONS is a 204, any other method but GET and HEAD a 405. HEAD is GET from here on: Node leaves the body out.
 *   authenticate  The key's hash is looked for in the store: no key, or none that is live, is a 401. On PostgreSQL a key that has
 *                 been live is taken to be so: the statement of `execute` asks again, and a revoked one is a 401 there.
 *   rate limit    Takes a point of the account; without one, a 429 that costs the store nothing. A key that proves not to be
 *                 live later gives the point back and charges its address, as every failed key does.
 *   reuse         On SQLite, a reply that was made of the same data: the next two stages are left out.
 *   validate      The target becomes typed parameters, by its template, or the first time by express-openapi-validator: or a 422.
 *   execute       The handler reads: the body of a 200, or a 404 for a cursor or an id that the account does not have.
 *   respond       Writes the 200, or a 304 if the caller has the same already.
 *
 * A stage is synchronous unless a value is a promise: a cached reply is written in the turn in which its request came. The store's
 * revision is read once, before any cache is asked; what is read later is cached under it, and never found under a newer one.
 */
import type { Contract, Operation } from '../contract/document.ts';
import { ProblemError, unavailable } from '../contract/problems.ts';
import type { Call, Handlers, OperationId, Reply as HandlerReply } from '../contract/types.ts';
import { createHandlers } from '../handlers.ts';
import { KeyNotLive, after } from '../store/store.ts';
import type { MaybePromise, Store } from '../store/store.ts';
import { invalidKey, requireKey } from './authentication.ts';
import { createCache } from './cache.ts';
import type { Access } from './cache.ts';
import { protocolErrorOf } from './client-errors.ts';
import { createCrossOrigin } from './cross-origin.ts';
import { openExchange } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { createRouter } from './express.ts';
import { createInFlight } from './in-flight.ts';
import { LIMITS } from './limits.ts';
import type { Limits } from './limits.ts';
import type { Application } from './listener.ts';
import { reportEnd } from './notices.ts';
import type { Observer } from './notices.ts';
import type { Pages } from '../pages/pages.ts';
import type { RateLimits } from './rate-limits.ts';
import { createRequestIds } from './request-id.ts';
import { RequestTemplates } from './request-templates.ts';
import { createRespond } from './respond.ts';
import { createRoutes } from './routes.ts';
import { timeStore } from './timed-store.ts';

/**
 * Takes part in every exchange but preflights, once its operation is known and before anything else is done: the test kit's faults do. The
 * pipeline goes on when it returns, or its promise resolves; what it throws is the response. It may leave `sendBody` in the exchange,
 * which then writes the body of the response.
 */
export type Intercept = (exchange: Exchange) => MaybePromise<void>;

export interface Parts {
  readonly contract: Contract;
  readonly store: Store;
  readonly intercept?: Intercept;
  /** Gets the server's events. */
  readonly observer: Observer;
  /** How many bytes of replies are cached; 0 for nothing at all, neither keys nor validation results. */
  readonly cacheBytes: number;
  readonly limits?: Limits;
  readonly rateLimits?: RateLimits | undefined;
  /** Whose scripts may read responses; none unless given. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** Which pages there are; all, unless given. */
  readonly pages?: Pages | undefined;
  /** Where callers reach the API, if a proxy adds a path prefix. */
  readonly publicUrl?: string | undefined;
}

/** An exchange whose operation is known. */
type OperationExchange = Exchange & { operation: Operation };
type Stage = (x: OperationExchange) => MaybePromise<void>;

// When a busy server may have room again.
const BUSY_SECONDS = 1;

/** @returns the server's application. It responds with nothing but what the contract declares, its pages, and the contract itself. */
export function createPipeline({
  contract,
  store: untimed,
  intercept,
  observer,
  cacheBytes,
  limits = LIMITS,
  rateLimits,
  corsOrigins = [],
  pages = { console: true, reference: true },
  publicUrl,
}: Parts): Application {
  const { answered, used, read } = observer;
  const store = read === undefined ? untimed : timeStore(untimed, read);
  const { readerOf } = store;
  const requestIds = createRequestIds(contract);
  const crossOrigin = createCrossOrigin(contract, corsOrigins);
  const respond = createRespond(contract, observer, crossOrigin?.vary ?? []);
  const inFlight = createInFlight(limits.requestsInFlight);
  const operationOf = createRoutes(contract);
  const router = createRouter(contract, respond, pages, publicUrl);
  const handlers = createHandlers(store);
  const templates = cacheBytes > 0 ? new RequestTemplates(contract) : undefined;
  const generationOf = cacheBytes > 0 ? createCache(readerOf === undefined ? cacheBytes : 0) : undefined;
  const busy = unavailable(BUSY_SECONDS);

  const admit = ({ req, res }: Exchange, error: ProblemError | undefined): void => {
    if (error !== undefined) throw error;
    if (!inFlight.enter(res)) throw busy;
    const violation = protocolErrorOf(req);
    if (violation !== undefined) {
      res.shouldKeepAlive = false;
      throw violation;
    }
    if (req.rawHeaders.length > 2 * limits.headerCount) {
      throw new ProblemError('validation_error', 'The request has too many headers.');
    }
  };

  const serve = (x: Exchange): MaybePromise<void> => {
    if (x.operation === undefined) {
      router.page(x, (thrown) => {
        fail(x, thrown);
      });
      return undefined;
    }
    if (x.method === 'OPTIONS') {
      return after(rateLimits?.show(x), () => {
        respond.options(x);
      });
    }
    if (x.method !== 'GET' && x.method !== 'HEAD') throw respond.methodNotAllowed('This path');
    return run(x as OperationExchange, 0); // It has one.
  };

  const authenticate: Stage = (x) => {
    const { authorization = '' } = x.req.headers;
    const revision = readerOf === undefined ? store.revision() : 0;
    x.generation = revision === undefined ? undefined : generationOf?.(revision);
    const cached = x.generation?.accessOf(authorization);
    if (cached !== undefined) {
      x.access = cached;
      x.isKeyUnproved = readerOf !== undefined;
      if (!x.isKeyUnproved) used?.(cached.caller);
      return undefined;
    }
    const hash = requireKey(authorization);
    return after(store.authenticate(hash), (caller) => {
      if (caller === undefined) return rejectKey(x);
      x.access = { caller, handlers: readerOf === undefined ? handlers : createHandlers(readerOf(hash, caller)) };
      x.generation?.addAccess(authorization, x.access);
      used?.(caller);
      return undefined;
    });
  };

  /** @throws ProblemError, always: the key is not live. */
  const rejectKey = async (x: Exchange): Promise<never> => {
    x.generation?.removeAccess(x.req.headers.authorization ?? '');
    x.access = undefined;
    await rateLimits?.spendFailure(x);
    throw invalidKey();
  };

  /** @throws ProblemError if a key that has been live is so no more. */
  const proveKey = async (x: Exchange): Promise<void> => {
    if (!x.isKeyUnproved) return;
    const caller = await store.authenticate(requireKey(x.req.headers.authorization));
    if (caller === undefined) await rejectKey(x);
    else used?.(caller);
  };

  const spend: Stage = (x) => rateLimits?.spend(x, accessOf(x).caller.account);

  const reuse: Stage = (x) => {
    x.reply = x.generation?.replyOf(accessOf(x), x.url);
    x.isCached = x.reply !== undefined;
  };

  const validate: Stage = (x) => {
    x.parameters = templates?.match(x.url);
    if (x.parameters !== undefined) return undefined;
    return router.validate(x).then(
      (parameters) => {
        x.parameters = parameters;
        templates?.add(x.url, parameters);
      },
      async (error: unknown) => {
        await proveKey(x); // A 401 comes before a 422.
        throw error;
      },
    );
  };

  const execute: Stage = (x) => {
    const access = accessOf(x);
    const call = { account: access.caller.account, ...x.parameters } as unknown as Call<OperationId>; // Validated.
    const done = ({ body }: HandlerReply<OperationId>): void => {
      if (x.isKeyUnproved) used?.(access.caller);
      x.reply = respond.replyOf(x.operation, body);
      x.generation?.addReply(access, x.url, x.reply);
    };
    const reply = dispatch(access.handlers, x.operation.id, call);
    const ofPostgres = (error: unknown): Promise<never> => {
      if (error instanceof KeyNotLive) return rejectKey(x);
      if (x.isKeyUnproved && error instanceof ProblemError) used?.(access.caller);
      throw error;
    };
    return after(reply instanceof Promise ? reply.catch(ofPostgres) : reply, done);
  };

  const STAGES: readonly Stage[] = [authenticate, spend, reuse, validate, execute];

  /** Runs the stages from one on, until there is a reply, and responds with it. */
  const run = (x: OperationExchange, from: number): MaybePromise<void> => {
    for (let at = from; at < STAGES.length && x.reply === undefined; at += 1) {
      const pending = STAGES[at]?.(x);
      if (pending instanceof Promise) return pending.then(() => run(x, at + 1));
    }
    const { reply } = x;
    if (reply === undefined) throw new Error('The last stage has made no reply.');
    respond.reply(x, reply);
    return undefined;
  };

  const fail = (x: Exchange, thrown: unknown): void => {
    if (rateLimits === undefined || x.rateHeaders !== undefined) respond.error(x, thrown);
    else {
      void rateLimits.show(x).then(() => {
        respond.error(x, thrown);
      });
    }
  };

  return (req, res, error) => {
    const x = openExchange(req, res, requestIds);
    if (answered !== undefined) reportEnd(x, answered);
    try {
      if (crossOrigin !== undefined) x.corsHeaders = Object.entries(crossOrigin.headersOf(req)).flat();
      admit(x, error);
      if (crossOrigin?.isPreflight(req) === true) {
        respond.options(x);
        return;
      }
      x.operation = operationOf(x.path);
      const pending = after(intercept?.(x), () => (res.destroyed ? undefined : serve(x)));
      if (pending instanceof Promise) {
        pending.catch((thrown: unknown) => {
          fail(x, thrown);
        });
      }
    } catch (thrown) {
      fail(x, thrown);
    }
  };
}

/** @throws Error in a stage before `authenticate`. */
function accessOf({ access }: Exchange): Access {
  if (access === undefined) throw new Error('The key has not been looked at.');
  return access;
}

/** Calls the handler of an operation. */
function dispatch<Op extends OperationId>(
  handlers: Handlers,
  operation: Op,
  call: Call<Op>,
): MaybePromise<HandlerReply<Op>> {
  const send = (status: number, body: string): HandlerReply<Op> => ({ status, body }) as HandlerReply<Op>; // The mark exists in types only.
  return handlers[operation](call, send);
}

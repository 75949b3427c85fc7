/** The HTTP application. What a request meets stands here, from top to bottom. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express from 'express';
import type { NextFunction, Request, Response } from 'express';
import type { Contract } from '../contract/document.ts';
import { ProblemError, unavailable } from '../contract/problems.ts';
import type { Call, OperationId } from '../contract/types.ts';
import { createHandlers } from '../operations/handlers.ts';
import type { Caller, Store } from '../store/store.ts';
import { authenticate } from './authentication.ts';
import { createCache } from './cache/cache.ts';
import type { Cache } from './cache/cache.ts';
import { createVerified } from './cache/verified.ts';
import { ANY_ORIGIN, createCrossOrigin } from './cross-origin.ts';
import { dispatch } from './dispatch.ts';
import type { Checked } from './dispatch.ts';
import { createInFlight } from './in-flight.ts';
import { LIMITS } from './limits.ts';
import type { Limits } from './limits.ts';
import { routeGet } from './methods.ts';
import type { Pages } from './pages/choice.ts';
import { addPages } from './pages/pages.ts';
import { checkParameters, parseQuery } from './parameters.ts';
import type { RateLimits } from './rate-limits.ts';
import { createRequestIds } from './request-id.ts';
import { normalizeRequest } from './request-normalization.ts';
import { createResponses } from './responses.ts';
import { timeStore } from './timed-store.ts';
import type { Observer } from './notices.ts';
import { validatorOf } from './validator.ts';
import { watch, watchOf } from './watch.ts';

/** Sees every request before anything else does; may answer it, throw, or call `next`, also later: with an error to answer, or without. */
export type Intercept = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void;

export interface Parts {
  readonly contract: Contract;
  readonly store: Store;
  readonly intercept?: Intercept;
  /** Told of what the server notices. */
  readonly observer: Observer;
  /** How many bytes of answers are remembered; 0 for none, and everything goes the whole way. */
  readonly cacheBytes: number;
  readonly limits?: Limits;
  readonly rateLimits?: RateLimits | undefined;
  /** Whose scripts may read the answers; none unless given. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** Which pages there are; all, unless given. */
  readonly pages?: Pages | undefined;
}

// When a busy server may have room again.
const BUSY_SECONDS = 1;

/** @returns the application. It answers nothing but what the contract declares, and the contract itself. */
export function createApplication({
  contract,
  store: untimed,
  intercept,
  observer,
  cacheBytes,
  limits = LIMITS,
  rateLimits,
  corsOrigins = [],
  pages = { console: true, reference: true },
}: Parts): RequestListener {
  const { answered, used, read } = observer;
  const store = read === undefined ? untimed : timeStore(untimed, read);
  const handlers = createHandlers(store);
  const requestIds = createRequestIds(contract);
  const vary = corsOrigins.length === 0 || corsOrigins.includes(ANY_ORIGIN) ? [] : ['Origin'];
  const shared = createResponses(contract, requestIds, observer, vary);
  const own = new Map(
    contract.operations.map((it) => [it.id, createResponses(contract, requestIds, observer, vary, it)] as const),
  );
  const crossOrigin = corsOrigins.length === 0 ? undefined : createCrossOrigin(corsOrigins, shared.allow);
  const inFlight = createInFlight(limits.requestsInFlight);
  const refuse = shared.refusalOf(unavailable(BUSY_SECONDS));
  const createShortWay = (): Cache =>
    store.readerOf === undefined
      ? createCache(contract, store, handlers, own, used, cacheBytes, rateLimits)
      : createVerified(contract, store.readerOf, own, used, rateLimits);
  const cache = cacheBytes > 0 ? createShortWay() : undefined;

  const app = express();
  app.disable('x-powered-by');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  app.set('query parser', parseQuery);
  addPages(app, contract, requestIds, shared, pages);
  if (rateLimits !== undefined) {
    app.use(async (req, res, next) => {
      await rateLimits.show(req, res);
      next();
    });
  }
  for (const operation of contract.operations) {
    const responses = own.get(operation.id) ?? shared;
    const callers = new WeakMap<Request, Caller>();
    routeGet(
      app,
      operation.route,
      responses,
      async (req: Request, res: Response, next: NextFunction) => {
        const caller = await authenticate(store, req.get('Authorization')).catch(async (error: unknown) => {
          const isFailedKey = error instanceof ProblemError && error.problem === 'invalid_api_key';
          if (isFailedKey) await rateLimits?.spendFailure(req, res);
          throw error;
        });
        const watched = watchOf(res);
        if (watched !== undefined) watched.caller = caller;
        used?.(caller);
        await rateLimits?.spend(res, caller.account);
        callers.set(req, caller);
        next();
      },
      ...checkParameters(operation, validatorOf(contract)),
      async (req: Request, res: Response) => {
        const caller = callers.get(req);
        if (caller === undefined || !('openapi' in req)) throw new Error('The request was not checked.');
        const checked = checkedOf(operation.id, caller, req);
        const { status, body } = await dispatch(handlers, checked);
        cache?.learn(req, caller, checked);
        responses.sendReply(req, res, status, body);
      },
    );
  }
  app.use(() => {
    throw new ProblemError('not_found', 'There is nothing at this path.');
  });
  app.use(shared.answerError);

  return (req, res) => {
    if (answered !== undefined) watch(req, res, answered);
    const answerWhole = (): void => {
      normalizeRequest(req);
      app(req as Request, res as Response); // Express makes them its own.
    };
    const answer = (): void => {
      if (cache === undefined) answerWhole();
      else cache.answer(req, res, answerWhole);
    };
    if (!inFlight.enter(res)) {
      refuse(req, res);
      return;
    }
    const guarded = (work: () => void): void => {
      try {
        work();
      } catch (error) {
        shared.sendError(req, res, error);
      }
    };
    guarded(() => {
      if (req.rawHeaders.length > 2 * limits.headerCount) {
        throw new ProblemError('validation_error', 'The request has too many headers.');
      }
      if (crossOrigin?.(req, res)) shared.sendOptions(req, res);
      else if (intercept === undefined) answer();
      else {
        intercept(req, res, (error) => {
          if (error === undefined) guarded(answer);
          else shared.sendError(req, res, error);
        });
      }
    });
  };
}

/** @returns what a request has proved to be. */
function checkedOf(operation: OperationId, { account }: Caller, req: Request): Checked {
  const call = { account, query: req.query, path: req.params } as unknown as Call<OperationId>; // Validated, so it is one.
  return { operation, call };
}

/** The HTTP application: what happens to a request, in order. */
import express from 'express';
import type { ErrorRequestHandler, Express, NextFunction, Request, RequestHandler, Response } from 'express';
import { sendBody, sendProblem } from './answer.ts';
import type { Handlers } from './contract.ts';
import { dispatch } from './dispatch.ts';
import { asPlainGet, identify, normalizeTarget } from './edge.ts';
import { authenticate } from './keys.ts';
import { routeGet } from './methods.ts';
import { checkSpelling, explain } from './parameters.ts';
import { ProblemError, toProblemError } from './problems.ts';
import { addReference } from './reference.ts';
import type { Operation, Spec } from './spec.ts';
import type { Account, Store } from './store/store.ts';

export interface Parts {
  readonly spec: Spec;
  /** The validator of requests, from `createValidator`. */
  readonly validator: readonly RequestHandler[];
  readonly store: Store;
  readonly handlers: Handlers;
  /** Sees every request that has its id, before anything else does; may answer it, or throw. */
  readonly intercept?: RequestHandler;
  /** Told of every error that is the server's own, with the id of its request. */
  readonly report: (error: unknown, requestId: string) => void;
}

/** @returns the application. It answers nothing but what the contract declares, and the contract itself. */
export function createApp(parts: Parts): Express {
  const { spec } = parts;

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag'); // Set where the body is made, on 200 only.
  app.enable('strict routing');
  app.enable('case sensitive routing');
  app.set('query parser', 'simple');

  app.use(identify(spec.headers.RequestId.schema), normalizeTarget);
  if (parts.intercept !== undefined) app.use(parts.intercept);
  for (const operation of spec.operations) {
    routeGet(app, spec, operation.route, ...operate(parts, operation));
  }
  addReference(app, spec);
  app.use(() => {
    throw new ProblemError('not_found', 'There is nothing at this path.');
  });
  app.use(answerProblem(parts));
  return app;
}

/** Key, parameters, existence: the order in which an operation is checked. */
function operate(parts: Parts, operation: Operation): (RequestHandler | ErrorRequestHandler)[] {
  const { spec, store, handlers } = parts;
  const accounts = new WeakMap<Request, Account>();
  return [
    async (req: Request, _res: Response, next: NextFunction) => {
      accounts.set(req, await authenticate(store, req.get('Authorization')));
      next();
    },
    asPlainGet,
    checkSpelling(operation),
    ...parts.validator,
    async (req: Request, res: Response) => {
      const { status, body } = await dispatch(handlers, operation.id, accounts.get(req), req);
      sendBody(res, spec, status, body);
    },
    (error: unknown, _req: Request, _res: Response, next: NextFunction) => {
      next(explain(error, operation));
    },
  ];
}

function answerProblem({ spec, report }: Parts): ErrorRequestHandler {
  return (thrown: unknown, _req, res, next) => {
    const error = toProblemError(thrown);
    if (spec.problemStatus[error.problem] >= 500) report(thrown, String(res.get('X-Request-Id')));
    if (res.headersSent) {
      next(thrown); // Too late for an answer: Express cuts the connection.
      return;
    }
    sendProblem(res, spec, error);
  };
}

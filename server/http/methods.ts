/** The methods of a path: GET and HEAD as it answers them, OPTIONS, and 405 for every other. */
import type { ErrorRequestHandler, IRouter, RequestHandler } from 'express';
import { ProblemError } from '../contract/problems.ts';
import type { Responses } from './responses.ts';

/** Answers a path with `handlers`, to the methods that the contract's `Allow` names. */
export function routeGet(
  app: IRouter,
  path: string,
  responses: Responses,
  ...handlers: readonly (RequestHandler | ErrorRequestHandler)[]
): void {
  app
    .route(path)
    .get(...handlers)
    .options((req, res) => {
      responses.sendOptions(req, res);
    })
    .all(() => {
      throw methodNotAllowed('This path', responses.allow);
    })
    .all(responses.answerError);
}

/** @returns the error of a method that `what` does not answer to, unlike those of `allow`, such as `GET, HEAD, OPTIONS`. */
export function methodNotAllowed(what: string, allow: string): ProblemError {
  return new ProblemError('method_not_allowed', `${what} answers only to ${allow.replace(/, ([^,]*)$/, ' and $1')}.`);
}

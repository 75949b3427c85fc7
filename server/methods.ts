/** The methods of a path: GET and HEAD as it answers them, OPTIONS, and 405 for every other. */
import type { ErrorRequestHandler, IRouter, RequestHandler } from 'express';
import { ProblemError } from './problems.ts';
import type { Spec } from './spec.ts';

/** Answers a path with `handlers`, to the methods that the contract's `Allow` names. */
export function routeGet(
  app: IRouter,
  spec: Spec,
  path: string,
  ...handlers: readonly (RequestHandler | ErrorRequestHandler)[]
): void {
  const ofMethodNotAllowed = spec.fixedHeaders.get(spec.problemStatus.method_not_allowed) ?? {};
  app
    .route(path)
    .get(...handlers)
    .options((_req, res) => {
      res.set(ofMethodNotAllowed).status(204).end();
    })
    .all((_req, res) => {
      res.set(ofMethodNotAllowed);
      throw new ProblemError('method_not_allowed', 'This path answers only to the methods in `Allow`.');
    });
}

/**
 * Express: it runs express-openapi-validator on every request template that is not cached, and reads requests for pages. Both are loaded when a
 * request needs them: they take longer to load than all of the server without them.
 */
import { parse } from 'node:querystring';
import type { Express, Request, Response } from 'express';
import type { Contract } from '../../contract/document.ts';
import type { Exchange } from './exchange.ts';
import type { Parameters } from './request-templates.ts';
import type * as Validation from './validation.ts';

/** Parses a whole query string: by default Node stops at 1000 pairs, and the size of a target is bounded anyway. */
export const parseQuery = (text: string): NodeJS.Dict<string | string[]> => parse(text, '&', '=', { maxKeys: 0 });

/** Loads the validation, at the first call only. */
export const loadValidation = (): Promise<typeof Validation> => import('./validation.ts');

/** @returns a function that validates the parameters of an exchange. It rejects with a ProblemError if the contract does not allow them. */
export function createValidate(contract: Contract): (x: Exchange) => Promise<Parameters> {
  const application = lazyExpress(async (app) => {
    const { checkParameters, validatorOf } = await loadValidation();
    for (const operation of contract.operations)
      app.get(operation.route, ...checkParameters(operation, validatorOf(contract)));
  });
  return async (x) => {
    const req = await pass(await application(), x);
    if (!('openapi' in req)) throw new Error('The request was not validated.');
    const { pathParams } = req.openapi as { pathParams: object }; // Set by the validator.
    return { query: req.query, path: pathParams } as unknown as Parameters; // Validated.
  };
}

/** @returns a function that returns an application, which it creates at its first call. @param setUp adds handlers to it. */
export function lazyExpress(setUp?: (app: Express) => Promise<void>): () => Promise<Express> {
  const create = async (): Promise<Express> => {
    const { default: express } = await import('express');
    const app = express();
    app.disable('x-powered-by').enable('strict routing').enable('case sensitive routing');
    app.set('query parser', parseQuery);
    await setUp?.(app);
    return app;
  };
  let created: Promise<Express> | undefined;
  return () => (created ??= create());
}

/** Passes a request to Express. Resolves to the request, with what Express adds to it, when no handler is left. Rejects with what a handler throws. */
export function pass(app: Express, { req, res, target }: Exchange): Promise<Request> {
  req.url = target;
  // The validator does not support HEAD. Node has already recorded that the response has no body.
  if (req.method === 'HEAD') req.method = 'GET';
  // The validator has an unbounded cache keyed by this header.
  delete req.headers['content-type'];
  return new Promise((resolve, reject) => {
    // Express changes the prototypes of request and response.
    app(req as Request, res as Response, (thrown?: unknown) => {
      if (thrown === undefined) resolve(req as Request);
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the handler's own value
      else reject(thrown);
    });
  });
}

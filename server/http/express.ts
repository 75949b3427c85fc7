/**
 * Express: the router of what no operation's path matches, and the judge of every request template that has not been seen, by
 * express-openapi-validator.
 */
import express from 'express';
import type { Request, Response } from 'express';
import type { Contract } from '../contract/document.ts';
import { ProblemError } from '../contract/problems.ts';
import type { Exchange, ExpressLocals } from './exchange.ts';
import { createPages } from '../pages/pages.ts';
import type { Pages } from '../pages/pages.ts';
import { checkParameters, parseQuery } from './parameters.ts';
import type { Parameters } from './request-templates.ts';
import type { Respond } from './respond.ts';
import { validatorOf } from './validator.ts';

export interface Router {
  /** @returns the parameters of the exchange's operation. Rejects with a ProblemError for what the contract does not allow. */
  validate(exchange: Exchange): Promise<Parameters>;
  /** Responds with a page, or calls back with an error: a 404 where there is no page. */
  page(exchange: Exchange, otherwise: (thrown: unknown) => void): void;
}

/** @param publicUrl see `createPages`. */
export function createRouter(
  contract: Contract,
  respond: Respond,
  pages: Pages,
  publicUrl: string | undefined,
): Router {
  const create = (): express.Express => {
    const app = express();
    app.disable('x-powered-by');
    app.enable('strict routing');
    app.enable('case sensitive routing');
    app.set('query parser', parseQuery);
    return app;
  };
  const operations = create();
  for (const operation of contract.operations) {
    operations.get(operation.route, ...checkParameters(operation, validatorOf(contract)));
  }
  const others = create();
  const pageOf = createPages(contract, pages, publicUrl);
  others.use(async (req, res: Response<unknown, ExpressLocals>) => {
    const { exchange } = res.locals;
    const page = pageOf(req);
    if (page === undefined) throw new ProblemError('not_found', 'There is nothing at this path.');
    if ('redirect' in page) respond.redirect(exchange, page.redirect);
    else if (exchange.method === 'OPTIONS') respond.options(exchange);
    else if (req.method === 'GET') respond.document(exchange, await page.document(req));
    else throw respond.methodNotAllowed('This path');
  });
  return {
    validate: async (x) => {
      const req = await new Promise<Request>((resolve, reject) => {
        pass(operations, x, (thrown, req) => {
          if (thrown === undefined) resolve(req);
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as the handler chose it
          else reject(thrown);
        });
      });
      if (!('openapi' in req)) throw new Error('The request was not validated.');
      const { pathParams } = req.openapi as { pathParams: object }; // As the validator leaves it.
      return { query: req.query, path: pathParams } as unknown as Parameters; // Validated, so they are.
    },
    page: (x, otherwise) => {
      pass(others, x, otherwise);
    },
  };
}

/** Hands a request to Express. @param done is called with what a handler throws, or when no handler is left. */
function pass(app: express.Express, x: Exchange, done: (thrown: unknown, req: Request) => void): void {
  const { req } = x;
  req.url = x.target;
  // The validator does not know HEAD. Node has noted already that the response has no body.
  if (req.method === 'HEAD') req.method = 'GET';
  // The validator keeps a cache by it, without bound.
  delete req.headers['content-type'];
  const res = x.res as Response; // Express makes both its own.
  const locals: ExpressLocals = { exchange: x };
  Object.assign(res, { locals });
  app(req as Request, res, (thrown?: unknown) => {
    done(thrown, req as Request);
  });
}

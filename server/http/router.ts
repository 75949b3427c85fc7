/**
 * The router: which operation a path is of. Express routes all other paths, and runs express-openapi-validator on every request template
 * that has not been seen.
 */
import express from 'express';
import type { Request, Response } from 'express';
import type { Contract, Operation } from '../contract/document.ts';
import { ProblemError } from '../contract/problems.ts';
import type { Exchange, ExpressLocals } from './exchange.ts';
import type { Pages } from '../pages/choice.ts';
import { addPages } from '../pages/pages.ts';
import type { Parameters } from './request-templates.ts';
import type { Respond } from './respond.ts';
import { checkParameters, parseQuery, validatorOf } from './validation.ts';

export interface Router {
  /** @returns the operation of a path, as the target has it: by its literal segments, or one `{id}`; `undefined` for every other path. */
  operationOf(path: string): Operation | undefined;
  /** @returns the parameters of the exchange's operation. Rejects with a ProblemError for what the contract does not allow. */
  validate(exchange: Exchange): Promise<Parameters>;
  /** Responds with a page, or calls back with an error: a 404 where there is no page. */
  page(exchange: Exchange, otherwise: (thrown: unknown) => void): void;
}

/** @param publicUrl see `addPages`. */
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
  addPages(others, contract, respond, pages, publicUrl);
  others.use(() => {
    throw new ProblemError('not_found', 'There is nothing at this path.');
  });
  return {
    operationOf: operationMatcher(contract),
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

const ID = '{id}';

function operationMatcher({ operations }: Contract): Router['operationOf'] {
  const literal = new Map<string, Operation>();
  const byPrefix = new Map<string, Operation>();
  for (const operation of operations) {
    const { path, id } = operation;
    if (!path.includes('{')) literal.set(path, operation);
    else if (path.endsWith(`/${ID}`) && !path.slice(0, -ID.length).includes('{'))
      byPrefix.set(path.slice(0, -ID.length), operation);
    else throw new Error(`The path of ${id} is neither literal nor ends with the one parameter ${ID}: ${path}`);
  }
  return (path) => {
    const found = literal.get(path);
    if (found !== undefined) return found;
    const end = path.lastIndexOf('/') + 1;
    return end < path.length ? byPrefix.get(path.slice(0, end)) : undefined;
  };
}

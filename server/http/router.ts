/**
 * The router: it finds the operation of a path. Express serves all other paths, and runs express-openapi-validator on every request
 * template that is not cached. Both are loaded when a request needs them: they take longer to load than all of the server without them.
 */
import { parse } from 'node:querystring';
import type { Express, Request, Response } from 'express';
import type { Contract, Operation } from '../../contract/document.ts';
import { ProblemError } from '../../contract/problems.ts';
import type { Exchange, ExpressLocals } from './exchange.ts';
import { createPages } from '../pages/pages.ts';
import type { Pages } from '../pages/pages.ts';
import type { Parameters } from './request-templates.ts';
import type { Respond } from './respond.ts';
import type * as Validation from './validation.ts';

export interface Router {
  /** @returns the operation of a path, which is literal or ends with one `{id}`; `undefined` for every other path. */
  operationOf(path: string): Operation | undefined;
  /** @returns the validated parameters of an exchange. Rejects with a ProblemError if the contract does not allow them. */
  validate(exchange: Exchange): Promise<Parameters>;
  /** Responds with a page. @param otherwise called with an error instead, such as the 404 of a path without a page. */
  page(exchange: Exchange, otherwise: (thrown: unknown) => void): void;
}

/** Parses a whole query string: by default Node stops at 1000 pairs, and the size of a target is bounded anyway. */
export const parseQuery = (text: string): NodeJS.Dict<string | string[]> => parse(text, '&', '=', { maxKeys: 0 });

/** Loads the validation, at the first call only. */
export const loadValidation = (): Promise<typeof Validation> => import('./validation.ts');

/** @param publicUrl see `createPages`. */
export function createRouter(
  contract: Contract,
  respond: Respond,
  pages: Pages,
  publicUrl: string | undefined,
): Router {
  const createApp = async (): Promise<Express> => {
    const { default: express } = await import('express');
    const app = express();
    app.disable('x-powered-by');
    app.enable('strict routing');
    app.enable('case sensitive routing');
    app.set('query parser', parseQuery);
    return app;
  };
  const createOperations = async (): Promise<Express> => {
    const { checkParameters, validatorOf } = await loadValidation();
    const app = await createApp();
    for (const operation of contract.operations) {
      app.get(operation.route, ...checkParameters(operation, validatorOf(contract)));
    }
    return app;
  };
  const pageOf = createPages(contract, pages, publicUrl);
  const createOthers = async (): Promise<Express> => {
    const app = await createApp();
    return app.use(async (req, res: Response<unknown, ExpressLocals>) => {
      const { exchange } = res.locals;
      const page = pageOf(req);
      if (page === undefined) throw new ProblemError('not_found', 'This path does not exist.');
      if (exchange.method === 'OPTIONS') respond.options(exchange);
      else if (req.method !== 'GET') throw respond.methodNotAllowed('This path');
      else if ('redirect' in page) respond.redirect(exchange, page.redirect);
      else respond.document(exchange, await page.document(req));
    });
  };
  let operations: Promise<Express> | undefined;
  let others: Promise<Express> | undefined;
  return {
    operationOf: operationMatcher(contract),
    validate: async (x) => {
      const app = await (operations ??= createOperations());
      const req = await new Promise<Request>((resolve, reject) => {
        pass(app, x, (thrown, req) => {
          if (thrown === undefined) resolve(req);
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the handler's own value
          else reject(thrown);
        });
      });
      if (!('openapi' in req)) throw new Error('The request was not validated.');
      const { pathParams } = req.openapi as { pathParams: object }; // Set by the validator.
      return { query: req.query, path: pathParams } as unknown as Parameters; // Validated.
    },
    page: (x, otherwise) => {
      (others ??= createOthers())
        .then((app) => {
          pass(app, x, otherwise);
        })
        .catch(otherwise);
    },
  };
}

/** Passes a request to Express. @param done called with the value that a handler throws, or with `undefined` when no handler is left. */
function pass(app: Express, x: Exchange, done: (thrown: unknown, req: Request) => void): void {
  const { req } = x;
  req.url = x.target;
  // The validator does not support HEAD. Node has already recorded that the response has no body.
  if (req.method === 'HEAD') req.method = 'GET';
  // The validator has an unbounded cache keyed by this header.
  delete req.headers['content-type'];
  const res = x.res as Response; // Express changes the prototypes of request and response.
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
    const operation = literal.get(path);
    if (operation !== undefined) return operation;
    const end = path.lastIndexOf('/') + 1;
    return end < path.length ? byPrefix.get(path.slice(0, end)) : undefined;
  };
}

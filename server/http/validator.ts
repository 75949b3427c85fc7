/** express-openapi-validator, set up for this contract. */
import type { RequestHandler } from 'express';
// Inner modules, hence the exact pin: its public entry compiles the schema of OpenAPI itself at every start, even if it is told not
// to check the contract by it. That takes 346 instead of 271 ms from the start to the first 200, and 457 instead of 354 ms of CPU.
import type { Spec } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js';
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';
import type { Contract } from '../contract/document.ts';

export { BadRequest } from 'express-openapi-validator/dist/openapi.validator.js'; // What it throws.

const made = new WeakMap<Contract, readonly RequestHandler[]>();

/**
 * @returns the middleware that checks a request against the contract and fills in defaults; one for a contract, because it
 *   compiles every schema. A contract that it cannot read makes every request fail, and only then: see `warmUp`.
 */
export function validatorOf(contract: Contract): readonly RequestHandler[] {
  const validator = made.get(contract) ?? createValidator(contract);
  made.set(contract, validator);
  return validator;
}

function createValidator({ document, operations }: Contract): readonly RequestHandler[] {
  const apiDoc = withoutResponses(document);
  const routes = operations.map(({ path, route, parameters }) => ({
    basePath: '',
    openApiRoute: path,
    expressRoute: route,
    method: 'GET',
    pathParams: parameters.filter((it) => it.in === 'path').map((it) => it.name),
  }));
  const validator = new OpenApiValidator({
    apiSpec: apiDoc,
    validateSecurity: false, // Its bearer check lets `Basic bearer` pass; see authentication.ts.
    fileUploader: false,
    useRequestUrl: true, // The target as request-normalization.ts has left it.
  });
  const spec = Promise.resolve({ apiDoc, basePaths: [''], routes, serial: 1 });
  return validator.installMiddleware(spec) as readonly RequestHandler[]; // It types its requests with a property that it adds itself.
}

/** @returns a copy, because the validator writes into it, without what it would read at every start (for 20 ms) and never use. */
function withoutResponses(document: object): Spec['apiDoc'] {
  const { components, paths = {}, ...rest } = structuredClone(document) as Spec['apiDoc']; // A contract is one.
  for (const { get } of Object.values(paths)) if (get !== undefined) get.responses = {};
  return {
    ...rest,
    paths,
    components: { schemas: components?.schemas ?? {}, parameters: components?.parameters ?? {} },
  };
}

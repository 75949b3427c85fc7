/** express-openapi-validator, set up for this contract. */
import type { RequestHandler } from 'express';
import { middleware } from 'express-openapi-validator';
import type { Contract } from '../contract/document.ts';

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

function createValidator({ document }: Contract): readonly RequestHandler[] {
  return middleware({
    // A copy, because it writes into it. Its own type is narrower than OpenAPI; it validates the document itself.
    apiSpec: structuredClone(document) as Parameters<typeof middleware>[0]['apiSpec'] & object,
    validateSecurity: false, // Its bearer check lets `Basic bearer` pass; see authentication.ts.
    fileUploader: false,
    useRequestUrl: true, // The target as request-normalization.ts has left it.
  }) as readonly RequestHandler[]; // It types its requests with a property that it adds itself.
}

/** express-openapi-validator, set up for this contract. */
import type { RequestHandler } from 'express';
import { middleware } from 'express-openapi-validator';
import type { Spec } from './spec.ts';

/**
 * @returns the middleware that checks a request against the contract and fills in defaults. A contract that it cannot
 *   read makes every request fail, and only then: see `rehearse`.
 */
export function createValidator({ document }: Spec): readonly RequestHandler[] {
  return middleware({
    // A copy, because it writes into it. Its own type is narrower than OpenAPI; it validates the document itself.
    apiSpec: structuredClone(document) as Parameters<typeof middleware>[0]['apiSpec'] & object,
    validateSecurity: false, // Its bearer check lets `Basic bearer` pass; see keys.ts.
    fileUploader: false,
    useRequestUrl: true, // The target as edge.ts has normalized it.
  }) as readonly RequestHandler[]; // It types its requests with a property that it adds itself.
}

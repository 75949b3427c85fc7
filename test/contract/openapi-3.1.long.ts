/** What a generator of types makes of the contract as OpenAPI 3.1. It loads the TypeScript compiler. */
import { expect, test } from '@jest/globals';
import openapiTS, { astToString } from 'openapi-typescript';
import { readDocument } from '../../contract/document.ts';
import { renderAs31 } from '../../scripts/openapi-3.1.ts';

test('has no index signature when it is TypeScript: a misspelled property would compile', async () => {
  const types = astToString(await openapiTS(JSON.stringify(renderAs31({ ...readDocument('openapi') }))));
  expect(types).toContain('has_more: boolean;');
  expect(types).not.toContain('[key: string]');
});

/**
 * The functions of `node:http` that the server uses. An import by name would evaluate all exports of the module, one of which loads the
 * whole implementation of `fetch`: 30 ms.
 */
import type * as NodeHttp from 'node:http';
import { createRequire } from 'node:module';

// `require` returns an untyped value.
export const { STATUS_CODES, createServer } = createRequire(import.meta.url)('node:http') as typeof NodeHttp;

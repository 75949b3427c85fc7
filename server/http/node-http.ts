/** What is used of `node:http`. Imported by name, it would load the whole client of `fetch` for one of its other names: 30 ms. */
import type * as NodeHttp from 'node:http';
import { createRequire } from 'node:module';

// The module's own type: `require` has none.
export const { STATUS_CODES, createServer, get } = createRequire(import.meta.url)('node:http') as typeof NodeHttp;

/** The typed client of the Rollcall listing API. */
export { createClient } from './client.ts';
export type { Automation, ClientOptions, ContactImport, ContactProperty, RollcallClient } from './client.ts';
export type { Collections, GetOptions, ListOperation, ListOptions } from './collections.ts';
export { ApiError, NetworkError, TimeoutError } from './errors.ts';
export type { Problem, ProblemName } from './errors.ts';
export type { Fetch, FetchOptions, RetryOptions } from './fetch.ts';
export type { Cursor, List, Page, WalkOptions } from './list.ts';
export { rateLimitOf } from './rate-limit.ts';
export type { RateLimit } from './rate-limit.ts';
export type { WaitOptions } from './wait.ts';
export type { components, operations, paths } from '../generated/openapi.ts';

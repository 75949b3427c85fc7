/** The typed client of the Rollcall listing API. */
export { createClient } from './client.ts';
export type { ClientOptions, RollcallClient } from './client.ts';
export type { Call, WithResponse } from './call.ts';
export type { CollectionName, Collections, ListOptions } from './collections.ts';
export { toDate } from './date.ts';
export { ApiError, NetworkError, TimeoutError } from './errors.ts';
export type { CallOptions, Fetch, FetchOptions, RetryOptions } from './fetch.ts';
export type { CallHeaders } from './headers.ts';
export type { Hooks, RequestEvent, ResponseEvent, RetryEvent } from './hooks.ts';
export type { Cursor, List, WalkOptions } from './list.ts';
export type { Page } from './page.ts';
export { rateLimitOf } from './rate-limit.ts';
export type { RateLimit } from './rate-limit.ts';
export type { WaitOptions } from './wait.ts';
export type * from '../generated/models.ts';
export type { components, operations, paths } from '../generated/openapi.ts';

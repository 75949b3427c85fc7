/** The typed client of the Rollcall listing API. */
export { createClient } from './client.ts';
export type { ClientOptions, RollcallClient } from './client.ts';
export type { Call, WithResponse } from './call.ts';
export type { CollectionName, Collections, ListOptions } from './collections.ts';
export { toDate } from './date.ts';
export { ApiError, NetworkError, TimeoutError } from './client-errors.ts';
export type {
  CallOptions,
  Fetch,
  FetchOptions,
  Hooks,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  RetryOptions,
} from './fetch.ts';
export { rateLimitOf } from './headers.ts';
export type { CallHeaders, RateLimit } from './headers.ts';
export type { Cursor, List, Page, WalkOptions } from './list.ts';
export type { WaitOptions } from './wait.ts';
export type * from '../generated/models.ts';
export type { components, operations, paths } from '../generated/openapi.ts';

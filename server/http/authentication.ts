/** Authentication: the bearer key of a request, and whom it lets in. */
import { ProblemError } from '../contract/problems.ts';
import { keyHash } from '../store/keys.ts';
import type { Caller, Store } from '../store/store.ts';

/**
 * @param authorization the `Authorization` header of a request.
 * @returns whom its key lets in.
 * @throws ProblemError `missing_api_key` or `invalid_api_key`.
 */
export async function authenticate(store: Store, authorization: string | undefined): Promise<Caller> {
  const token = bearerToken(authorization);
  if (token === undefined) {
    throw new ProblemError('missing_api_key', 'Send an API key: `Authorization: Bearer <key>`.');
  }
  const caller = await store.authenticate(keyHash(token));
  if (caller === undefined) {
    throw new ProblemError('invalid_api_key', 'This API key is unknown, has been revoked or has expired.');
  }
  return caller;
}

/** @returns the SHA-256 of what such a header shows as a key; `undefined` if it shows none. */
export function hashOf(authorization: string): Buffer | undefined {
  const token = bearerToken(authorization);
  return token === undefined ? undefined : keyHash(token);
}

/** @returns the token of an `Authorization` header; `undefined` if there is none, or it is of another scheme. */
function bearerToken(authorization: string | undefined): string | undefined {
  const token = /^bearer +(.*)$/i.exec(authorization ?? '')?.[1]?.trim();
  return token === '' ? undefined : token;
}

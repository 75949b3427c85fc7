/** Authentication: the bearer key of a request, and whom it lets in. */
import { ProblemError } from '../contract/problems.ts';
import { keyHash } from '../store/keys.ts';

/**
 * @param authorization the `Authorization` header of a request.
 * @returns the SHA-256 of the key that it shows.
 * @throws ProblemError `missing_api_key` if it shows none.
 */
export function requireKey(authorization: string | undefined): Buffer {
  const hash = hashOf(authorization);
  if (hash !== undefined) return hash;
  throw new ProblemError('missing_api_key', 'Send an API key: `Authorization: Bearer <key>`.');
}

/** @returns the error of a key that is not live. */
export function invalidKey(): ProblemError {
  return new ProblemError('invalid_api_key', 'This API key is unknown, has been revoked or has expired.');
}

/**
 * @param authorization as Node has it: without the spaces and tabs around it, which belong to no header. Every other
 *   character, U+00A0 too, is of the key.
 * @returns the SHA-256 of what such a header shows as a key; `undefined` if there is none, or it is of another scheme.
 */
export function hashOf(authorization = ''): Buffer | undefined {
  const key = /^bearer +(.+)$/i.exec(authorization)?.[1];
  return key === undefined ? undefined : keyHash(key);
}

/** Authentication: the bearer key of a request, and the account that it opens. */
import { ProblemError } from '../contract/problems.ts';
import type { Account } from '../contract/types.ts';
import { keyHash } from '../store/keys.ts';
import type { Store } from '../store/store.ts';

/**
 * @param authorization the `Authorization` header of a request.
 * @returns the account its key opens.
 * @throws ProblemError `missing_api_key` or `invalid_api_key`.
 */
export async function authenticate(store: Store, authorization: string | undefined): Promise<Account> {
  const token = bearerToken(authorization);
  if (token === undefined) {
    throw new ProblemError('missing_api_key', 'Send an API key: `Authorization: Bearer <key>`.');
  }
  const account = await store.authenticate(keyHash(token));
  if (account === undefined) {
    throw new ProblemError('invalid_api_key', 'This API key is unknown, has been revoked or has expired.');
  }
  return account;
}

/** @returns the token of an `Authorization` header; `undefined` if there is none, or it is of another scheme. */
function bearerToken(authorization: string | undefined): string | undefined {
  const token = /^bearer +(.*)$/i.exec(authorization ?? '')?.[1]?.trim();
  return token === '' ? undefined : token;
}

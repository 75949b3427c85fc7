/** Bearer keys: how they look, how they are kept, and how a request shows one. */
import { hash, randomBytes } from 'node:crypto';
import { ProblemError } from './problems.ts';
import type { Account, Store } from './store/store.ts';

// Lets people and secret scanners recognise a leaked key.
const KEY_PREFIX = 'rollcall_';
const KEY_BYTES = 20;

/** @returns a new key: the prefix and 160 random bits in hexadecimal. */
export function newKey(): string {
  return KEY_PREFIX + randomBytes(KEY_BYTES).toString('hex');
}

/** @returns what is stored of a key. Plain SHA-256 is enough: there is no guessing 160 random bits. */
export function keyHash(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** @returns the token of an `Authorization` header; `undefined` if there is none, or it is of another scheme. */
function bearerToken(authorization: string | undefined): string | undefined {
  const token = /^bearer +(.*)$/i.exec(authorization ?? '')?.[1]?.trim();
  return token === '' ? undefined : token;
}

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
    throw new ProblemError('invalid_api_key', 'This API key is unknown or has been revoked.');
  }
  return account;
}

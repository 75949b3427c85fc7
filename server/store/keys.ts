/** API keys: how they look, and what is stored of them. */
import { hash, randomBytes } from 'node:crypto';

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

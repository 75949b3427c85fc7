/** API keys: how they look, and what is stored of them. */
import { hash, randomBytes } from 'node:crypto';

// Lets people and secret scanners recognise a leaked key.
const KEY_PREFIX = 'rollcall_';
const KEY_BYTES = 20;

/** @returns a new key: the prefix and 160 random bits in hexadecimal. */
export function newKey(): string {
  return KEY_PREFIX + randomBytes(KEY_BYTES).toString('hex');
}

const KEY = new RegExp(`^${KEY_PREFIX}[0-9a-f]{${String(2 * KEY_BYTES)}}$`);

/** Whether a text looks like a key that this service has made. */
export const isKey = (text: string): boolean => KEY.test(text);

/** @returns what is stored of a key. Plain SHA-256 is enough: there is no guessing 160 random bits. */
export function keyHash(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

// However a path spells the prefix.
const KEY_LIKE = new RegExp(`(${KEY_PREFIX.replace('_', '(?:_|%5f)')})[0-9a-z%]+`, 'gi');

const HAS_UNDERSCORE = /[_%]/; // As every key has; the other pattern takes a microsecond for each text.

/** @returns a text, such as a path or an id that a caller has chosen, without what makes a key of it. */
export const maskKeys = (text: string): string =>
  HAS_UNDERSCORE.test(text) ? text.replaceAll(KEY_LIKE, '$1...') : text;

/** API keys: their format, and the hash that is stored. */
import { hash, randomBytes } from 'node:crypto';

// Lets people and secret scanners recognise a leaked key.
const KEY_PREFIX = 'rollcall_';
const KEY_BYTES = 20;

/** @returns a new key: the prefix and 160 random bits in hexadecimal. */
export function newKey(): string {
  return KEY_PREFIX + randomBytes(KEY_BYTES).toString('hex');
}

const KEY = new RegExp(`^${KEY_PREFIX}[0-9a-f]{${String(2 * KEY_BYTES)}}$`);

/** @returns whether a text has the format of a key. */
export const isKey = (text: string): boolean => KEY.test(text);

// As RFC 6750 defines it.
const BEARER_TOKEN = /^[\w.~+/-]{1,200}=*$/;

/** @returns whether a text can be sent as a bearer key. Keys that tests choose need not have the format of `isKey`. */
export const isBearerToken = (text: string): boolean => BEARER_TOKEN.test(text);

/** @returns the hash that is stored for a key. Plain SHA-256 is enough: 160 random bits cannot be guessed. */
export function keyHash(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

const hexOf = (letter: string): string => letter.charCodeAt(0).toString(16);

// A path may have the prefix in any case, and each of its characters percent-encoded, once or several times.
const PREFIX_LIKE = KEY_PREFIX.replaceAll(
  /./g,
  (letter) => `(?:${letter}|%(?:25)*(?:${hexOf(letter)}|${hexOf(letter.toUpperCase())}))`,
);
const KEY_LIKE = new RegExp(`(${PREFIX_LIKE})[0-9a-z%]+`, 'gi');

const HAS_UNDERSCORE = /[_%]/; // A quick test, because every key has one. `KEY_LIKE` takes a microsecond for each text.

/** @returns a text, such as a path or an id that a caller has chosen, with the secret part of every key masked. */
export const maskKeys = (text: string): string =>
  HAS_UNDERSCORE.test(text) ? text.replaceAll(KEY_LIKE, '$1...') : text;

/** The key of whoever looks at the pages: kept for the session only, and shared by console and reference. */
import { storageOf } from './storage.js';

const storage = storageOf('sessionStorage');
// Other pages of the origin may be of another Rollcall, behind another prefix.
const NAME = `rollcall key ${new URL('.', document.baseURI).pathname}`;

/** @returns {string} the key; empty if there is none. */
export const currentKey = () => storage.getItem(NAME) ?? '';

/** @param {string} key as it was pasted: what is around it does not count. */
export function keepKey(key) {
  storage.setItem(NAME, key.trim());
}

export function forgetKey() {
  storage.removeItem(NAME);
}

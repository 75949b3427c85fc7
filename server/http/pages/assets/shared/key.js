/** The key of whoever looks at the pages: kept for the session only, and shared by console and reference. */

// Other pages of the origin may be of another Rollcall, behind another prefix.
const NAME = `rollcall key ${new URL('.', document.baseURI).pathname}`;

/** @returns {string} the key; empty if there is none. */
export const currentKey = () => sessionStorage.getItem(NAME) ?? '';

/** @param {string} key as it was pasted: what is around it does not count. */
export function keepKey(key) {
  sessionStorage.setItem(NAME, key.trim());
}

export function forgetKey() {
  sessionStorage.removeItem(NAME);
}

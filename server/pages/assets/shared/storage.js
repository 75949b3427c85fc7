/** What a page keeps: in the browser's storage or, where a browser refuses it, until the page is left. */

/**
 * @param {'localStorage' | 'sessionStorage'} kind
 * @returns {Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>}
 */
export function storageOf(kind) {
  try {
    return window[kind]; // Throws where everything that sites keep is blocked.
  } catch {
    /** @type {Map<string, string>} */
    const kept = new Map();
    return {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
      removeItem: (name) => void kept.delete(name),
    };
  }
}

/** How much a value may be: `JSON.stringify` and other functions that call themselves throw at a depth that depends on the stack. */
import { say } from './text.ts';
import type { Text } from './text.ts';

export const MAX_DEPTH = 100;

/** Whether a value nests too deeply for functions that call themselves. */
export function isDeep(root: unknown): boolean {
  let level: ReadonlySet<unknown> = new Set([root]);
  for (let depth = 0; level.size > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    const next = new Set(); // A value may be in several places, and in itself, if it is of YAML.
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) next.add(member);
    }
    level = next;
  }
  return false;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

// A value more, and JSON.parse alone may take longer than a run has left. A page of 100,000 items with 25 properties has fewer.
const MAX_VALUES = 3_000_000;

/**
 * @returns why a JSON text is not read; `undefined` if it may be. Looks at the text, not at its values: of a body of many megabytes, these take
 *   seconds.
 */
export function whyTooMuch(text: string): Text | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined; // Not JSON, or a plain value.
  let [depth, values] = [0, 1];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      for (at += 1; at < text.length && text.charCodeAt(at) !== QUOTE; at += 1)
        if (text.charCodeAt(at) === BACKSLASH) at += 1;
    } else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      depth += 1;
      values += 1;
      if (depth > MAX_DEPTH) return say`the body nests more than ${MAX_DEPTH} levels deep`;
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth -= 1;
    else if (code === COMMA) values += 1;
  }
  return values > MAX_VALUES ? say`the body has more than ${MAX_VALUES / 1e6} million values` : undefined;
}

/** What a person signs in with: a key that was pasted into the form, or a link that contains a key. */
import { textOf } from '../shared/json.ts';

/** @returns the key in a text: people copy the whole header. */
export const keyIn = (pasted: string): string => pasted.trim().replace(/^(authorization:\s*)?bearer(\s+|$)/i, '');

/** @returns why a text cannot be a key; undefined if it can. A header carries nothing but visible ASCII characters. */
export function faultOf(key: string): string | undefined {
  if (key === '') return 'Paste an API key.';
  const found = /[^!-~]/u.exec(key);
  if (found === null) return undefined;
  const name = found[0] === ' ' ? 'a space' : `\`${textOf(found[0])}\``;
  return `This is not an API key: character ${String(found.index + 1)} is ${name}. API keys contain no spaces, line breaks or non-ASCII characters.`;
}

/**
 * Takes the key out of the link of the page, such as `#key=rollcall_…`, which no browser sends, and out of the address bar.
 * @returns the key; undefined if the link has none.
 */
export function takeKey(): string | undefined {
  const [, key] = /^#key=(.*)$/.exec(location.hash) ?? [];
  if (key === undefined) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

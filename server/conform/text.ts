/** What is told of a run: no secret, and nothing that is too long to be read. */
import type { Server } from './session.ts';

const MAX_LENGTH = 300;

/** @returns a text without the keys, cut. */
export function plain(text: string, { key, key2 }: Server): string {
  const hidden = [
    [key, '<key>'],
    [key2, '<key2>'],
  ].reduce((it, [secret, name]) => (secret === undefined || name === undefined ? it : hide(it, secret, name)), text);
  return hidden.length > MAX_LENGTH ? `${hidden.slice(0, MAX_LENGTH)}… (${String(hidden.length)} characters)` : hidden;
}

// Also as a query has it. A key with one character more or less is no secret less than the key.
function hide(text: string, secret: string, name: string): string {
  // What is as short as a word is one in most places; a server that takes it for a key takes any.
  if (secret.length < MIN_SECRET) return text.replaceAll(`Bearer ${secret}`, `Bearer ${name}`);
  return [secret, secret.slice(0, -1)]
    .flatMap((it) => [it, encodeURIComponent(it)])
    .reduce((it, form) => it.replaceAll(form, name), text);
}

const MIN_SECRET = 8;

/** Colours for the words that statuses are made of, in any API. A word that is not here has none, and is as readable. */

/** @type {Readonly<Record<string, RegExp>>} */
const TONES = {
  bad: /\b(fail|failed|error|rejected|blocked|expired)\b/,
  busy: /\b(in progress|running|processing)\b/,
  good: /\b(enabled|active|completed|done|succeeded|ok)\b/,
};

/** @param {string} status @returns {string} */
export function toneOf(status) {
  const words = status.replaceAll(/[_-]/g, ' ');
  return Object.keys(TONES).find((it) => TONES[it]?.test(words)) ?? 'plain';
}

/** JSON whose numbers stay as they were written: a double would make `1` of `1.0`, and lose the end of a long one. */

/**
 * What browsers have, and TypeScript does not know yet. Without it numbers are what a double makes of them.
 * @type {{ rawJSON?: (text: string) => object, isRawJSON?: (value: unknown) => value is { rawJSON: string } }}
 */
const { rawJSON, isRawJSON } = /** @type {any} */ (JSON);

/**
 * @param {string} text
 * @returns {unknown} the value. A number that is written otherwise than a double writes it is an object for `textOf`.
 * @throws {SyntaxError}
 */
export function parse(text) {
  /** @type {(name: string, value: unknown, context?: { source?: string }) => unknown} */
  const exact = (_, value, { source } = {}) =>
    typeof value === 'number' && source !== undefined && source !== String(value)
      ? (rawJSON?.(source) ?? value)
      : value;
  return JSON.parse(text, exact);
}

/**
 * @param {unknown} value as `parse` gives it.
 * @returns {string} it as JSON for reading: what cannot be seen, or turns text around, is escaped, which means the same.
 */
export const pretty = (value) => seen(JSON.stringify(value, null, 2));

/** @param {string} text of several lines @returns {string} it with what cannot be seen escaped. */
export const seen = (text) => text.replace(UNSEEN, escapeUnits);

/**
 * @param {unknown} value as `parse` gives it.
 * @returns {string} a text or number as itself, anything else as JSON, in one line. What cannot be seen is escaped.
 */
export function textOf(value) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return seen(text.replace(CONTROLS, (it) => NAMES[it] ?? it));
}

/** @param {unknown} value @returns {boolean} whether it is a number, however it is kept. */
export const isNumber = (value) => typeof value === 'number' || isRawJSON?.(value) === true;

/** @param {unknown} value @returns {value is Record<string, unknown>} whether it is an object of JSON. */
export const isObject = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && isRawJSON?.(value) !== true;

const CONTROLS = /[\n\r\t]/g;
/** @type {Readonly<Record<string, string>>} */
const NAMES = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

// All but line feeds, which `pretty` lays text out with, and the joiners that words and emoji are made of.
const UNSEEN = /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** @param {string} text @returns {string} */
export const escapeUnits = (text) =>
  text
    .split('')
    .map((it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** JSON that keeps numbers as they were written: a double would turn `1.0` into `1`, and lose the last digits of a long number. */

/** A part of browsers' `JSON` that TypeScript does not know yet. Without it numbers are rounded to doubles. */
interface RawJson {
  readonly rawJSON?: (text: string) => object;
  readonly isRawJSON?: (value: unknown) => value is { rawJSON: string };
}
const { rawJSON, isRawJSON } = JSON as RawJson;

/**
 * @returns the value. A number becomes an object for `textOf` if its double would be written differently.
 * @throws {SyntaxError}
 */
export function parse(text: string): unknown {
  const exact = (_: string, value: unknown, context?: { readonly source?: string }): unknown => {
    const source = context?.source;
    const isExact = typeof value !== 'number' || source === undefined || source === String(value);
    return isExact ? value : (rawJSON?.(source) ?? value);
  };
  return JSON.parse(text, exact);
}

/**
 * @param value as `parse` returns it.
 * @returns indented JSON. Invisible characters, including those that change the direction of text, are escaped, so its meaning is the same.
 */
export const pretty = (value: unknown): string => escapeInvisible(JSON.stringify(value, null, 2));

/** @returns the text with its invisible characters escaped, except line feeds. */
export const escapeInvisible = (text: string): string => text.replace(INVISIBLE, escapeUnits);

/**
 * @param value as `parse` returns it.
 * @returns a string as it is, and anything else as JSON, in one line. Invisible characters are escaped.
 */
export function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return escapeInvisible(text.replace(CONTROLS, (character) => NAMES[character] ?? character));
}

/** @returns whether a value is a number, in either form that `parse` returns. */
export const isNumber = (value: unknown): boolean => typeof value === 'number' || isRawJSON?.(value) === true;

/** @returns whether a value is a JSON object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && isRawJSON?.(value) !== true;

const CONTROLS = /[\n\r\t]/g;
const NAMES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

// All invisible characters except line feeds, which `pretty` adds, and the joiners that words and emoji contain.
const INVISIBLE = /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** @returns the text as escapes of UTF-16 code units, such as `\u202e`. */
export const escapeUnits = (text: string): string =>
  text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** The kind of a token, which decides its colour: the name of a property, a text, or any other value. */
export type Token = 'name' | 'text' | 'value';

// Punctuation and space between tokens stay as they are.
const TOKENS = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g;

/**
 * @param show returns the element that shows a token.
 * @returns the whole text in order: tokens, and the text between them.
 */
export function withTokens<T>(json: string, show: (kind: Token, token: string) => T): (T | string)[] {
  const parts: (T | string)[] = [];
  let from = 0;
  for (const { 0: token, 1: text, 2: colon, index } of json.matchAll(TOKENS)) {
    const kind = colon !== undefined ? 'name' : text !== undefined ? 'text' : 'value';
    parts.push(json.slice(from, index), show(kind, text ?? token), colon ?? '');
    from = index + token.length;
  }
  return [...parts, json.slice(from)];
}

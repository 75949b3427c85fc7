/** What JSON is made of, to be told apart by colours. */

// Names, texts, and what is neither; what stands between them stays as it is.
const TOKENS = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g;

/**
 * @template T
 * @param {string} json
 * @param {(kind: 'name' | 'text' | 'value', token: string) => T} show makes of a token what is shown.
 * @returns {(T | string)[]} all of it in order, with what stands between tokens.
 */
export function withTokens(json, show) {
  /** @type {(T | string)[]} */
  const parts = [];
  let from = 0;
  for (const { 0: token, 1: text, 2: colon, index } of json.matchAll(TOKENS)) {
    const kind = colon !== undefined ? 'name' : text !== undefined ? 'text' : 'value';
    parts.push(json.slice(from, index), show(kind, text ?? token), colon ?? '');
    from = index + token.length;
  }
  return [...parts, json.slice(from)];
}

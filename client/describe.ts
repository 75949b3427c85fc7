/** How messages tell of requests and bodies: short, on one line, and without the key. */
export interface Describe {
  /** @returns such as `GET http://127.0.0.1:3000/automations`. */
  request(url: string): string;
  /** @returns the start of a body, quoted, or that it is empty. */
  body(text: string): string;
  /** @returns the text without the key. */
  redact(text: string): string;
}

const MAX_URL = 300;
const MAX_BODY = 200;
// What is shorter is no key but a stand-in, and may be a part of any word.
const MIN_SECRET = 8;

/** @param apiKey what no message shows, even where a caller or a proxy has put it. */
export function createDescribe(apiKey: string): Describe {
  const redact = (text: string): string =>
    apiKey.length < MIN_SECRET
      ? text
      : text.replaceAll(apiKey, '[apiKey]').replaceAll(encodeURIComponent(apiKey), '[apiKey]');
  const escape = (text: string): string =>
    text.replaceAll(/[\p{C}\u2028\u2029]/gu, (it) => `\\u{${(it.codePointAt(0) ?? 0).toString(16)}}`);
  const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text);
  return {
    redact,
    request: (url) => `GET ${cut(redact(url.replace(/\/\/[^/]*@/, '//')), MAX_URL)}`,
    body: (text) => (text === '' ? 'an empty body' : `"${escape(cut(redact(text), MAX_BODY))}"`),
  };
}

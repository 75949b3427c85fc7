/** Parts of error messages: short, on one line, and without the API key. */

export interface Describe {
  /** @returns the request, such as `GET http://127.0.0.1:3000/automations`. */
  request(url: string): string;
  /** @returns the start of a body, quoted, or `an empty body`. */
  body(text: string): string;
  /** @returns the text without the key. */
  redact(text: string): string;
  /** @returns the messages of an error and its causes: `fetch failed` alone does not say why. */
  reason(error: unknown): string;
}

const MAX_URL = 300;
const MAX_TEXT = 200;
const MAX_CAUSES = 5;
// A shorter key is not redacted: it is a placeholder, and may be part of any word.
const MIN_SECRET = 8;
// As OpenSSL and Rustls call it.
const NO_TLS = /wrong version number|InvalidContentType/;

/** @param apiKey redacted from every message, even if a caller or a proxy has put it there. */
export function createDescribe(apiKey: string): Describe {
  const redact = (text: string): string =>
    apiKey.length < MIN_SECRET
      ? text
      : text.replaceAll(apiKey, '[apiKey]').replaceAll(encodeURIComponent(apiKey), '[apiKey]');
  const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text);
  const line = (text: string): string =>
    cut(redact(text), MAX_TEXT).replaceAll(
      /[\p{C}\u2028\u2029]/gu,
      (it) => `\\u{${(it.codePointAt(0) ?? 0).toString(16)}}`,
    );
  return {
    redact,
    request: (url) => `GET ${cut(redact(url), MAX_URL)}`,
    body: (text) => (text === '' ? 'an empty body' : `"${line(text)}"`),
    reason: (error) => {
      const reason = messagesOf(error).join(': ');
      return line(NO_TLS.test(reason) ? `the port does not speak TLS, which https: needs: ${reason}` : reason);
    },
  };
}

interface Caused {
  readonly message?: unknown;
  readonly cause?: unknown;
  /** Of an AggregateError: an attempt for each address of a host. */
  readonly errors?: readonly unknown[];
}

function messagesOf(error: unknown, depth = 0): string[] {
  if (typeof error !== 'object' || error === null || depth === MAX_CAUSES) return [];
  const { message, cause, errors }: Caused = error;
  const own = typeof message === 'string' && message.trim() !== '' ? [message.trim()] : [];
  return [...own, ...messagesOf(cause ?? errors?.at(-1), depth + 1)];
}

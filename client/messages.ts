/** Parts of error messages: short, on one line, and without the API key. */

const MAX_URL = 300;
const MAX_TEXT = 200;
const MAX_CAUSES = 5;
// A shorter key is not redacted: it is a placeholder, and may be part of any word.
const MIN_SECRET = 8;
// As OpenSSL and Rustls call it.
const NO_TLS = /wrong version number|InvalidContentType/;

/** Formats parts of messages, without the API key, even if a caller or a proxy has put it there. */
export class Describe {
  readonly #apiKey: string;

  constructor(apiKey: string) {
    this.#apiKey = apiKey;
  }

  /** @returns the request, such as `GET http://127.0.0.1:3000/automations`. */
  request(url: string): string {
    return `GET ${cut(this.redact(url), MAX_URL)}`;
  }

  /** @returns the start of a body, quoted, or `an empty body`. */
  body(text: string): string {
    return text === '' ? 'an empty body' : `"${this.#line(text)}"`;
  }

  /** @returns the messages of an error and its causes: `fetch failed` alone does not say why. */
  reason(error: unknown): string {
    const reason = messagesOf(error).join(': ');
    return this.#line(NO_TLS.test(reason) ? `the port does not speak TLS, which https: needs: ${reason}` : reason);
  }

  redact(text: string): string {
    if (this.#apiKey.length < MIN_SECRET) return text;
    return text.replaceAll(this.#apiKey, '[apiKey]').replaceAll(encodeURIComponent(this.#apiKey), '[apiKey]');
  }

  #line(text: string): string {
    const escape = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
    return cut(this.redact(text), MAX_TEXT).replaceAll(/[\p{C}\u2028\u2029]/gu, escape);
  }
}

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text);

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

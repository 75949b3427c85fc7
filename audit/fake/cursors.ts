/** The cursors that a served list makes: opaque, each known to the list alone, in the forms that a scenario says. */
import { createHash } from 'node:crypto';
import type { Item } from './items.ts';
import type { CursorForm } from './scenario.ts';

/** Where a page begins: after an item, before one, or at a number. */
export interface Place {
  readonly after?: Item | undefined;
  readonly before?: Item | undefined;
  readonly start?: number;
  /** The number of the page, from 1 on, and how many empty ones came before it. */
  readonly page: number;
  readonly hollow: number;
}

// A client may read the list with many sizes. A cursor that is dropped has expired.
const MAX_CURSORS = 200_000;
/** Google's clients send POST in place of a GET whose URL is longer than 2,048 characters. */
const LONG = 1500;

interface Known {
  readonly place: Place;
  readonly key: string;
}

const hashed = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);
const digitsOf = (text: string): string =>
  BigInt(`0x${createHash('sha256').update(text).digest('hex').slice(0, 16)}`)
    .toString()
    .slice(0, 8);

export class Cursors {
  readonly #forms: readonly CursorForm[];
  readonly #salt: string;
  readonly #byText = new Map<string, Known>();
  readonly #byName = new Map<string, string>();
  #latest = '';

  constructor(forms: readonly CursorForm[], salt: string) {
    this.#forms = forms;
    this.#salt = salt;
  }

  /** @param name that of the place and of the filter. @returns its cursor, the same each time. */
  write(name: string, place: Place): string {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    if (this.#byName.size >= MAX_CURSORS) for (const map of [this.#byText, this.#byName]) map.clear();
    const form = this.#forms[place.page % Math.max(1, this.#forms.length)];
    let text = this.#formed(form, name, place.page);
    if (this.#byText.has(text)) text = hashed(this.#salt + name);
    this.#byName.set(name, text);
    this.#byText.set(text, { place, key: name.split(' ')[1] ?? '' });
    this.#latest = text;
    return text;
  }

  /** @param key that of the filter: a cursor is one of its own list. */
  read(text: string, key: string): Place | undefined {
    const known = this.#byText.get(text);
    return known?.key === key ? known.place : undefined;
  }

  #formed(form: CursorForm | undefined, name: string, page: number): string {
    const plain = hashed(this.#salt + name);
    if (form === 'long') return plain.repeat(LONG).slice(0, LONG);
    if (form === 'reserved') return `a+b/c=d&e?f#g%2Bh i${plain}==`;
    if (form === 'digits') return page % 2 === 0 ? `00${digitsOf(plain)}` : `90071992547409${digitsOf(plain)}`;
    if (form === 'zero' && page === 2) return '0';
    if (form === 'case' && /[a-z]/i.test(this.#latest)) {
      const swap = (it: string): string => (it === it.toLowerCase() ? it.toUpperCase() : it.toLowerCase());
      return this.#latest.replace(/[a-z](?=[^a-z]*$)/i, swap);
    }
    return plain;
  }

  /** @returns the values of several parameters: the last ones are left out of every other page. */
  several(params: readonly string[], token: string, page: number): Readonly<Record<string, string | undefined>> {
    return Object.fromEntries(
      params.map((param, at) => [
        param,
        at === 0 ? token : page % 2 === 0 ? hashed(`${param} ${token}`).slice(0, 6) : undefined,
      ]),
    );
  }

  /** Whether a request has the parameters that were given with a token, and no others. */
  areSeveral(params: readonly string[], token: string, page: number, query: URLSearchParams): boolean {
    const given = this.several(params, token, page);
    return params.every((param) => (query.get(param) ?? undefined) === given[param]);
  }
}

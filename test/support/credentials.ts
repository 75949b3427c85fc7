/** Random keys, one of each kind of credential, and whether a text shows one. */
import { redactionOf as redactionOfKeys } from '../../audit/conform/checked-session.ts';
import type { Given } from '../../audit/lists/profile.ts';
import { redactionOf } from '../../audit/lists/session.ts';
import type { Redaction } from '../../audit/session/redact.ts';
import fc from './fast-check.ts';

const URL_OF = 'http://127.0.0.1:8000/items';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** What a user says of a list whose key this is. */
type GivenFor = (key: string, url?: string) => Given;
const GIVEN: Readonly<Record<string, GivenFor>> = {
  'a header': (key, url = URL_OF) => ({ url, headers: { 'X-Key': key } }),
  'a bearer token': (key, url = URL_OF) => ({ url, headers: { Authorization: `Bearer ${key}` } }),
  'a quoted token': (key, url = URL_OF) => ({ url, headers: { Authorization: `Token token="${key}", v="2"` } }),
  'a cookie': (key, url = URL_OF) => ({ url, headers: { Cookie: `a=b; session=${key}` } }),
  'the header of another account': (key, url = URL_OF) => ({ url, other: { headers: { 'X-Key': key } } }),
  'a password': (key, url = URL_OF) => ({ url, auth: `me:${key}` }),
  'a password without a user': (key, url = URL_OF) => ({ url, auth: `:${key}` }),
  'a user without a password': (key, url = URL_OF) => ({ url, auth: `${key}:` }),
  'a password in a URL': (key, url = URL_OF) => ({ url: url.replace('//', `//me:${encodeURIComponent(key)}@`) }),
  'a Basic header': (key, url = URL_OF) => ({ url, headers: { Authorization: `Basic ${base64(`me:${key}`)}` } }),
  'a parameter in a body': (key, url = URL_OF) => ({ url, method: 'POST', body: { auth: { api_key: key } } }),
  'a parameter': (key, url = URL_OF) => ({ url, params: { api_key: key } }),
  'a parameter of the URL': (key, url = URL_OF) => ({ url: `${url}?access_token=${encodeURIComponent(key)}` }),
};
export const KINDS: readonly (readonly [name: string, given: GivenFor])[] = Object.entries(GIVEN);

type RedactionFor = (key: string) => Redaction;
const OF_CONFORM: Readonly<Record<string, RedactionFor>> = {
  'the key of conform': (key) => redactionOfKeys({ url: URL_OF, key }),
  'the other key': (key) => redactionOfKeys({ url: URL_OF, key: 'another', otherKey: key }),
};
/** What hides a key, by the kinds of lists, and as the first and the second key of `conform`. */
export const REDACTIONS: readonly (readonly [name: string, of: RedactionFor])[] = [
  ...KINDS.map(([name, given]) => [name, (key: string) => redactionOf([given(key)])] as const),
  ...Object.entries(OF_CONFORM),
];

// What keys have, and what is escaped in URLs, JSON and HTML.
const CHARACTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~+/=&<>%$#@!*\\';

/** A string of these characters. */
export const stringOf = (characters: string, length: fc.StringConstraints): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...Array.from(characters)), ...length });

/** A key of so many characters. @param more others that it may have. */
export const keyOf = (minLength: number, maxLength: number, more = ''): fc.Arbitrary<string> =>
  stringOf(CHARACTERS + more, { minLength, maxLength });

const LONG = 8;
const MAX_RUN = 6;

/** @returns what of a key a text shows: six characters in a row of a long one, or a whole short one; `undefined` if it shows nothing. */
export function shownOf(key: string, text: string, encode = (part: string): string => part): string | undefined {
  const all = Array.from(key);
  const length = all.length < LONG ? all.length : MAX_RUN;
  const parts = all.slice(length - 1).map((_, at) => all.slice(at, at + length).join(''));
  const lower = text.toLowerCase();
  return parts.find((it) => lower.includes(encode(it).toLowerCase()));
}

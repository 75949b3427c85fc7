/** Other values of the same form: letters for letters, digits for digits. What is made is the same in every run. */
import { createHash } from 'node:crypto';
import { instantOf } from '../lists/order.ts';

/** @returns a number from 0 up to a bound, that only the seed decides. */
export type Random = (bound: number) => number;

export function randomOf(seed: string): Random {
  let bytes = Buffer.alloc(0);
  let [block, at] = [0, 0];
  return (bound) => {
    if (at + 4 > bytes.length) {
      bytes = createHash('sha256')
        .update(`${seed}\n${String(block)}`)
        .digest();
      [block, at] = [block + 1, 0];
    }
    at += 4;
    return bytes.readUInt32BE(at - 4) % bound;
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HEX = /^(?=.*[a-f])(?=.*\d)[0-9a-f]{12,}$/;
const URL_LIKE = /^(https?:\/\/)[^/?#]*(.*)$/s;
const MAIL = /^[^@\s]+(@)[^@\s]+$/;

/** @returns another string of the same form: a UUID, a time, a URL, an address of mail, or letters and digits of the same kind. */
export function another(text: string, random: Random): string {
  if (UUID.test(text)) return hexLike(text, random);
  if (HEX.test(text)) return hexLike(text, random);
  if (instantOf(text) !== undefined) return anotherTime(text, random);
  const [, scheme, rest = ''] = URL_LIKE.exec(text) ?? [];
  if (scheme !== undefined) return `${scheme}example.com${lettersLike(rest, random)}`;
  if (MAIL.test(text)) return `${lettersLike(text.replace(/@.*$/s, ''), random)}@example.com`;
  return lettersLike(text, random);
}

const pick = (from: string, random: Random): string => from.charAt(random(from.length));
const LOWER = 'abcdefghijklmnopqrstuvwxyz';

const hexLike = (text: string, random: Random): string =>
  text.replaceAll(/[0-9a-f]/gi, (digit, at: number) => {
    if (text.includes('-') && (at === 14 || at === 19)) return digit; // The version and the variant of a UUID.
    const other = pick('0123456789abcdef', random);
    return /[A-F]/.test(text) ? other.toUpperCase() : other;
  });

const lettersLike = (text: string, random: Random): string =>
  text.replaceAll(/\p{L}|\p{N}/gu, (character) => {
    if (/\p{N}/u.test(character)) return character === '0' ? '0' : pick('123456789', random);
    const letter = pick(LOWER, random);
    return /\p{Lu}/u.test(character) ? letter.toUpperCase() : letter;
  });

const two = (number: number): string => String(number).padStart(2, '0');

/** @returns another time in the same notation. Its year stays, so that it is as long ago. */
const anotherTime = (text: string, random: Random): string =>
  text
    .replace(/^(\d{4})-\d\d-\d\d/, (_, year: string) => `${year}-${two(random(12) + 1)}-${two(random(28) + 1)}`)
    .replace(/([T ])\d\d:\d\d(:\d\d)?/, (_, mark: string, seconds: string | undefined) => {
      const time = `${mark}${two(random(24))}:${two(random(60))}`;
      return seconds === undefined ? time : `${time}:${two(random(60))}`;
    })
    .replace(/\.\d+/, (fraction) => fraction.replaceAll(/\d/g, () => String(random(10))));

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * @param like a time, in whose notation the result is written, with its zone; its fraction becomes zeros.
 * @returns a time so many steps, of 61 seconds or of a day, after another one.
 */
export function timeAfter(start: string, steps: number, like = start): string {
  const hasTime = /\d[T ]\d\d:/.test(like);
  const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d\d):?(\d\d)?$/.exec(hasTime ? like.slice(10) : '') ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS * (sign === '-' ? -1 : 1);
  const day = Date.parse(`${start.slice(0, 10)}T00:00:00Z`);
  const time = new Date(day + steps * (hasTime ? 61_000 : DAY_MS) + offset).toISOString();
  if (!hasTime) return time.slice(0, 10) + like.slice(10);
  return like
    .replace(/^\d{4}-\d\d-\d\d/, time.slice(0, 10))
    .replace(/([T ])\d\d:\d\d(:\d\d)?/, (_, mark: string, seconds: string | undefined) =>
      seconds === undefined ? mark + time.slice(11, 16) : mark + time.slice(11, 19),
    )
    .replace(/[.,]\d+/, (fraction) => fraction.replaceAll(/\d/g, '0'));
}

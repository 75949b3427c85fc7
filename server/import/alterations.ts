/** What parsing changes without a word: numbers that a double does not hold as written, and names that come again. */
import { pointer } from '../contract/schema.ts';
import type { Violation } from '../contract/schema.ts';
import { valuesIn } from './json-text.ts';

// 16 digits or an exponent of 3: a double holds every number that is shorter.
const LONG_NUMBER = /[:[,]\s*-?(?:[\d.]{16,}|[\d.]+[eE][-+]?\d{3})/;
const NAME = /"\s*:/g;
const MAX_SHOWN = 40;

/**
 * A cheap test, because it is asked of every record.
 * @param value what the text was parsed into; nested no deeper than a record of the contract.
 * @returns whether parsing may have changed something. It can be wrong, but never if it says no.
 */
export function mayBeAltered(text: string, value: unknown): boolean {
  // In a text there may be more that looks like a name than there are members, and never less.
  return LONG_NUMBER.test(text) || text.match(NAME)?.length !== members(value);
}

function members(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : 1;
  return Object.values(value).reduce<number>((sum, it) => sum + own + members(it), 0);
}

/** @returns what parsing changes in a text, and where. Nothing is said of a text that nests too deep to be a record. */
export function alterations(text: string): readonly Violation[] {
  return valuesIn(text).flatMap(({ path, start, end, isRepeated }) => {
    if (isRepeated) return [{ where: pointer(path), what: 'is given more than once' }];
    const literal = text.slice(start, end);
    if (!/^[-\d]/.test(literal) || isHeld(literal)) return [];
    const shown = literal.length > MAX_SHOWN ? `${literal.slice(0, MAX_SHOWN)}…` : literal;
    const what = `must be a number that a double holds as written; ${shown} would become ${String(Number(literal))}`;
    return [{ where: pointer(path), what }];
  });
}

/** @returns whether what is read from a literal and written again is the same number. */
function isHeld(literal: string): boolean {
  return decimal(literal) === decimal(String(Number(literal)));
}

/** @returns a form that equal numbers share: their digits without zeros around them, and the power of ten. */
function decimal(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  let length = digits.length;
  while (digits[length - 1] === '0') length -= 1;
  const power = Number(exponent) - fraction.length + digits.length - length;
  return length === 0 ? '0' : `${sign}${digits.slice(0, length)}e${String(power)}`;
}

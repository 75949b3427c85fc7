/** Assertions on the arguments of the kit, which may come from JavaScript. */

/** @throws TypeError that lists the known names, if one of `names` is unknown. */
export function assertKnown(what: string, names: readonly unknown[], known: readonly string[]): void {
  const unknown = names.findIndex((it) => typeof it !== 'string' || !known.includes(it));
  if (unknown < 0) return;
  throw new TypeError(`There is no ${what} ${JSON.stringify(names[unknown])}. There are: ${known.join(', ')}.`);
}

/** @throws TypeError if the value is not a number; RangeError if it is not an integer from `min` to `max`. */
export function assertInteger(what: string, value: unknown, min: number, max: number): void {
  assertNumber(what, value, 'a whole number', min, max, Number.isInteger);
}

/** The longest delay of a timer in Node. */
const MAX_MS = 2 ** 31 - 1;

/** @throws TypeError if the value is not a number; RangeError if it is not a delay, in milliseconds, that a timer accepts. */
export function assertMs(what: string, value: unknown): void {
  assertNumber(what, value, 'milliseconds', 0, MAX_MS, Number.isFinite);
}

function assertNumber(
  what: string,
  value: unknown,
  kind: string,
  min: number,
  max: number,
  isValid: (value: unknown) => boolean,
): void {
  const message = `\`${what}\` must be ${kind} from ${String(min)} to ${String(max)}.`;
  if (typeof value !== 'number') throw new TypeError(message);
  if (!isValid(value) || value < min || value > max) throw new RangeError(message);
}

/** What the kit refuses of its callers. */

/** @throws TypeError that says what is there, if one of the names is not. */
export function demandKnown(what: string, names: readonly unknown[], known: readonly string[]): void {
  const unknown = names.findIndex((it) => typeof it !== 'string' || !known.includes(it));
  if (unknown < 0) return;
  throw new TypeError(`There is no ${what} ${JSON.stringify(names[unknown])}. There are: ${known.join(', ')}.`);
}

/** @throws RangeError if a value is not a whole number in a range; TypeError if it is no number. */
export function demandWhole(what: string, value: unknown, min: number, max: number): void {
  demandNumber(what, value, 'a whole number', min, max, Number.isInteger);
}

/** How long a timer of Node can run. */
const MAX_MS = 2 ** 31 - 1;

/** @throws RangeError if a value is not a time in milliseconds that a timer can run; TypeError if it is no number. */
export function demandMs(what: string, value: unknown): void {
  demandNumber(what, value, 'milliseconds', 0, MAX_MS, Number.isFinite);
}

function demandNumber(
  what: string,
  value: unknown,
  kind: string,
  min: number,
  max: number,
  isRight: (value: unknown) => boolean,
): void {
  const message = `\`${what}\` must be ${kind} from ${String(min)} to ${String(max)}.`;
  if (typeof value !== 'number') throw new TypeError(message);
  if (!isRight(value) || value < min || value > max) throw new RangeError(message);
}

/** Assertions on the arguments of the kit, which may come from JavaScript or from JSON, and the errors that blame the caller. */

/** A `TypeError` for the caller. A plain one is a bug of the kit: the control API tells them apart. */
export class WrongType extends TypeError {}
/** A `RangeError` for the caller. */
export class WrongValue extends RangeError {}
/** Something that the caller names does not exist. */
export class NotFound extends RangeError {}
/** The request conflicts with the state of the server. */
export class Conflict extends RangeError {}

/** @throws TypeError that lists the known names, if one of `names` is unknown. */
export function assertKnown(what: string, names: readonly unknown[], known: readonly string[]): void {
  const unknown = names.findIndex((name) => typeof name !== 'string' || !known.includes(name));
  if (unknown < 0) return;
  throw new WrongType(`Unknown ${what} ${JSON.stringify(names[unknown])}. Expected one of: ${known.join(', ')}.`);
}

/** @throws TypeError with an example, if the value is not an object. A list is not an object. */
export function assertObject(
  what: string,
  value: unknown,
  example: string,
): asserts value is Partial<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  throw new WrongType(`${what} must be an object, such as ${example}.`);
}

/** @throws TypeError if the value is not a list; RangeError if it is longer than `max`. */
export function assertList(what: string, value: unknown, max: number): asserts value is readonly unknown[] {
  if (!Array.isArray(value)) throw new WrongType(`${what} must be a list.`);
  if (value.length > max) throw new WrongValue(`${what} must have no more than ${String(max)} entries.`);
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
  if (typeof value !== 'number') throw new WrongType(message);
  if (!isValid(value) || value < min || value > max) throw new WrongValue(message);
}

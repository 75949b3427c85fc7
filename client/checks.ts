/** Checks of options. JavaScript may pass any value. */

/** @throws TypeError for a value that is neither undefined nor a number of 0 or more. */
export function checkNumbers(values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || (typeof value === 'number' && value >= 0)) continue;
    throw new TypeError(`\`${name}\` must be a number, 0 or more.`);
  }
}

/** @throws TypeError for a maximum that is neither a whole number of 0 or more nor Infinity. */
export function checkMax(max: unknown): asserts max is number {
  if (max === Infinity || (Number.isInteger(max) && Number(max) >= 0)) return;
  throw new TypeError('`max` must be a whole number, 0 or more.');
}

/** How many of something there are, in words. */

/**
 * @param things in the plural.
 * @returns a number of them: `1 contact property`, `1,200 contact properties`.
 */
export const counted = (number: number, things: string): string =>
  `${number.toLocaleString('en')} ${number === 1 ? things.replace(/(ie)?s$/, (end) => (end === 's' ? '' : 'y')) : things}`;

/** @returns the verb of so many. */
export const be = (number: number): 'is' | 'are' => (number === 1 ? 'is' : 'are');

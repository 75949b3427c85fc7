/** Checks the licences of all packages that a user installs. */
import type { Installed } from './installed.ts';

/** The licences that an installed package may have, by their SPDX identifiers. All permit use in any product. */
export const ALLOWED: ReadonlySet<string> = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'],
  'Python-2.0', // argparse
]);

/** @returns a sentence for each package whose licence is not allowed. */
export function licenceFaults(packages: readonly Installed[]): readonly string[] {
  return packages
    .filter(({ licence }) => licence === undefined || !isAllowed(licence))
    .map(({ name, version, licence }) =>
      licence === undefined
        ? `${name}@${version} states no licence.`
        : `${name}@${version} has the licence ${licence}, which scripts/release/licences.ts does not allow.`,
    );
}

/**
 * @param expression an SPDX expression, such as `(MIT OR GPL-3.0-only)`. An exception (`WITH`) is not allowed.
 * @returns whether the allowed licences suffice.
 */
export function isAllowed(expression: string): boolean {
  const words = expression.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const isNext = (word: string): boolean => words[at]?.toUpperCase() === word && ++at > 0;
  const term = (): boolean => {
    if (!isNext('(')) return ALLOWED.has(words[at++] ?? '');
    const result = either();
    return isNext(')') && result;
  };
  const both = (): boolean => {
    let result = term();
    while (isNext('AND')) result = term() && result;
    return result;
  };
  const either = (): boolean => {
    let result = both();
    while (isNext('OR')) result = both() || result;
    return result;
  };
  return either() && at === words.length;
}

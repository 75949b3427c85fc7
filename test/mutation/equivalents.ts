/** Mutants that no test can find, because the program does the same: each with the reason. */
import type { Equivalent } from './sites.ts';

export const EQUIVALENTS: readonly Equivalent[] = [];

/** Mutants that no test can find, because what the program promises stays the same: each with the reason. */
import type { Equivalent } from './sites.ts';

export const EQUIVALENTS: readonly Equivalent[] = [
  {
    file: 'server/store/postgres/replicas.ts',
    before: 'const a = Math.imul(number ^ (number >>> 16), 0x85ebca6b);',
    after: 'const a = Math.imul(number ^ (number >>> 17), 0x85ebca6b);',
    reason: 'Accounts are spread by another function, as evenly, and by the same one in every process.',
  },
  {
    file: 'server/store/sqlite/open.ts',
    before: 'const FULL_CHECK_MAX_BYTES = 64 * 1024 * 1024;',
    after: 'const FULL_CHECK_MAX_BYTES = 65 * 1024 * 1024;',
    reason: 'It is a balance of time; no size is promised up to which a file is checked as a whole.',
  },
  {
    file: 'server/import/records.ts',
    before: 'const power = Number(exponent) - fraction.length + digits.length - length;',
    after: 'const power = Number(exponent) - fraction.length + digits.length + length;',
    reason: 'Numbers are only compared: those with the same digits have the same length, so their powers move alike.',
  },
  {
    file: 'server/import/check.ts',
    before:
      "if (createdUs === undefined) throw new Error('A record with an impossible date passed the record rules.');",
    after: "if (createdUs === undefined) throw new Error('');",
    reason: 'It is not thrown: the record rules, which come before it, have read the same date.',
  },
];

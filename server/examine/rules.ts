/** All rules, in the order in which they are reported. */
import { CHANGE_RULES } from './change-rules.ts';
import { DRIVER_RULES } from './driver-rules.ts';
import { ERROR_RULES } from './error-rules.ts';
import { PAGINATION_RULES } from './pagination-rules.ts';
import { RETRY_RULES } from './retry-rules.ts';
import type { Rule } from './rule.ts';

export { PROBE } from './driver-rules.ts';

export const RULES: readonly Rule[] = [
  ...DRIVER_RULES,
  ...PAGINATION_RULES,
  ...CHANGE_RULES,
  ...ERROR_RULES,
  ...RETRY_RULES,
];

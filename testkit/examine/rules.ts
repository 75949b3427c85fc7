/** All rules, in the order in which they are reported. */
import { CHANGE_RULES } from './change-rules.ts';
import { DRIVER_RULES } from './driver-rules.ts';
import { ERROR_RULES } from './error-rules.ts';
import { ITEM_RULES } from './item-rules.ts';
import { PAGINATION_RULES } from './pagination-rules.ts';
import { RETRY_RULES } from './retry-rules.ts';
import { REQUEST_RULES } from './request-rules.ts';
import type { Rule } from './rule.ts';
import { VALUE_RULES } from './value-rules.ts';

export { PROBE } from './driver-rules.ts';

export const RULES: readonly Rule[] = [
  ...DRIVER_RULES,
  ...PAGINATION_RULES,
  ...CHANGE_RULES,
  ...ERROR_RULES,
  ...RETRY_RULES,
  ...VALUE_RULES,
  ...ITEM_RULES,
  ...REQUEST_RULES,
];

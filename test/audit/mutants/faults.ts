/** All faults that `conform` must find. */
import { ACCOUNT_FAULTS } from './account-faults.ts';
import { CHANCE_FAULTS } from './chance-faults.ts';
import { CONTEXT_FAULTS } from './context-faults.ts';
import { CROSSED_FAULTS } from './crossed-faults.ts';
import { HTTP_FAULTS } from './http-faults.ts';
import { KEY_FAULTS } from './key-faults.ts';
import { LIST_FAULTS } from './list-faults.ts';
import { ODD_FAULTS } from './odd-faults.ts';
import { QUERY_FAULTS } from './query-faults.ts';
import { RESPONSE_FAULTS } from './response-faults.ts';
import { VALUE_FAULTS } from './value-faults.ts';

export const FAULTS = [
  ...LIST_FAULTS,
  ...RESPONSE_FAULTS,
  ...HTTP_FAULTS,
  ...QUERY_FAULTS,
  ...KEY_FAULTS,
  ...ACCOUNT_FAULTS,
  ...VALUE_FAULTS,
  ...CHANCE_FAULTS,
  ...CONTEXT_FAULTS,
  ...CROSSED_FAULTS,
  ...ODD_FAULTS,
];

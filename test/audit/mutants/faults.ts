/** All faults that `conform` must find. */
import { BODY_FAULTS } from './body-faults.ts';
import { CHANCE_FAULTS } from './chance-faults.ts';
import { ACCOUNT_FAULTS } from './account-faults.ts';
import { ANSWER_FAULTS } from './answer-faults.ts';
import { LIST_MUTANTS } from './list-mutants.ts';
import { CONTEXT_FAULTS } from './context-faults.ts';
import { CROSSED_FAULTS } from './crossed-faults.ts';
import { CURSOR_FAULTS } from './cursor-faults.ts';
import { PAGINATION_FAULTS } from './pagination-faults.ts';
import { ODD_FAULTS } from './odd-faults.ts';
import { PARAMETER_FAULTS } from './parameter-faults.ts';
import { INSTANT_FAULTS } from './instant-faults.ts';
import { RECORD_FAULTS } from './record-faults.ts';
import { ERROR_FAULTS } from './error-faults.ts';
import { HTTP_FAULTS } from './http-faults.ts';
import { KEY_FAULTS } from './key-faults.ts';
import { PATH_FAULTS } from './path-faults.ts';
import { QUERY_FAULTS } from './query-faults.ts';
import { REPLICA_FAULTS } from './replica-faults.ts';
import { REQUEST_MUTANTS } from './request-mutants.ts';
import { RESPONSE_MUTANTS } from './response-mutants.ts';
import { SCHEME_FAULTS } from './scheme-faults.ts';
import { VALUE_FAULTS } from './value-faults.ts';

export const FAULTS = [
  ...LIST_MUTANTS,
  ...RESPONSE_MUTANTS,
  ...REQUEST_MUTANTS,
  ...PAGINATION_FAULTS,
  ...CURSOR_FAULTS,
  ...PARAMETER_FAULTS,
  ...ACCOUNT_FAULTS,
  ...RECORD_FAULTS,
  ...PATH_FAULTS,
  ...HTTP_FAULTS,
  ...BODY_FAULTS,
  ...KEY_FAULTS,
  ...REPLICA_FAULTS,
  ...ERROR_FAULTS,
  ...VALUE_FAULTS,
  ...INSTANT_FAULTS,
  ...CHANCE_FAULTS,
  ...SCHEME_FAULTS,
  ...QUERY_FAULTS,
  ...ANSWER_FAULTS,
  ...CONTEXT_FAULTS,
  ...CROSSED_FAULTS,
  ...ODD_FAULTS,
];

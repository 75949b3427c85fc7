/** Whether a store answers. */
import type { Account } from '../contract/types.ts';
import type { Records } from './store.ts';

/** No account has it (see `Account`): who asks for it asks the store itself, and sees nobody's records. */
export const NOBODY = 0 as Account;

/** Reads a page without anything. @throws what the store throws if it cannot answer, perhaps by a promise. */
export const probe = (store: Records): unknown => store.list(NOBODY, 'automations', { limit: 1 });

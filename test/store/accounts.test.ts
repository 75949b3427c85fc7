/** The statements of accounts: what is made of the rows that other processes leave. */
import { expect, test } from '@jest/globals';
import { ensureAccount } from '../../server/store/accounts.ts';
import { SQLITE } from '../../server/store/sqlite/sql.ts';
import { StoreUnavailable } from '../../server/store/store.ts';

/** Runs the statements as if other processes removed the account after each of the first INSERTs. @returns the number of INSERTs. */
function triesUntilFound(removals: number): number {
  const steps = ensureAccount(SQLITE, 'acme', 'FOR KEY SHARE');
  let inserts = 0;
  for (let step = steps.next(); step.done !== true;) {
    const isInsert = step.value.sql.startsWith('INSERT');
    if (isInsert) inserts += 1;
    step = steps.next(isInsert || inserts <= removals ? [] : [{ id: 7 }]);
    if (step.done === true) expect(step.value).toEqual({ id: 7, isNew: false });
  }
  return inserts;
}

test('an account that is removed meanwhile is inserted again, up to five times', () => {
  expect([0, 1, 4].map(triesUntilFound)).toEqual([1, 2, 5]);
  expect(() => triesUntilFound(5)).toThrow(new StoreUnavailable('Another process is removing the account. Try again.'));
});

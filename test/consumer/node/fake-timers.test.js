import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXPECTED, underFakeTimers } from '../src/fake-timers.js';

test('fake timers do not stop the kit', async (t) => {
  t.mock.timers.enable();
  assert.deepEqual(await underFakeTimers(), EXPECTED);
});

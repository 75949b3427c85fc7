import { afterEach, expect, jest, test } from '@jest/globals';
import { EXPECTED, underFakeTimers } from '../src/fake-timers.js';

afterEach(() => jest.useRealTimers());

test('fake timers do not stop the kit', async () => {
  jest.useFakeTimers();
  expect(await underFakeTimers()).toEqual(EXPECTED);
}, 30_000);

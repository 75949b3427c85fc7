import { afterEach, expect, test, vi } from 'vitest';
import { EXPECTED, underFakeTimers } from '../src/fake-timers.js';

afterEach(() => vi.useRealTimers());

test('fake timers do not stop the kit', async () => {
  vi.useFakeTimers();
  expect(await underFakeTimers()).toEqual(EXPECTED);
}, 30_000);

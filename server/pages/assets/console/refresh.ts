/** When the console refreshes by itself: while its tab is visible and the switch is on. */
import { storageOf } from '../shared/browser.ts';

const storage = storageOf('localStorage');
const NAME = 'rollcall refresh';
const switched = new EventTarget();

export const isRefreshOn = (): boolean => storage.getItem(NAME) !== 'off';

/** Turns the automatic refresh on or off, for this page and all pages that are opened later. */
export function turnRefresh(isOn: boolean): void {
  storage.setItem(NAME, isOn ? 'on' : 'off');
  switched.dispatchEvent(new Event('change'));
}

/** @returns a function that sleeps for a time, and then until the page may refresh. It rejects when the signal is aborted. */
export function pauseWhile(signal: AbortSignal): (ms: number) => Promise<void> {
  return async (ms) => {
    await sleepWhile(signal)(ms);
    while (document.hidden || !isRefreshOn()) {
      await until(signal, (done) => {
        document.addEventListener('visibilitychange', done);
        switched.addEventListener('change', done);
        return () => {
          document.removeEventListener('visibilitychange', done);
          switched.removeEventListener('change', done);
        };
      });
    }
  };
}

/** @returns a function that sleeps for a time. It rejects when the signal is aborted. */
export const sleepWhile =
  (signal: AbortSignal) =>
  (ms: number): Promise<void> =>
    until(signal, (done) => {
      const timer = setTimeout(done, ms);
      return () => {
        clearTimeout(timer);
      };
    });

/** Resolves when `start` calls back; rejects when the signal is aborted. @param start returns a function that undoes it. */
function until(signal: AbortSignal, start: (done: () => void) => () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const end = (): void => {
      stop();
      signal.removeEventListener('abort', abort);
      resolve();
    };
    const abort = (): void => {
      stop();
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the caller's own reason
      reject(signal.reason);
    };
    const stop = start(end);
    signal.addEventListener('abort', abort, { once: true });
  });
}

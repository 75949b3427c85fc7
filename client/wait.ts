/** Waits for a contact import to end. */
import type { components } from '../generated/openapi.ts';
import { TimeoutError } from './errors.ts';
import { sleep } from './sleep.ts';

type ContactImport = components['schemas']['ContactImport'];

export interface WaitOptions {
  /** Ends the waiting at once; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** How long to wait at most, in milliseconds. Without it, until the import has ended. */
  readonly timeoutMs?: number;
  /** Told of the import each time it has changed, the first and the last time included. */
  readonly onProgress?: (contactImport: ContactImport) => void;
}

/** Asks for the import, unless it is still the one with `etag`. */
export type FetchIfChanged = (
  etag: string | undefined,
) => Promise<{ readonly changed: ContactImport | undefined; readonly etag: string | undefined }>;

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 15_000;
const GROWTH = 1.5;

/** @returns the import when its status is `completed` or `failed`. Pauses grow while nothing changes. */
export async function waitUntilEnded(
  fetchIfChanged: FetchIfChanged,
  { signal, timeoutMs = Infinity, onProgress }: WaitOptions,
): Promise<ContactImport> {
  const deadline = Date.now() + timeoutMs;
  let etag: string | undefined;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * GROWTH, MAX_PAUSE_MS)) {
    const answer = await fetchIfChanged(etag);
    etag = answer.etag;
    if (answer.changed !== undefined) {
      onProgress?.(answer.changed);
      const { status } = answer.changed;
      if (status === 'completed' || status === 'failed') return answer.changed;
      pauseMs = FIRST_PAUSE_MS;
    }
    if (Date.now() + pauseMs > deadline) {
      throw new TimeoutError(`The contact import has not ended within ${String(timeoutMs)} ms.`);
    }
    await sleep(pauseMs, signal);
  }
}

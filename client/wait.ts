/** Waits for a contact import to end. */
import type { components } from '../generated/openapi.ts';
import { sleep, within } from './time.ts';

type ContactImport = components['schemas']['ContactImport'];

export interface WaitOptions {
  /** Ends the waiting at once; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** How long to wait at most, in milliseconds, the request in flight included. Without it, until the import has ended. */
  readonly timeoutMs?: number;
  /** Told of the import each time it has changed, the first and the last time included. */
  readonly onProgress?: (contactImport: ContactImport) => void;
}

/** Asks for the import, unless it is still the one with `etag`. */
export type FetchIfChanged = (
  etag: string | undefined,
  signal: AbortSignal,
) => Promise<{ readonly changed: ContactImport | undefined; readonly etag: string | undefined }>;

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 15_000;
const GROWTH = 1.5;

/** @returns the import when its status is `completed` or `failed`. Pauses grow while nothing changes. */
export function waitUntilEnded(
  fetchIfChanged: FetchIfChanged,
  { signal, timeoutMs = Infinity, onProgress }: WaitOptions,
): Promise<ContactImport> {
  const message = `The contact import has not ended within ${String(timeoutMs)} ms.`;
  return within({ ms: timeoutMs, message, signal }, async (signal) => {
    let etag: string | undefined;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * GROWTH, MAX_PAUSE_MS)) {
      const answer = await fetchIfChanged(etag, signal);
      etag = answer.etag;
      if (answer.changed !== undefined) {
        onProgress?.(answer.changed);
        const { status } = answer.changed;
        if (status === 'completed' || status === 'failed') return answer.changed;
        pauseMs = FIRST_PAUSE_MS;
      }
      await sleep(pauseMs, signal);
    }
  });
}

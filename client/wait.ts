/** Waits for a contact import to end. */
import type { components } from '../generated/openapi.ts';
import { OPERATIONS } from '../generated/operations.ts';
import { itemOf } from './answers.ts';
import type { Answer, Ask } from './ask.ts';
import { NetworkError } from './errors.ts';
import { sleep, within } from './time.ts';

type ContactImport = components['schemas']['ContactImport'];

export interface WaitOptions {
  /** Ends the waiting at once; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** How long to wait at most, in milliseconds, the request in flight included. Without it, until the import has ended. */
  readonly timeoutMs?: number;
  /** Called with the import each time it has changed, the first and the last time included. */
  readonly onProgress?: (contactImport: ContactImport) => void;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 15_000;
const GROWTH = 1.5;

/** @returns the import when its status is `completed` or `failed`. Pauses grow while nothing changes. */
export function waitUntilEnded(
  ask: Ask,
  id: string,
  { signal, timeoutMs = Infinity, onProgress }: WaitOptions,
): Promise<ContactImport> {
  const message = `The contact import has not ended within ${String(timeoutMs)} ms.`;
  return within({ ms: timeoutMs, message, signal }, async (signal) => {
    let etag: string | undefined;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * GROWTH, MAX_PAUSE_MS)) {
      const answer = await ask(OPERATIONS.getContactImport.path, { path: { id } }, { signal, etag });
      if (answer.body !== undefined) {
        const contactImport = contactImportOf(answer);
        onProgress?.(contactImport);
        const { status } = contactImport;
        if (status === 'completed' || status === 'failed') return contactImport;
        etag = answer.response.headers.get('etag') ?? undefined;
        pauseMs = FIRST_PAUSE_MS;
      }
      await sleep(pauseMs, signal);
    }
  });
}

/** Checks the status too: without one the wait would never end. */
function contactImportOf(answer: Answer): ContactImport {
  const item = itemOf(answer);
  if (!('status' in item) || typeof item.status !== 'string') {
    throw new NetworkError(
      `The answer of ${answer.path} is not a contact import of the contract: that has a \`status\`.`,
    );
  }
  return item as ContactImport; // The other fields are the server's promise.
}

/** Polls a contact import until it ends. */
import type { ContactImport } from '../generated/models.ts';
import { OPERATIONS } from '../generated/operations.ts';
import type { Result } from './call.ts';
import { checkNumbers } from './checks.ts';
import { TimeoutError } from './errors.ts';
import type { CallOptions } from './fetch.ts';
import { itemOf } from './request.ts';
import type { JsonResponse, Requester } from './request.ts';
import { sleep, within } from './time.ts';

/** `retry` and `headers` apply to each request. */
export interface WaitOptions extends Omit<CallOptions, 'timeoutMs'> {
  /** The maximum time to wait, in milliseconds, including the request in flight. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** The pause between two requests, in milliseconds. Default: pauses that grow from half a second to 15 seconds. */
  readonly pollMs?: number | undefined;
  /** Called with the import after the first request and after each change. An error that it throws ends the wait. */
  readonly onProgress?: ((contactImport: ContactImport) => void) | undefined;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 15_000;
const GROWTH = 1.5;

/** Resolves to the import when its status is `completed` or `failed`. */
export async function waitUntilEnded(
  request: Requester,
  id: string,
  { signal, timeoutMs = Infinity, pollMs, onProgress, ...options }: WaitOptions,
): Promise<Result<ContactImport>> {
  checkNumbers({ timeoutMs, pollMs });
  const late = (): never => {
    throw new TimeoutError(`The contact import did not end within ${String(timeoutMs)} ms.`);
  };
  const first = pollMs ?? FIRST_PAUSE_MS;
  const next = (pauseMs: number): number => pollMs ?? Math.min(pauseMs * GROWTH, MAX_PAUSE_MS);
  return within({ ms: timeoutMs, late, signal }, async (signal) => {
    let etag: string | undefined;
    for (let pauseMs = first; ; pauseMs = next(pauseMs)) {
      const response = await request(OPERATIONS.getContactImport.path, { path: { id } }, { ...options, signal, etag });
      if (response.body !== undefined) {
        const contactImport = contactImportOf(response);
        onProgress?.(contactImport);
        const { status } = contactImport;
        if (status === 'completed' || status === 'failed') return { data: contactImport, received: response.received };
        etag = response.received.headers.get('etag') ?? undefined;
        pauseMs = first;
      }
      await sleep(pauseMs, signal);
    }
  });
}

/** Validates the status too: without it the wait would never end. */
function contactImportOf(response: JsonResponse): ContactImport {
  const item = itemOf(response);
  if (!('status' in item) || typeof item.status !== 'string') {
    throw response.mismatch('a contact import of the contract, with a `status`');
  }
  return item as ContactImport; // The other properties are not validated.
}

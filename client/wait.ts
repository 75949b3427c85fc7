/** Polls a contact import until it ends. */
import type { ContactImport } from '../generated/models.ts';
import { OPERATIONS } from '../generated/operations.ts';
import type { Result } from './call.ts';
import { checkNumbers } from './checks.ts';
import { TimeoutError } from './client-errors.ts';
import type { CallOptions } from './fetch.ts';
import { isItem } from './request.ts';
import type { Kind, Requester } from './request.ts';
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

const { path } = OPERATIONS.getContactImport;
/** With a status: without it the wait would never end. */
const IMPORT: Kind<ContactImport> = {
  what: 'a contact import of the contract, with an `id` and a `status`',
  is: (value): value is ContactImport => isItem(value) && 'status' in value && typeof value.status === 'string',
};
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
      const { data, received } = await request(path, { path: { id } }, { ...options, signal, etag }, IMPORT);
      if (data !== undefined) {
        onProgress?.(data);
        if (data.status === 'completed' || data.status === 'failed') return { data, received };
        etag = received.headers.get('etag') ?? undefined;
        pauseMs = first;
      }
      await sleep(pauseMs, signal);
    }
  });
}

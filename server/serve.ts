/** A whole Rollcall server: the parts put together, in the order in which they may fail. */
import { createApp } from './app.ts';
import type { Parts } from './app.ts';
import { listen } from './listener.ts';
import type { Address, Listener } from './listener.ts';
import { createHandlers } from './operations/handlers.ts';
import { rehearse } from './rehearse.ts';
import { loadSpec } from './spec.ts';
import type { Store } from './store/store.ts';
import { createValidator } from './validator.ts';

export interface ServeOptions extends Address {
  readonly report: Parts['report'];
}

/**
 * Serves a store once contract and store have proved sound.
 * @returns where it listens. Stopping it closes the store.
 */
export async function serve(store: Store, { host, port, report }: ServeOptions): Promise<Listener> {
  const spec = await loadSpec();
  const parts = { spec, validator: createValidator(spec), store, handlers: createHandlers(store), report };
  await rehearse(parts);
  const listener = await listen(createApp(parts), spec, { host, port });
  return {
    url: listener.url,
    stop: async () => {
      await listener.stop();
      await store.close();
    },
  };
}

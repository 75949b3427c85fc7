/** The admin port of a command: loaded only where it is asked for. */
import type { Admin, AdminOptions } from '../observe/admin.ts';
import { probe } from '../store/store.ts';
import type { Store } from '../store/store.ts';
import { listenRefusal } from './listen-refusal.ts';

export interface AdminSettings extends Pick<AdminOptions, 'host' | 'port' | 'metrics'> {
  readonly store: Store;
  /** Throws while the server is not ready, whatever its store says. */
  readonly assertReady?: () => void;
}

/**
 * Opens the admin port.
 * @throws Refusal if it cannot listen there.
 */
export async function openAdmin({ store, assertReady, ...address }: AdminSettings): Promise<Admin> {
  const { startAdmin } = await import('../observe/admin.ts');
  try {
    return await startAdmin({
      ...address,
      probe: () => {
        assertReady?.();
        return probe(store);
      },
    });
  } catch (error) {
    throw listenRefusal(error, address, 'admin-');
  }
}

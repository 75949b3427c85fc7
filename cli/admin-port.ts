/** The admin port of a server, or of all workers. */
import process from 'node:process';
import type { Contract } from '../contract/document.ts';
import type { Admin, AdminOptions } from '../server/observe/admin.ts';
import type { Instance } from '../server/observe/instance.ts';
import { version } from '../server/runtime.ts';
import { isPostgres } from '../server/store/address.ts';
import type { Store } from '../server/store/store.ts';
import { listenError } from '../command/listen-error.ts';
import type { Settings } from './settings.ts';

/**
 * @param usage reads the usage of the database.
 * @returns the instance, for its metrics.
 */
export const instanceOf = ({ db }: Settings, contract: Contract, usage: Instance['usage']): Instance => ({
  build: {
    version,
    contract_version: contract.version,
    node_version: process.versions.node,
    engine: isPostgres(db) ? 'postgresql' : 'sqlite',
  },
  usage,
});

export interface AdminSettings extends Pick<AdminOptions, 'contract' | 'host' | 'port' | 'metrics'> {
  readonly store: Store;
  /** Throws while the server is not ready, even if its store is. */
  readonly assertReady?: () => void;
}

/**
 * Opens the admin port.
 * @throws CliError if it cannot listen on the address.
 */
export async function openAdmin({ store, assertReady, ...options }: AdminSettings): Promise<Admin> {
  const { startAdmin } = await import('../server/observe/admin.ts');
  try {
    return await startAdmin({
      ...options,
      probe: () => {
        assertReady?.();
        return store.probe();
      },
    });
  } catch (error) {
    throw listenError(error, options, 'admin-');
  }
}

/** The operations of the contract. */
import type { Handlers } from '../contract.ts';
import { ProblemError } from '../problems.ts';
import type { Store } from '../store/store.ts';
import { listPage } from './list.ts';

/** @returns the handler of every operation, reading from `store`. */
export function createHandlers(store: Store): Handlers {
  return {
    listAutomations: async ({ account, query }, send) =>
      send(200, await listPage(store, account, 'automations', query)),

    listContactProperties: async ({ account, query }, send) =>
      send(200, await listPage(store, account, 'contactProperties', query)),

    listContactImports: async ({ account, query }, send) =>
      send(200, await listPage(store, account, 'contactImports', query)),

    getContactImport: async ({ account, path }, send) => {
      const found = await store.get(account, 'contactImports', path.id.toLowerCase());
      if (found === undefined) throw new ProblemError('not_found', 'There is no contact import with this `id`.');
      return send(200, found);
    },
  };
}

import { getContactImport, listAutomations, listContactImports, listContactProperties } from './generated';
import { createClient } from './generated/client';
import { drive, Failed, fetchFailed } from './driver';

/** @returns the body of a response, which this client returns beside its error. No response is an error too. */
function bodyOf<T>({ data, error, response }: { data?: T; error?: unknown; response?: Response }): T {
  if (data !== undefined) return data;
  throw response === undefined ? error : Failed.response(response.status, error);
}

void drive((baseUrl, key) => {
  const client = createClient({ baseUrl, auth: key });
  return {
    automations: async (query) => bodyOf(await listAutomations({ client, query })),
    contactProperties: async (query) => bodyOf(await listContactProperties({ client, query })),
    contactImports: async (query) => bodyOf(await listContactImports({ client, query })),
    contactImport: async (id) => bodyOf(await getContactImport({ client, path: { id } })),
  };
}, fetchFailed);

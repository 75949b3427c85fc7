import { listAutomations, listContactImports, listContactProperties } from './generated';
import { createClient } from './generated/client';
import { drive } from './driver';

/** @returns the body of a response, which this client returns beside its error. No response is an error too. */
function bodyOf<T>({ data, error, response }: { data?: T; error?: unknown; response?: Response }): T {
  if (data !== undefined) return data;
  throw response === undefined ? error : new Error(`status ${String(response.status)}`);
}

void drive((baseUrl, key) => {
  const client = createClient({ baseUrl, auth: key });
  return {
    automations: async (query) => bodyOf(await listAutomations({ client, query })),
    'contact-properties': async (query) => bodyOf(await listContactProperties({ client, query })),
    'contact-imports': async (query) => bodyOf(await listContactImports({ client, query })),
  };
});

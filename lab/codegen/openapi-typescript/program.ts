import createClient from 'openapi-fetch';
import type { paths } from './generated/openapi';
import { drive } from './driver';

/** @returns the body of a response, which this client returns beside its error. */
function bodyOf<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (error !== undefined || data === undefined) throw new Error(`status ${String(response.status)}`);
  return data;
}

void drive((baseUrl, key) => {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
  return {
    automations: async (query) => bodyOf(await client.GET('/automations', { params: { query } })),
    'contact-properties': async (query) => bodyOf(await client.GET('/contact-properties', { params: { query } })),
    'contact-imports': async (query) => bodyOf(await client.GET('/contacts/imports', { params: { query } })),
  };
});

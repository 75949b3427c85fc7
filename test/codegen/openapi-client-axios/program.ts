import { readFileSync } from 'node:fs';
import { OpenAPIClientAxios } from 'openapi-client-axios';
import type { Document } from 'openapi-client-axios';
import type { Client, Components } from './generated/rollcall';
import { axiosFailed, drive } from './driver';
import type { List } from './driver';

/** A list of at most 100 is typed as a tuple of as many that may be missing. */
function present<T>({ has_more, data }: { has_more: boolean; data: readonly (T | undefined)[] }): List<T> {
  return { has_more, data: data.filter((it) => it !== undefined) };
}

void drive<Components.Schemas.ProblemName>(
  async (url, key) => {
    // The client is made of the contract where it runs; the types alone are generated.
    const definition = JSON.parse(readFileSync('openapi.json', 'utf8')) as Document;
    const api = new OpenAPIClientAxios({
      definition,
      withServer: { url },
      axiosConfigDefaults: { headers: { Authorization: `Bearer ${key}` } },
    });
    const client = await api.init<Client>();
    return {
      automations: async (query) => present((await client.listAutomations({ ...query })).data),
      contactProperties: async (query) => present((await client.listContactProperties({ ...query })).data),
      contactImports: async (query) => present((await client.listContactImports({ ...query })).data),
      contactImport: async (id) => (await client.getContactImport({ id })).data,
    };
  },
  axiosFailed,
  { notFound: 'not_found', invalidApiKey: 'invalid_api_key' },
);

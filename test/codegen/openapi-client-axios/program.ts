import { OpenAPIClientAxios } from 'openapi-client-axios';
import { isAxiosError } from 'axios';
import type { Client, Components } from './generated/rollcall';
import { doThings } from './things';

type ProblemName = Components.Schemas.ProblemName;

/** A list of at most 100 is typed as a tuple of as many that may be missing. */
const present = <T>(items: readonly (T | undefined)[]): readonly T[] => items.filter((it) => it !== undefined);

void doThings<ProblemName>(
  (url, key) => {
    // The client is made of the contract where it runs; the types alone are generated.
    const api = new OpenAPIClientAxios({
      definition: `${url}/openapi.json`,
      withServer: { url },
      axiosConfigDefaults: { headers: { Authorization: `Bearer ${key}` } },
    });
    const connecting = api.init<Client>();
    return {
      automations: async (query) => {
        const { data } = await (await connecting).listAutomations({ ...query });
        return { hasMore: data.has_more, ids: present(data.data).map(({ id }) => id) };
      },
      contactImport: async (id) => {
        const { data } = await (await connecting).getContactImport({ id });
        return { created: data.counts.created, completedAt: data.completed_at };
      },
      fallbackValues: async () => {
        const { data } = await (await connecting).listContactProperties();
        return present(data.data).map((it) => it.fallback_value);
      },
      failure: async (id) => {
        try {
          await (await connecting).getContactImport({ id });
        } catch (error) {
          if (!isAxiosError<Components.Schemas.Problem>(error) || error.response === undefined) throw error;
          return { status: error.response.status, problem: error.response.data };
        }
        throw new Error('It did not fail.');
      },
    };
  },
  { notFound: 'not_found', invalidApiKey: 'invalid_api_key' },
);

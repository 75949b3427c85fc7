import { isErrorFromAlias } from '@zodios/core';
import type { z } from 'zod';
import { api, createApiClient, schemas } from './generated/rollcall';
import { doThings } from './things';

type ProblemName = z.infer<typeof schemas.ProblemName>;

// Every answer is validated by the generated schemas.
void doThings<ProblemName>(
  (baseUrl, key) => {
    const client = createApiClient(baseUrl, { axiosConfig: { headers: { Authorization: `Bearer ${key}` } } });
    return {
      automations: async (queries) => {
        const { has_more, data } = await client.listAutomations({ queries });
        return { hasMore: has_more, ids: data.map(({ id }) => id) };
      },
      contactImport: async (id) => {
        const { counts, completed_at } = await client.getContactImport({ params: { id } });
        return { created: counts.created, completedAt: completed_at };
      },
      fallbackValues: async () => {
        const { data } = await client.listContactProperties();
        return data.map((it) => it.fallback_value);
      },
      failure: async (id) => {
        try {
          await client.getContactImport({ params: { id } });
        } catch (error) {
          if (!isErrorFromAlias(api.api, 'getContactImport', error)) throw error;
          const { status, data } = error.response;
          if (status !== 401 && status !== 404) throw error;
          return { status, problem: data };
        }
        throw new Error('It did not fail.');
      },
    };
  },
  { notFound: 'not_found', invalidApiKey: 'invalid_api_key' },
);

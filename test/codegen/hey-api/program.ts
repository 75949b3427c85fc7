import { getContactImport, listAutomations, listContactProperties } from './generated';
import type { ProblemName } from './generated';
import { createClient } from './generated/client';
import { doThings } from './things';

void doThings<ProblemName>(
  (baseUrl, key) => {
    const client = createClient({ baseUrl, auth: key });
    return {
      automations: async (query) => {
        const { data } = await listAutomations({ client, query, throwOnError: true });
        return { hasMore: data.has_more, ids: data.data.map(({ id }) => id) };
      },
      contactImport: async (id) => {
        const { data } = await getContactImport({ client, path: { id }, throwOnError: true });
        return { created: data.counts.created, completedAt: data.completed_at };
      },
      fallbackValues: async () => {
        const { data } = await listContactProperties({ client, throwOnError: true });
        return data.data.map((it) => it.fallback_value);
      },
      failure: async (id) => {
        const { error, response } = await getContactImport({ client, path: { id } });
        if (error === undefined || response === undefined) throw new Error('It did not fail.');
        return { status: response.status, problem: error };
      },
    };
  },
  { notFound: 'not_found', invalidApiKey: 'invalid_api_key' },
);

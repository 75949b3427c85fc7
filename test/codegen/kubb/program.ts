import { fetch as request } from './generated/.kubb/fetch';
import { getContactImport, listAutomations, listContactProperties } from './generated';
import type { ProblemNameEnumKey } from './generated';
import { problemSchema } from './generated/zod/problemSchema';
import { doThings } from './things';

// Every answer is validated by the generated schemas.
void doThings<ProblemNameEnumKey>(
  (baseURL, key) => {
    const config = { baseURL, headers: { Authorization: `Bearer ${key}` } };
    return {
      automations: async (query) => {
        const { has_more, data } = await listAutomations(query, undefined, config);
        return { hasMore: has_more, ids: data.map(({ id }) => id) };
      },
      contactImport: async (id) => {
        const { counts, completed_at } = await getContactImport(id, undefined, config);
        return { created: counts.created, completedAt: completed_at };
      },
      fallbackValues: async () => {
        const { data } = await listContactProperties(undefined, undefined, config);
        return data.map((it) => it.fallback_value);
      },
      failure: async (id) => {
        // Its client throws nothing for a status: the operations, which parse answers of 200 only, refuse the body of others.
        const { status, data } = await request({ ...config, method: 'GET', url: `/contacts/imports/${id}` });
        return { status, problem: problemSchema.parse(data) };
      },
    };
  },
  { notFound: 'not_found', invalidApiKey: 'invalid_api_key' },
);

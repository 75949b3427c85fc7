import { getContactImport, listAutomations, listContactProperties } from './generated/rollcall';
import type { ProblemName } from './generated/rollcall';
import { doThings } from './things';

// The address is a part of what orval generates: see its configuration.
void doThings<ProblemName>(
  (_baseUrl, key) => {
    const options = { headers: { Authorization: `Bearer ${key}` } };
    return {
      automations: async (query) => {
        const { status, data } = await listAutomations(query, options);
        if (status !== 200) throw new Error('There is no page.');
        return { hasMore: data.has_more, ids: data.data.map(({ id }) => id) };
      },
      contactImport: async (id) => {
        const { status, data } = await getContactImport(id, options);
        if (status !== 200) throw new Error('There is no contact import.');
        return { created: data.counts.created, completedAt: data.completed_at };
      },
      fallbackValues: async () => {
        const { status, data } = await listContactProperties({}, options);
        if (status !== 200) throw new Error('There is no page.');
        return data.data.map((it) => it.fallback_value);
      },
      failure: async (id) => {
        const { status, data } = await getContactImport(id, options);
        if (status !== 401 && status !== 404) throw new Error('It did not fail as it should.');
        return { status, problem: data };
      },
    };
  },
  { notFound: 'not_found', invalidApiKey: 'invalid_api_key' },
);

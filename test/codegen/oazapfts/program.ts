import { getContactImport, listAutomations, listContactProperties } from './generated/rollcall';
import type { ProblemName } from './generated/rollcall';
import { doThings } from './things';

void doThings<ProblemName>(
  (baseUrl, key) => {
    const options = { baseUrl, headers: { Authorization: `Bearer ${key}` } };
    return {
      automations: async (query) => {
        const answer = await listAutomations(query, options);
        if (answer.status !== 200) throw new Error('There is no page.');
        return { hasMore: answer.data.has_more, ids: answer.data.data.map(({ id }) => id) };
      },
      contactImport: async (id) => {
        const answer = await getContactImport(id, {}, options);
        if (answer.status !== 200) throw new Error('There is no contact import.');
        return { created: answer.data.counts.created, completedAt: answer.data.completed_at };
      },
      fallbackValues: async () => {
        const answer = await listContactProperties({}, options);
        if (answer.status !== 200) throw new Error('There is no page.');
        return answer.data.data.map((it) => it.fallback_value);
      },
      failure: async (id) => {
        const answer = await getContactImport(id, {}, options);
        if (answer.status !== 401 && answer.status !== 404) throw new Error('It did not fail as it should.');
        return { status: answer.status, problem: answer.data };
      },
    };
  },
  { notFound: 'not_found', invalidApiKey: 'invalid_api_key' },
);

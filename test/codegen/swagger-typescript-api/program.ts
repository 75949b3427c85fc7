import { Api } from './generated/rollcall';
import type { Problem, ProblemName } from './generated/rollcall';
import { doThings } from './things';

void doThings<ProblemName>(
  (baseUrl, key) => {
    // Without the format it reads no body, because a 304 has none.
    const baseApiParams = { format: 'json' as const, headers: { Authorization: `Bearer ${key}` } };
    const api = new Api({ baseUrl, baseApiParams });
    return {
      automations: async (query) => {
        const { data } = await api.automations.listAutomations(query);
        return { hasMore: data.has_more, ids: data.data.map(({ id }) => id) };
      },
      contactImport: async (id) => {
        const { data } = await api.contacts.getContactImport(id);
        return { created: data.counts.created, completedAt: data.completed_at };
      },
      fallbackValues: async () => {
        const { data } = await api.contactProperties.listContactProperties();
        return data.data.map((it) => it.fallback_value);
      },
      failure: async (id) => {
        const answer = await api.contacts.getContactImport(id).catch((error: unknown) => error);
        // What it throws is typed by its promise alone.
        const { status, error } = answer as { readonly status: number; readonly error: Problem };
        return { status, problem: error };
      },
    };
  },
  { notFound: 'not_found', invalidApiKey: 'invalid_api_key' },
);

import createClient from 'openapi-fetch';
import type { components, paths } from './generated/openapi';
import { doThings } from './things';

type ProblemName = components['schemas']['ProblemName'];

void doThings<ProblemName>(
  (baseUrl, key) => {
    const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
    return {
      automations: async (query) => {
        const { data } = await client.GET('/automations', { params: { query } });
        if (data === undefined) throw new Error('There is no page.');
        return { hasMore: data.has_more, ids: data.data.map(({ id }) => id) };
      },
      contactImport: async (id) => {
        const { data } = await client.GET('/contacts/imports/{id}', { params: { path: { id } } });
        if (data === undefined) throw new Error('There is no contact import.');
        return { created: data.counts.created, completedAt: data.completed_at };
      },
      fallbackValues: async () => {
        const { data } = await client.GET('/contact-properties');
        if (data === undefined) throw new Error('There is no page.');
        return data.data.map((it) => it.fallback_value);
      },
      failure: async (id) => {
        const { error, response } = await client.GET('/contacts/imports/{id}', { params: { path: { id } } });
        if (error === undefined) throw new Error('It did not fail.');
        return { status: response.status, problem: error };
      },
    };
  },
  { notFound: 'not_found', invalidApiKey: 'invalid_api_key' },
);

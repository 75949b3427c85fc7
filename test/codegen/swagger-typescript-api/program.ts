import { Api } from './generated/rollcall';
import type { ProblemName } from './generated/rollcall';
import { drive, Failed, fetchFailed } from './driver';

/** It throws the response, with the error in its body, or why it could not read that. */
function failureOf(thrown: unknown): Failed | undefined {
  return thrown instanceof Response && 'error' in thrown
    ? Failed.response(thrown.status, thrown.error)
    : fetchFailed(thrown);
}

void drive<ProblemName>(
  (baseUrl, key) => {
    // Without the format it reads no body, because a 304 has none.
    const baseApiParams = { format: 'json' as const, headers: { Authorization: `Bearer ${key}` } };
    const api = new Api({ baseUrl, baseApiParams });
    return {
      automations: async (query) => (await api.automations.listAutomations(query)).data,
      contactProperties: async (query) => (await api.contactProperties.listContactProperties(query)).data,
      contactImports: async (query) => (await api.contacts.listContactImports(query)).data,
      contactImport: async (id) => (await api.contacts.getContactImport(id)).data,
    };
  },
  failureOf,
  { notFound: 'not_found', invalidApiKey: 'invalid_api_key' },
);

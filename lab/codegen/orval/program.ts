import { getContactImport, listAutomations, listContactImports, listContactProperties } from './generated/rollcall';
import type { ProblemName } from './generated/rollcall';
import { drive, Failed, fetchFailed } from './driver';

// The generated code finds out the base URL itself: see the configuration of orval.
void drive<ProblemName>(
  (_baseUrl, key) => {
    const options = { headers: { Authorization: `Bearer ${key}` } };
    return {
      automations: async (query) => {
        const { status, data } = await listAutomations(query, options);
        if (status !== 200) throw Failed.response(status, data);
        return data;
      },
      contactProperties: async (query) => {
        const { status, data } = await listContactProperties(query, options);
        if (status !== 200) throw Failed.response(status, data);
        return data;
      },
      contactImports: async (query) => {
        const { status, data } = await listContactImports(query, options);
        if (status !== 200) throw Failed.response(status, data);
        return data;
      },
      contactImport: async (id) => {
        const { status, data } = await getContactImport(id, options);
        if (status !== 200) throw Failed.response(status, data);
        return data;
      },
    };
  },
  fetchFailed,
  { notFound: 'not_found', invalidApiKey: 'invalid_api_key' },
);

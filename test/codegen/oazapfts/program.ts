import { getContactImport, listAutomations, listContactImports, listContactProperties } from './generated/rollcall';
import type { ProblemName } from './generated/rollcall';
import { drive, Failed, fetchFailed } from './driver';

void drive<ProblemName>(
  (baseUrl, key) => {
    const options = { baseUrl, headers: { Authorization: `Bearer ${key}` } };
    return {
      automations: async (query) => {
        const response = await listAutomations(query, options);
        if (response.status !== 200) throw Failed.response(response.status, dataOf(response));
        return response.data;
      },
      contactProperties: async (query) => {
        const response = await listContactProperties(query, options);
        if (response.status !== 200) throw Failed.response(response.status, dataOf(response));
        return response.data;
      },
      contactImports: async (query) => {
        const response = await listContactImports(query, options);
        if (response.status !== 200) throw Failed.response(response.status, dataOf(response));
        return response.data;
      },
      contactImport: async (id) => {
        const response = await getContactImport(id, {}, options);
        if (response.status !== 200) throw Failed.response(response.status, dataOf(response));
        return response.data;
      },
    };
  },
  fetchFailed,
  { notFound: 'not_found', invalidApiKey: 'invalid_api_key' },
);

/** The type of a 304 has no data. */
const dataOf = (response: object): unknown => ('data' in response ? response.data : undefined);

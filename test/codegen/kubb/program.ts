import { ZodError } from 'zod';
import { fetch as request } from './generated/.kubb/fetch';
import { getContactImport, listAutomations, listContactImports, listContactProperties } from './generated';
import type { ProblemNameEnumKey } from './generated';
import { drive, Failed, fetchFailed } from './driver';

/** Its client throws nothing for a status, and its operations parse the body of every response as that of a 200. */
const client: typeof request = Object.assign(async (config: Parameters<typeof request>[0]) => {
  const response = await request<never>(config);
  if (response.status !== 200) throw Failed.response(response.status, response.data);
  return response;
}, request);

function failureOf(error: unknown): Failed | undefined {
  return error instanceof ZodError ? new Failed(0, 'unreadable') : fetchFailed(error);
}

// Every answer is validated by the generated schemas.
void drive<ProblemNameEnumKey>(
  (baseURL, key) => {
    const config = { baseURL, headers: { Authorization: `Bearer ${key}` }, client };
    return {
      automations: (query) => listAutomations(query, undefined, config),
      contactProperties: (query) => listContactProperties(query, undefined, config),
      contactImports: (query) => listContactImports(query, undefined, config),
      contactImport: (id) => getContactImport(id, undefined, config),
    };
  },
  failureOf,
  { notFound: 'not_found', invalidApiKey: 'invalid_api_key' },
);

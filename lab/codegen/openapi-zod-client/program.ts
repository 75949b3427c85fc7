import { isErrorFromAlias, ZodiosError } from '@zodios/core';
import type { z } from 'zod';
import { api, createApiClient, schemas } from './generated/rollcall';
import { axiosFailed, drive, Failed } from './driver';

/** Its declared errors are validated by the generated schemas; those that are not valid are axios's. */
function failureOf(error: unknown): Failed | undefined {
  if (error instanceof ZodiosError) return new Failed(0, 'unreadable');
  const aliases = ['listAutomations', 'listContactProperties', 'listContactImports', 'getContactImport'] as const;
  for (const alias of aliases) {
    if (!isErrorFromAlias(api.api, alias, error)) continue;
    const { status, data } = error.response;
    return Failed.response(status, data);
  }
  return axiosFailed(error);
}

// Every answer is validated by the generated schemas.
void drive<z.infer<typeof schemas.ProblemName>>(
  (baseUrl, key) => {
    const client = createApiClient(baseUrl, { axiosConfig: { headers: { Authorization: `Bearer ${key}` } } });
    return {
      automations: (queries) => client.listAutomations({ queries }),
      contactProperties: (queries) => client.listContactProperties({ queries }),
      contactImports: (queries) => client.listContactImports({ queries }),
      contactImport: (id) => client.getContactImport({ params: { id } }),
    };
  },
  failureOf,
  { notFound: 'not_found', invalidApiKey: 'invalid_api_key' },
);

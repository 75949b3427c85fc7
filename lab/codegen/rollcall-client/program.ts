import { ApiError, createClient, NetworkError } from '@rollcall/client';
import type { ProblemName } from '@rollcall/client';
import { drive, Failed } from './driver';

const NAMES = {
  automations: 'automations',
  'contact-properties': 'contactProperties',
  'contact-imports': 'contactImports',
} as const;

function failureOf(error: unknown): Failed | undefined {
  if (error instanceof ApiError) return Failed.response(error.status, error.problem);
  if (!(error instanceof NetworkError)) return undefined;
  return error.status === undefined ? new Failed(0, 'network') : new Failed(error.status, 'unreadable');
}

void drive<ProblemName>(
  (baseUrl, apiKey) => {
    const client = createClient({ baseUrl, apiKey });
    return {
      automations: async (query) => client.automations.list(query as object), // The server rejects both cursors at once.
      contactProperties: async (query) => client.contactProperties.list(query as object),
      contactImports: async (query) => client.contactImports.list(query as object),
      contactImport: async (id) => client.contactImports.get(id),
      items: (collection, query) => client[NAMES[collection as keyof typeof NAMES]].list(query as object),
    };
  },
  failureOf,
  { notFound: 'not_found', invalidApiKey: 'invalid_api_key' },
);

/** Generated from openapi.yaml by `npm run generate`. Do not edit. */

/** The path, query parameters and defaults of each operation. */
export const OPERATIONS = {
  listAutomations: { path: '/automations', query: ['limit', 'after', 'before', 'status'], defaults: { limit: 20 } },
  listContactProperties: { path: '/contact-properties', query: ['limit', 'after', 'before'], defaults: { limit: 20 } },
  listContactImports: {
    path: '/contacts/imports',
    query: ['limit', 'after', 'before', 'status'],
    defaults: { limit: 10 },
  },
  getContactImport: { path: '/contacts/imports/{id}', query: [], defaults: {} },
} as const;

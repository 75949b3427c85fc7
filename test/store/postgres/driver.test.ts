/** The driver, and what is left open of its connections. */
import { createRequire } from 'node:module';
import { expect, jest, test } from '@jest/globals';
import { databaseOf } from '../../../cli/database.ts';
import { assertVersion } from '../../../server/store/postgres/driver.ts';
import { StoreError } from '../../../server/store/store.ts';
import { afterTest } from '../../support/after-test.ts';
import { openDatabase } from '../../support/engine.ts';
import { startProxy } from '../../support/faulty-proxy.ts';
import { connectTo } from './rows.ts';

const CARET = /^\^\d+\.\d+\.\d+$/;
const OTHERS = `SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`;
/** Whatever fake timers replace, except timeouts. */
const OTHER_TIMERS = [
  ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
];

test.each([
  ['8.23.0', '8.23.0'],
  ['8.23.0', '8.23.1'],
  ['8.23.0', '8.100.0'],
  ['8.23.2', '8.24.0'],
])('from %s on: %s is accepted', (oldest, installed) => {
  expect(() => {
    assertVersion('pg', oldest, installed);
  }).not.toThrow();
});

test.each([
  ['8.23.0', '8.22.0'],
  ['8.23.0', '8.9.9'],
  ['8.23.0', '7.100.0'],
  ['8.23.0', '9.0.0'],
  ['8.23.2', '8.23.1'],
  ['8.23.0', '8.23.0-rc.1'],
])('from %s on: %s is an error that names both', (oldest, installed) => {
  expect(() => {
    assertVersion('pg', oldest, installed);
  }).toThrow(
    new StoreError(
      `PostgreSQL requires the package pg in version ${oldest} or later, below 9; ${installed} is installed. ` +
        'Run: npm install pg@8 pg-copy-streams@7',
    ),
  );
});

test('package.json allows one major version of each package, from an oldest one on', () => {
  const { peerDependencies } = createRequire(import.meta.url)('#package') as { peerDependencies: object };
  expect(peerDependencies).toEqual({
    pg: expect.stringMatching(CARET),
    'pg-copy-streams': expect.stringMatching(CARET),
  });
});

test('an inspector whose transaction cannot begin leaves no connection open', async () => {
  const { address } = await openDatabase();
  const proxy = await startProxy(Number(new URL(address).port));
  afterTest(() => proxy.close());
  proxy.replace('BEGIN', 'BEGIX');
  // A pool that nobody closes keeps an idle connection until a timeout, which never comes here.
  jest.useFakeTimers({ doNotFake: [...OTHER_TIMERS] });
  afterTest(() => jest.useRealTimers());
  await expect(databaseOf(proxy.through(address)).openInspector()).rejects.toThrow('syntax error at or near "BEGIX"');
  const observer = await connectTo(address);
  while ((await observer.query(OTHERS)).rowCount !== 0);
});

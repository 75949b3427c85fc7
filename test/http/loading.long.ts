/** What a lazy server loads, and when: seen in a process of its own, which has loaded nothing else. */
import { expect, test } from '@jest/globals';
import { ROOT, run } from '../support/project.ts';

test('a lazy server loads the validator and Express for the first request that needs them, and no server the code of fetch', () => {
  const program = `
    import { createRequire } from 'node:module';
    const { startServer } = await import('./server/compose.ts');
    const { loadContract } = await import('./contract/document.ts');
    const { cache } = createRequire(process.cwd() + '/');
    const { get } = createRequire(process.cwd() + '/')('node:http');
    const list = () => ({ items: [], hasMore: false });
    const session = { account: 1, accountName: 'a', keyId: 'k', records: { list } };
    const store = { list, authenticate: () => session, revision: () => 1, close: () => undefined };
    const address = { host: '127.0.0.1', port: 0 };
    const server = await startServer({ contract: loadContract(), store, observer: {}, cacheBytes: 1000, isLazy: true, ...address });
    const request = async (path) => {
      const options = { agent: false, headers: { authorization: 'Bearer key' } };
      const res = await new Promise((resolve) => get(server.url + path, options, resolve));
      res.resume();
      console.log(
        path,
        res.statusCode,
        Object.keys(cache).filter((name) => name.endsWith('/express/lib/express.js')).length,
        Object.keys(cache).filter((name) => name.endsWith('/express-openapi-validator/dist/index.js')).length,
        process.moduleLoadList.filter((name) => name.endsWith('/undici')).length,
      );
    };
    for (const path of ['/automations', '/nothing', '/automations?limit=1']) await request(path);
    await server.stop(0);`;
  expect(run(ROOT, [process.execPath, '--no-warnings', '--input-type=module', '--eval', program])).toEqual({
    ok: true,
    output: '/automations 200 0 0 0\n/nothing 404 1 0 0\n/automations?limit=1 200 1 1 0\n',
  });
});

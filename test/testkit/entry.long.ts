/** The entry point of the kit: fast to import, because the server and the database engine are loaded on first use. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const KIT = fileURLToPath(new URL('../../testkit/index.ts', import.meta.url));
const PROGRAM = `
  const loaded = () => process.report.getReport().sharedObjects.filter((it) => it.endsWith('.node')).length;
  process.report.excludeNetwork = true;
  const { automation, startRollcall } = await import(${JSON.stringify(KIT)});
  const record = automation();
  const before = loaded();
  const server = await startRollcall({ automations: [record] });
  console.log(JSON.stringify({ before, after: loaded() }));
  await server.close();
`;

test('the first server loads the database engine, the import does not', () => {
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const argv = ['--no-warnings', '--input-type=module', '--eval', PROGRAM];
  const { stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8', env });
  expect({ stdout, stderr }).toEqual({ stdout: '{"before":0,"after":1}\n', stderr: '' });
});

test.each([
  ['is not closed', `const server = await startRollcall({ automations: [automation()] });`],
  ['is not awaited', `const server = startRollcall({ automations: [automation()] });`],
])('a server that %s does not keep its process alive, even with open connections', (_, start) => {
  const program = `
    const { once } = await import('node:events');
    const { connect } = await import('node:net');
    const { automation, startRollcall } = await import(${JSON.stringify(KIT)});
    ${start}
    const { url, apiKey } = await server;
    const response = await fetch(url + '/automations', { headers: { authorization: 'Bearer ' + apiKey } });
    console.log(response.status, (await response.json()).data.length);
    const idle = connect(new URL(url).port, '127.0.0.1');
    await once(idle, 'connect');
    idle.unref();
  `;
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const argv = ['--no-warnings', '--input-type=module', '--eval', program];
  const { stdout, stderr, status } = spawnSync(process.execPath, argv, { encoding: 'utf8', env, timeout: 60_000 });
  expect({ stdout, stderr, status }).toEqual({ stdout: '200 1\n', stderr: '', status: 0 });
});

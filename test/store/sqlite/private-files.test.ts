/** Files with records or keys are for their owner alone, whatever the umask. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { automation } from '../../../server/testing/builders.ts';
import { folder } from '../../support/own-folder.ts';

const MAIN = fileURLToPath(new URL('../../../server/main.ts', import.meta.url));

/** Starts a command under a umask that takes nothing away. */
function start(...argv: string[]): ReturnType<typeof spawn> {
  const shell = ['-c', 'umask 000; exec "$0" "$@"', process.execPath, MAIN, ...argv];
  return spawn('sh', shell, { cwd: folder.path('.'), stdio: ['ignore', 'pipe', 'ignore'] });
}
/** @returns the mode of every file of the folder, in octal, by its name. */
const modes = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder.path('.')).map((it) => [it, (statSync(folder.path(it)).mode & 0o777).toString(8)]),
  );

test('a database, its log and a file of rejects', async () => {
  writeFileSync(folder.path('in'), `{}\n${JSON.stringify(automation())}`, { mode: 0o640 });
  const argv = ['import', 'automations', 'in', '--account', 'acme', '--skip-invalid', '--rejects', 'bad'];
  expect(await once(start(...argv), 'close')).toEqual([0, null]);
  expect(modes()).toEqual({ in: '640', bad: '600', 'rollcall.db': '600' });
});

test('what is beside the database while it is served', async () => {
  const server = start('serve', '--create', '--port', '0');
  if (server.stdout !== null) await once(server.stdout, 'data');
  const served = modes();
  const closed = once(server, 'close');
  server.kill('SIGTERM');
  expect(await closed).toEqual([0, null]);
  expect(served).toEqual({ 'rollcall.db': '600', 'rollcall.db-shm': '600', 'rollcall.db-wal': '600' });
});

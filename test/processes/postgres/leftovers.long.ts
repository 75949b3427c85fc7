/** Of a server that tests have started nothing is left, neither a process nor a folder, even if what started it is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync } from 'node:fs';
import process from 'node:process';
import { beforeEach, expect, test } from '@jest/globals';
import { folder } from '../../support/own-folder.ts';
import { commandLines, until } from '../../support/processes.ts';

const PROGRAM = `
  import { startPostgres } from '${new URL('../../support/postgres.ts', import.meta.url).href}';
  const server = await startPostgres();
  if (process.argv[1] === 'stopped') await server.stop('fast');
  console.log(process.argv[1]);
  setInterval(() => undefined, 1000);
`;

let place: string;
beforeEach(() => {
  place = folder.path('.');
  chmodSync(place, 0o755); // The server may be another user.
});
const hasFolder = (): boolean => readdirSync(place).length > 0;
const isInUse = (): boolean => commandLines().some((it) => it.includes(place));

test.each(['made', 'running', 'stopped'])('killed while it is %s', async (state) => {
  const argv = ['--no-warnings', '--input-type=module', '-e', PROGRAM, state];
  const child = spawn(process.execPath, argv, {
    env: { ...process.env, TMPDIR: place },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  if (state === 'made') await until(() => commandLines().some((it) => it.includes(`-D\0${place}`)));
  else await once(child.stdout, 'data');
  expect(hasFolder()).toBe(true);
  child.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
  await until(() => !hasFolder());
  await until(() => !isInUse());
  expect(hasFolder()).toBe(false);
});

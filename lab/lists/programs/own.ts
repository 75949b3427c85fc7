/** Servers of the project. */
import process from 'node:process';
import { automation, startRollcall } from '../../../testkit/index.ts';
import { openFolder } from '../../../test/support/cli.ts';
import { app } from '../process.ts';
import type { Program, Running } from '../process.ts';
import { ROWS } from '../rows.ts';

/** Rollcall with the rows as automations. */
export async function startRows(): Promise<Running> {
  const automations = ROWS.map(({ name, created }) =>
    automation({ name, created_at: created.replace('T', ' ').replace('Z', '+00') }),
  );
  const server = await startRollcall({ automations });
  const headers = { Authorization: `Bearer ${server.apiKey}` };
  return { url: server.url, headers, stop: () => server.close() };
}

/** Rollcall's demo, with its own records. */
export async function startDemo(): Promise<Running> {
  const folder = openFolder();
  const { printed } = folder.start(['demo', '--port', '0', '--json']);
  const [line] = await printed(/.+\n/);
  const { url, key } = JSON.parse(line) as { readonly url: string; readonly key: string };
  const stop = (): Promise<void> => {
    folder.remove();
    return Promise.resolve();
  };
  return { url, headers: { Authorization: `Bearer ${key}` }, stop };
}

/** A list that is read by POST. */
export const SEARCH: Program = {
  ready: '/',
  command: (port) => [process.execPath, app('search.js'), port],
};

/** Lists that are served until the test has ended, and `rollcall audit` of one. */
import { startList } from '../audit/lists/server.ts';
import type { ListOptions } from '../audit/lists/server.ts';
import { afterTest } from '../support/after-test.ts';
import type { Ran } from '../support/cli.ts';
import { folder } from '../support/own-folder.ts';

/** What an audit says first. */
export const AT_MOST = 'Sends at most 1,000 GET requests.\n';

export const audit = (url: string, ...options: readonly string[]): Promise<Ran> =>
  folder.call(['audit', url, ...options]);

/** @returns the URL of a list. */
export async function start(options: ListOptions): Promise<string> {
  const server = await startList(options);
  afterTest(() => server[Symbol.asyncDispose]());
  return server.url;
}

/** Starts a list that loses items with one sort value. */
export const startFaulty = (more: Partial<ListOptions> = {}): Promise<string> =>
  start({ style: 'url', following: ({ created }, rows) => rows.filter((it) => it.created < created), ...more });

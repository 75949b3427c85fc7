/** A folder for each test of the file that imports this, with the path of a database in it. Gone after the test. */
import { afterEach, beforeEach } from '@jest/globals';
import { openFolder } from './cli.ts';
import type { Folder } from './cli.ts';

export let folder: Folder;
/** Nothing is there yet. */
export let file: string;
beforeEach(() => {
  folder = openFolder();
  file = folder.path('rollcall.db');
});
afterEach(() => {
  folder.remove();
});

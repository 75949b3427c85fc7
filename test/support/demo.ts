/** `rollcall demo`, as a process. */
import type { Folder } from './cli.ts';

export interface Demo {
  readonly url: string;
  readonly key: string;
}

/** Starts it on a free port. It ends with the folder. */
export async function startDemo(folder: Folder): Promise<Demo> {
  const [line] = await folder.start(['demo', '--port', '0', '--json']).printed(/^.*\n/);
  return JSON.parse(line) as Demo; // As its help says.
}

/** Does the tasks of `rollcall examine` with our own client. */
import { ApiError, NetworkError } from '../../../client/index.ts';
import type { CollectionName, RollcallClient } from '../../../client/index.ts';

const NAMES: Readonly<Record<string, CollectionName>> = {
  automations: 'automations',
  'contact-properties': 'contactProperties',
  'contact-imports': 'contactImports',
};

/** @returns the exit code. */
export async function doTask(
  client: RollcallClient,
  [task, name = '', ...flags]: readonly string[],
  print: (line: string) => unknown,
): Promise<number> {
  try {
    if (task === 'get') {
      print(JSON.stringify(await client.contactImports.get(name)));
      return 0;
    }
    const options = Object.fromEntries(
      flags.flatMap((it, at) => (at % 2 === 0 ? [[it.replace(/^--/, ''), flags[at + 1]]] : [])),
    );
    const list = client[NAMES[name] ?? 'automations'].list(options); // The server judges the values.
    if (task === 'records') for (const it of (await list).data) print(JSON.stringify(it));
    else if (task === 'list') for (const it of (await list).data) print(it.id);
    else for await (const it of list) print(it.id);
    return 0;
  } catch (error) {
    if (error instanceof ApiError) print(`error ${String(error.status)} ${error.problem?.name ?? 'unreadable'}`);
    else if (!(error instanceof NetworkError)) throw error;
    else print(error.status === undefined ? 'error 0 network' : `error ${String(error.status)} unreadable`);
    return 10;
  }
}

/**
 * Reads everything through a client: `node read-all.ts CLIENT URL KEY COLLECTION...`, with the module of the client. It is copied beside
 * the client of the previous release, so it imports nothing else. Prints an array of JSON.
 */
import process from 'node:process';

const [module = '', baseUrl = '', apiKey = '', ...collections] = process.argv.slice(2);

interface AnyPage {
  readonly data: unknown;
  readonly hasNextPage: () => boolean;
}
interface AnyList extends AsyncIterable<unknown>, PromiseLike<AnyPage> {}
interface AnyCollection {
  readonly list: (options?: object) => AnyList;
  readonly get?: (id: string) => Promise<unknown>;
}
interface AnyClient {
  readonly ApiError: abstract new () => { readonly name: string; readonly status: number };
  readonly createClient: (options: object) => Readonly<Record<string, AnyCollection>>;
}
const { ApiError, createClient } = (await import(module)) as AnyClient; // What both releases document.
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** @returns the name and status of the error of a call. */
async function errorOf(call: PromiseLike<unknown>): Promise<unknown> {
  try {
    await call;
    return 'no error';
  } catch (error) {
    return error instanceof ApiError ? [error.name, error.status] : String(error);
  }
}

const [client, stranger] = [apiKey, `${apiKey.slice(0, -1)}x`].map((it) => createClient({ baseUrl, apiKey: it }));
// One part a line: a difference is a short message.
const parts: (readonly [part: string, value: unknown])[] = [];
for (const name of collections) {
  const collection = client?.[name];
  if (collection === undefined) throw new Error(`The client has no ${name}.`);
  const page = await collection.list();
  parts.push([`${name}.first`, { data: page.data, has_more: page.hasNextPage() }]);
  const items: unknown[] = [];
  for await (const it of collection.list({ limit: 100 })) items.push(it);
  parts.push([`${name}.items`, items]);
  parts.push([`${name}.unknown cursor`, await errorOf(collection.list({ after: UNKNOWN }))]);
  parts.push([`${name}.limit`, await errorOf(collection.list({ limit: 0 }))]);
  parts.push([`${name}.key`, await errorOf(stranger?.[name]?.list() ?? Promise.resolve())]);
  if (collection.get === undefined) continue;
  const [first] = items as { readonly id: string }[]; // Every record has an id.
  parts.push([`${name}.get`, await collection.get(String(first?.id))]);
  parts.push([`${name}.unknown id`, await errorOf(collection.get(UNKNOWN))]);
}
process.stdout.write(JSON.stringify(parts));

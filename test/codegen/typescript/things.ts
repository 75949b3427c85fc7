/** The seven things that every generated client has to do. A row's program says how, with its generated code. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

export interface Query {
  readonly limit?: number;
  readonly after?: string;
  readonly status?: 'enabled';
}
export interface Page {
  readonly hasMore: boolean;
  readonly ids: readonly string[];
}
export interface Failure<Name> {
  readonly status: number;
  readonly problem: { readonly statusCode: number; readonly name: Name; readonly message: string };
}
export interface Client<Name> {
  readonly automations: (query: Query) => Promise<Page>;
  readonly contactImport: (id: string) => Promise<{ readonly created: number; readonly completedAt: string | null }>;
  /** Of all contact properties, in their order: the one value of the contract that has several types. */
  readonly fallbackValues: () => Promise<readonly (string | number | null)[]>;
  /** @returns how looking up a contact import fails. @throws if it does not. */
  readonly failure: (id: string) => Promise<Failure<Name>>;
}

/**
 * @param connect makes a client that has a key.
 * @param names those of the generated type that the two failures must have.
 */
export async function doThings<Name>(
  connect: (baseUrl: string, key: string) => Client<Name>,
  names: { readonly notFound: Name; readonly invalidApiKey: Name },
): Promise<void> {
  const { ROLLCALL_URL: url = '', ROLLCALL_API_KEY: key = '', EXPECTED: path = '' } = process.env;
  const expected = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  const client = connect(url, key);

  const first = await client.automations({});
  assert.equal(first.ids[0], expected['firstAutomationId']);
  assert.equal((await walk(client, {})).length, expected['automations']);
  assert.equal((await walk(client, { status: 'enabled' })).length, expected['enabled']);

  const contactImport = await client.contactImport(String(expected['importId']));
  assert.deepEqual(contactImport, { created: expected['importCreated'], completedAt: null });

  const notFound = await client.failure(UNKNOWN_ID);
  assert.deepEqual([notFound.status, notFound.problem.statusCode, notFound.problem.name], [404, 404, names.notFound]);
  const wrongKey = await connect(url, `${key}x`).failure(UNKNOWN_ID);
  assert.deepEqual(
    [wrongKey.status, wrongKey.problem.statusCode, wrongKey.problem.name],
    [401, 401, names.invalidApiKey],
  );

  assert.deepEqual(await client.fallbackValues(), expected['fallbackValues']);
}

async function walk<Name>(client: Client<Name>, query: Query): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let page: Page | undefined; page?.hasMore !== false;) {
    const after = ids.at(-1);
    page = await client.automations({ ...query, limit: 100, ...(after === undefined ? {} : { after }) });
    ids.push(...page.ids);
  }
  assert.equal(new Set(ids).size, ids.length);
  return ids;
}

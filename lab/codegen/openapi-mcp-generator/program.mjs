/** What an assistant does with the server: it asks for the tools, and calls them. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const { EXPECTED, ROLLCALL_API_KEY, ROLLCALL_URL, PATH } = process.env;
const expected = JSON.parse(readFileSync(EXPECTED, 'utf8'));
// A key is a variable of the server's environment, named after the security scheme.
const env = { PATH, API_BASE_URL: ROLLCALL_URL, BEARER_TOKEN_BEARERKEY: ROLLCALL_API_KEY };
const client = new Client({ name: 'codegen', version: '0' });
await client.connect(new StdioClientTransport({ command: 'node', args: ['generated/build/index.js'], env }));

const { tools } = await client.listTools();
const described = Object.fromEntries(tools.map((it) => [it.name, it.inputSchema]));
const LIST = ['If-None-Match', 'after', 'before', 'limit'];
assert.deepEqual(Object.fromEntries(tools.map((it) => [it.name, Object.keys(it.inputSchema.properties).toSorted()])), {
  listAutomations: [...LIST, 'status'],
  listContactProperties: LIST,
  listContactImports: [...LIST, 'status'],
  getContactImport: ['If-None-Match', 'id'],
});
assert.deepEqual(described.getContactImport.required, ['id']);
assert.equal(described.listContactImports.properties.limit.default, 10);
assert.deepEqual(described.listAutomations.properties.status.enum, ['enabled', 'disabled']);
for (const { description } of tools) assert.match(description, /^[A-Z].{50,}/);

const call = async (name, given) => (await client.callTool({ name, arguments: given })).content[0].text;
const bodyOf = (text) => JSON.parse(text.slice(text.indexOf('\n')));
const page = bodyOf(await call('listAutomations', { limit: 3 }));
assert.deepEqual([page.data.length, page.data[0].id], [3, expected.firstAutomationId]);
const found = bodyOf(await call('getContactImport', { id: expected.importId }));
assert.deepEqual([found.counts.created, found.completed_at], [expected.importCreated, null]);
const properties = bodyOf(await call('listContactProperties', {}));
assert.deepEqual(
  properties.data.map((it) => it.fallback_value),
  expected.fallbackValues,
);
// An error is told in the contract's own words.
assert.match(
  await call('getContactImport', { id: '00000000-0000-4000-8000-000000000000' }),
  /404[^]*There is no contact import with this `id`\./,
);
await client.close();

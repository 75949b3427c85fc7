/** What this team builds on the API. */

/** @returns the names of the automations that are switched on, newest first. */
export async function enabledNames(client) {
  const names = [];
  for await (const { name } of client.automations.list({ status: 'enabled', limit: 100 })) names.push(name);
  return names;
}

/** @returns a sentence about an import, once it has ended. */
export async function importReport(client, id) {
  const { status, counts } = await client.contactImports.waitUntilEnded(id);
  return `${status}: ${counts.created} of ${counts.total} created`;
}

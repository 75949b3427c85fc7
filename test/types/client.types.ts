/** Wrong use of the client does not compile: `npm run check:types` fails if one of these lines does. */
import { createClient } from '../../client/index.ts';
import type { ApiError, Automation, Page, ProblemName } from '../../client/index.ts';

const client = createClient({ baseUrl: 'http://x', apiKey: 'k' });
declare const error: ApiError;

// What is right compiles.
(await client.automations.list({ status: 'enabled', limit: 5, after: 'id' })) satisfies Page<Automation>;
for await (const item of client.contactProperties.list({ before: 'id', max: 5 }))
  item.fallback_value satisfies string | number | null;
error.name satisfies ProblemName;

// @ts-expect-error -- a parameter that is not there
client.automations.list({ page: 2 });
// @ts-expect-error -- a status that is not there
client.automations.list({ status: 'paused' });
// @ts-expect-error -- a status of another collection
client.automations.list({ status: 'queued' });
// @ts-expect-error -- a filter where there is none
client.contactProperties.list({ status: 'enabled' });
// @ts-expect-error -- both cursors
client.automations.list({ after: 'a', before: 'b' });
// @ts-expect-error -- a limit that is no number
client.automations.list({ limit: '5' });
// @ts-expect-error -- a field that is not there
(await client.automations.list()).data[0]?.title;
// @ts-expect-error -- a field of another collection
(await client.contactImports.get('id')).name;
// @ts-expect-error -- a value that may be null
(await client.contactImports.get('id')).completed_at.length;
// @ts-expect-error -- a call without its id
client.contactImports.get();
// @ts-expect-error -- a collection that is not there
client.contacts.list();
// @ts-expect-error -- an error name that is not in the contract
error.name === 'teapot';
// @ts-expect-error -- a path that is not there
client.GET('/contacts');
// @ts-expect-error -- a path without its parameter
client.GET('/contacts/imports/{id}');
// @ts-expect-error -- a client without a key
createClient({ baseUrl: 'http://x' });

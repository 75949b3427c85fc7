/** Wrong use of the client does not compile: `npm run check:types` fails if one of these lines does. */
import { createClient } from '../../client/index.ts';
import type {
  ApiError,
  Automation,
  ContactImport,
  ContactProperty,
  Cursor,
  List,
  ListOperation,
  ListOptions,
  Page,
  ProblemName,
  RollcallClient,
  WalkOptions,
  operations,
} from '../../client/index.ts';

const client = createClient({ baseUrl: 'http://x', apiKey: 'k' });
declare const error: ApiError;

/** Whether two types are the same, and not only assignable. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Query<Op extends ListOperation> = NonNullable<operations[Op]['parameters']['query']>;

// What derives from the contract is exact.
true satisfies Same<ReturnType<RollcallClient['automations']['list']>, List<Automation>>;
true satisfies Same<ReturnType<RollcallClient['contactProperties']['list']>, List<ContactProperty>>;
true satisfies Same<ReturnType<RollcallClient['contactImports']['list']>, List<ContactImport>>;
true satisfies Same<ReturnType<RollcallClient['contactImports']['get']>, Promise<ContactImport>>;
true satisfies Same<
  Omit<ListOptions<'listAutomations'>, keyof WalkOptions | keyof Cursor>,
  Pick<Query<'listAutomations'>, 'status'>
>;
true satisfies Same<keyof ListOptions<'listContactProperties'>, keyof WalkOptions | keyof Cursor>;
// @ts-expect-error -- the comparison can fail
true satisfies Same<ReturnType<RollcallClient['automations']['list']>, List<ContactImport>>;

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
// @ts-expect-error -- a path of one item that is not there
client.automations.get('id');
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

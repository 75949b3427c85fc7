/** Wrong use of the client does not compile: `npm run check -- types` fails if one of these lines does. */
import { createClient } from '../../client/index.ts';
import type {
  ApiError,
  Automation,
  AutomationStatus,
  Call,
  CallOptions,
  ContactImport,
  ContactImportStatus,
  ContactProperty,
  Cursor,
  FallbackValue,
  List,
  ListOptions,
  Page,
  Problem,
  ProblemName,
  RollcallClient,
  WalkOptions,
  components,
} from '../../client/index.ts';

const client = createClient({ baseUrl: 'http://x', apiKey: 'k' });
declare const error: ApiError;

/** Whether two types are the same, and not only assignable. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Schemas = components['schemas'];

// What derives from the contract is exact.
true satisfies Same<ReturnType<RollcallClient['automations']['list']>, List<Automation>>;
true satisfies Same<ReturnType<RollcallClient['contactProperties']['list']>, List<ContactProperty>>;
true satisfies Same<ReturnType<RollcallClient['contactImports']['list']>, List<ContactImport>>;
true satisfies Same<ReturnType<RollcallClient['contactImports']['get']>, Call<ContactImport>>;
true satisfies Same<keyof ListOptions<'contactProperties'>, keyof WalkOptions | keyof Cursor | 'limit'>;
true satisfies Same<keyof ListOptions<'automations'>, keyof ListOptions<'contactProperties'> | 'status'>;
true satisfies Same<ListOptions<'contactImports'>['status'], ContactImportStatus | undefined>;
// @ts-expect-error -- the comparison can fail
true satisfies Same<ReturnType<RollcallClient['automations']['list']>, List<ContactImport>>;

// The models are the schemas that openapi-typescript has written, by names.
interface Models {
  Automation: Automation;
  AutomationStatus: AutomationStatus;
  ContactImport: ContactImport;
  ContactImportStatus: ContactImportStatus;
  ContactProperty: ContactProperty;
  FallbackValue: FallbackValue;
  Problem: Problem;
  ProblemName: ProblemName;
}
true satisfies Same<{ [Name in keyof Models]: Same<Models[Name], Schemas[Name]> }[keyof Models], true>;

// A list is a promise, as TanStack Query's `queryFn` wants one; `undefined` is as good as nothing.
client.automations.list() satisfies Promise<Page<Automation>>;
(({ signal }: { signal: AbortSignal }) => client.automations.list({ signal })) satisfies (context: {
  signal: AbortSignal;
}) => Promise<Page<Automation>>;
const nothing: { after: string | undefined; status: AutomationStatus | undefined; limit: number | undefined } = {
  after: undefined,
  status: undefined,
  limit: undefined,
};
client.automations.list(nothing);
client.automations.list({ ...nothing, after: undefined, before: 'id' });
const call: CallOptions = { timeoutMs: undefined, retry: undefined, headers: undefined, signal: undefined };
client.contactImports.get('id', call) satisfies Promise<ContactImport>;
client.contactImports.waitUntilEnded('id', { ...call, pollMs: undefined, onProgress: undefined });
(await client.contactImports.get('id').withResponse()) satisfies { data: ContactImport; response: Response };
(await client.automations.list()).nextPage() satisfies Promise<Page<Automation>>;
(await client.automations.list().toArray({ max: 5 })) satisfies Automation[];

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
// @ts-expect-error -- all of a list, without a bound
client.automations.list().toArray();
// @ts-expect-error -- a retry that is switched on without saying how
client.contactImports.get('id', { retry: true });
// @ts-expect-error -- a time that is no number
createClient({ timeoutMs: '5' });

/**
 * A handler that drifts from the contract does not compile. Each line below would be such a drift: `npm run check:types` fails if
 * one of them compiles.
 */
import { json } from '../../contract/types.ts';
import type { Call, Handler, Handlers, Json, Schemas, Send } from '../../contract/types.ts';
import { createHandlers, listPage } from '../../server/handlers.ts';
import { ProblemError } from '../../contract/problems.ts';
import type { Account } from '../../contract/types.ts';
import { whenReady } from '../../server/store/store.ts';
import type { Store } from '../../server/store/store.ts';

declare const store: Store;
declare const account: Account;
declare const call: Call<'listContactImports'>;
declare const send: Send<'listContactImports'>;
declare const page: Json<Schemas['ContactImportList']>;
declare const automations: Json<Schemas['AutomationList']>;

// What is right compiles.
send(200, page) satisfies Awaited<ReturnType<Handler<'listContactImports'>>>;
call.query.limit satisfies number;

const { getContactImport: _, ...incomplete } = createHandlers(store);
// @ts-expect-error -- an operation without a handler
incomplete satisfies Handlers;
// @ts-expect-error -- a handler without an operation
({ ...createHandlers(store), listContacts: () => send(200, page) }) satisfies Handlers;
// @ts-expect-error -- a handler of another operation
const _other: Handler<'listAutomations'> = createHandlers(store).listContactImports;
// As the real handlers are written: right, and with the collection of another operation.
(({ account, query }, send) =>
  whenReady(listPage(store, account, 'automations', query), (body) =>
    send(200, body),
  )) satisfies Handler<'listAutomations'>;
(({ account, query }, send) =>
  whenReady(listPage(store, account, 'contactProperties', query), (body) =>
    // @ts-expect-error -- the records of another collection
    send(200, body),
  )) satisfies Handler<'listAutomations'>;
// @ts-expect-error -- a status that is not declared
send(201, page);
// @ts-expect-error -- the page of another list
send(200, automations);
// @ts-expect-error -- text that nobody has checked
send(200, '{"object":"list"}');
// @ts-expect-error -- a value instead of its text
send(200, { object: 'list', has_more: false, data: [] });
// @ts-expect-error -- a body without its required properties
send(200, json({ object: 'list', data: [] }));
// @ts-expect-error -- a value that is not in an enum
send(200, json({ object: 'page', has_more: false, data: [] }));
// @ts-expect-error -- a response without a body
send(200);
// @ts-expect-error -- a body where the contract has none
send(304, page);
// @ts-expect-error -- a success body for an error
send(404, page);
// @ts-expect-error -- a response that was not sent through `send`
const _literal: Handler<'listContactImports'> = () => ({ status: 200, body: '{}' });
// @ts-expect-error -- a query parameter that is not declared
call.query.page;
// @ts-expect-error -- a path parameter that is not declared
call.path.id;
// @ts-expect-error -- a status that the filter does not have
call.query.status === 'enabled';
// @ts-expect-error -- a request to write to
call.query.limit = 5;
// @ts-expect-error -- a filter on a list without one
await listPage(store, account, 'contactProperties', { limit: 1, status: 'enabled' });
// @ts-expect-error -- a status of another collection
await listPage(store, account, 'automations', { limit: 1, status: 'queued' });
// @ts-expect-error -- an account made of a number
await store.get(1, 'contactImports', 'id');
// @ts-expect-error -- an error name that is not in the contract
new ProblemError('teapot', 'I am one.');

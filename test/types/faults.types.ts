/**
 * The types of the test kit reject what a run rejects, and accept `undefined` for every option. Each line below a
 * `@ts-expect-error` would be a mistake: `npm run check -- types` fails if one of them compiles.
 */
import type { CueOptions, Fault, TestAccount, TestServer } from '../../testkit/index.ts';
import { createBuilders, startRollcall } from '../../testkit/index.ts';

declare const server: TestServer;
declare const account: TestAccount;
declare const text: string | undefined;
declare const number: number | undefined;

// What is right compiles.
({ status: 500 }) satisfies Fault;
({ status: 429, retryAfter: 5 }) satisfies Fault;
({ error: 'service_unavailable', retryAfter: 5 }) satisfies Fault;
({ error: 'application_error', delayMs: 10, operation: 'listAutomations' }) satisfies Fault;

// An option that is `undefined` is one that is not given.
await startRollcall(undefined, { corsOrigins: undefined, console: undefined });
await startRollcall({ automations: undefined });
await server.account(undefined, { name: undefined, apiKey: undefined });
server.fail({ status: 503, retryAfter: undefined, delayMs: undefined, operation: undefined }, undefined);
server.fail({ status: 500, retryAfter: undefined });
server.fail({ body: 'cut', ms: undefined });
await account.moveImport('id', { end: undefined, total: undefined, toEnd: undefined });
createBuilders({ seed: text });
({
  when: { operation: undefined, cursor: text, nth: number },
  then: [{ revokeKey: true }],
  at: undefined,
  times: number,
}) satisfies CueOptions;

// @ts-expect-error -- an error without `Retry-After`, by its status
({ status: 500, retryAfter: 5 }) satisfies Fault;
// @ts-expect-error -- by its name
({ error: 'not_found', retryAfter: 5 }) satisfies Fault;
// @ts-expect-error -- a status that no error has
({ status: 418 }) satisfies Fault;
// @ts-expect-error -- a status that is no error
({ status: 304 }) satisfies Fault;
// @ts-expect-error -- a body that is late by how much?
({ body: 'stalled' }) satisfies Fault;
// @ts-expect-error -- a property that there is not
({ status: 503, retry: 5 }) satisfies Fault;
// @ts-expect-error -- an action that there is not
({ when: {}, then: [{ delete: 'id' }] }) satisfies CueOptions;
// @ts-expect-error -- records of another collection
await account.put('contactImports', [{ object: 'automation' }]);

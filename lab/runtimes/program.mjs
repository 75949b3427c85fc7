/** What the packed client is tried with on every runtime. It knows no runtime: `main.mjs` and `worker.mjs` start it. */
import { ApiError, NetworkError, TimeoutError, createClient, toDate } from '@rollcall/client';

/** @returns what was seen, as JSON, for the runner to compare. Throws what should not be thrown. */
export async function tryClient({ baseUrl, apiKey }) {
  const client = createClient({ baseUrl, apiKey });
  const { automations, contactImports } = client;
  const nameOf = (promise) => promise.then(String, (error) => `${error.constructor.name} ${error.name}`);

  const list = automations.list({ limit: 5 });
  const page = await list;
  const walked = [];
  for await (const { name } of automations.list({ limit: 5 })) walked.push(name);
  const [latest] = await contactImports.list().toArray({ max: 1 });
  const { data, response } = await contactImports.get(latest.id).withResponse();
  const { data: body } = await client.GET('/automations', { params: { query: { limit: 1 } } });
  const hanging = createClient({ baseUrl, apiKey, fetch: () => new Promise(() => undefined), retry: false });
  return {
    page: page.data.map(({ name }) => name),
    isPromise: list instanceof Promise && (await list.finally(() => undefined)) === page,
    next: (await page.nextPage()).data.map(({ name }) => name),
    walked,
    imports: data.id === latest.id && response.headers.get('etag').startsWith('"'),
    waited: (await contactImports.waitUntilEnded(latest.id, { timeoutMs: 5000, pollMs: 10 })).status,
    body: body.data.length,
    date: toDate('2026-04-16 13:49:40.678912-03:30').toISOString(),
    // Instances of classes that are exported, and named as the contract names them.
    errors: [
      await nameOf(createClient({ baseUrl, apiKey: 'nonsense' }).automations.list()),
      await nameOf(createClient({ baseUrl: 'http://127.0.0.1:1', apiKey, retry: false }).automations.list()),
      await nameOf(hanging.contactImports.get(latest.id, { timeoutMs: 20 })),
      await nameOf(contactImports.get('\ud800')),
      await nameOf(automations.list({ signal: AbortSignal.abort(new RangeError('enough')) })),
    ],
    classes: [ApiError, NetworkError, TimeoutError].map((it) => it.prototype instanceof Error),
  };
}

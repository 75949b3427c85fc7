/**
 * A process that lists as often as each message says. Arguments: with the client or bare `fetch`, over the network or a `fetch` that has
 * the response ready, and the URL.
 */
import { createClient } from '../../client/index.ts';
import { sample } from './probe.ts';
import { LIST } from './requests.ts';

const [caller = '', transport, url = ''] = process.argv.slice(2);
const response = await fetch(url + LIST);
const [body, head] = [await response.text(), { headers: Object.fromEntries(response.headers) }];
const send = transport === 'network' ? fetch : () => Promise.resolve(new Response(body, head));
const client = createClient({ baseUrl: url, apiKey: 'key', fetch: send });
const headers = { authorization: 'Bearer key' };
const callers: Readonly<Record<string, () => PromiseLike<unknown>>> = {
  client: () => client.contactImports.list(),
  fetch: async () => (await send(url + LIST, { headers })).json(),
};

process.on('message', (message) => {
  if (typeof message === 'number') void repeat(message).then(() => process.send?.('done'));
});
process.stdout.write('ready\n');

async function repeat(times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    sample();
    await callers[caller]?.();
  }
}

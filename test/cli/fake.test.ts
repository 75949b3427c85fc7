/** `rollcall fake`, and bundled profiles by their names: what is printed, wrong usage, and how it ends. */
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { afterTest } from '../support/after-test.ts';
import { folder } from '../support/own-folder.ts';

test('with --json it prints a line when it is ready, and one for each request; a signal ends it with 0', async () => {
  const child = folder.start(['fake', 'stripe', '--items', '12', '--json']);
  const [line] = await child.printed(/^.*\n/);
  const ready = JSON.parse(line) as { url: string; baseUrl: string; key: string; ids: readonly string[] };
  expect(ready.url).toBe(`${ready.baseUrl}/v1/customers`);
  expect(ready.ids).toHaveLength(12);
  const response = await fetch(`${ready.url}?limit=5`, { headers: { Authorization: `Bearer ${ready.key}` } });
  const { data } = (await response.json()) as { data: readonly { id: string }[] };
  expect(data.map(({ id }) => id)).toEqual(ready.ids.slice(0, 5));
  const [, second] = (await child.printed(/\n(.*)\n/)) as unknown as readonly string[];
  expect(JSON.parse(second ?? '')).toEqual({
    method: 'GET',
    target: '/v1/customers?limit=5',
    status: 200,
    items: 5,
    hasNext: true,
  });
  child.process.kill('SIGINT');
  expect(await child.ended).toMatchObject({ code: 0 });
});

test('--scenarios prints those of the list', async () => {
  const { code, stdout } = await folder.call(['fake', 'stripe', '--scenarios']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^body\.cut +error +cuts the body for page 2, every time$/m);
  expect(stdout).toMatch(/^link\.comma +- +does not apply: it needs link, not id$/m);
});

test.each([
  [['nope'], /no profile is called "nope"\. Give a file, or one of asana, /],
  [['./nope.yaml'], /the profile \.\/nope\.yaml does not exist/],
  [['stripe', '--scenario', 'nope'], /cannot be served: unknown scenario "nope"/],
  [['discord', '--scenario', 'page.empty'], /does not apply to this list: it needs token or/],
  [['stripe', '--cert', 'a.pem'], /--cert and --key-file belong together/],
  [['stripe', '--url', '/x'], /url must be a URL/],
  [['stripe', '--items', '99999'], /from 0 to 30000/],
])('wrong usage: %j', async (argv, message) => {
  const { code, stderr } = await folder.call(['fake', ...argv]);
  expect([code, message.test(stderr) ? 'ok' : stderr]).toEqual([2, 'ok']);
});

test('a port that is in use is wrong usage', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  afterTest(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // It listens on a port.
  const { code, stderr } = await folder.run(['fake', 'stripe', '--port', String(port)]);
  expect(code).toBe(2);
  expect(stderr).toContain(`Port ${String(port)} on 127.0.0.1 is already in use`);
});

test('no variable of the environment is read', async () => {
  writeFileSync(
    folder.path('list.yaml'),
    "url: http://a/b\nheaders: { A: '${HOME}' }\nitems: data\nnext: { page: page }\n",
  );
  const child = folder.start(['fake', folder.path('list.yaml')]);
  await child.printed(/curl -H 'A: rollcall-fake-key' http:/);
  child.process.kill('SIGTERM');
  expect(await child.ended).toMatchObject({ code: 0 });
});

test.each([
  [['okta'], /the profile okta needs your URL: --url https:\/\/ORG/],
  [['http://127.0.0.1:1/x', '--url', 'http://a/b'], /--url needs the name of a bundled profile/],
  [['stripe', '--profile', 'x.yaml'], /stripe is a bundled profile: leave --profile/],
  [['http://127.0.0.1:1/x', '--sample'], /--sample needs --save-profile/],
])('audit: wrong usage: %j', async (argv, message) => {
  const { code, stderr } = await folder.call(['audit', ...argv]);
  expect([code, message.test(stderr) ? 'ok' : stderr]).toEqual([2, 'ok']);
});

/** Pages of a browser that try to control the server: from another origin, from another port, and from its own. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Page, Response } from 'playwright-core';
import { launchChromium } from '../../test/support/browsers.ts';
import { report } from '../support/report.ts';
import type { Client, Target } from './client.ts';

/** What pages try: scripts that resolve when the browser has done it, and say how it ended. */
const attempts = ({ url, key }: Target): Readonly<Record<string, string>> => {
  const post = (options: object, path = '/reset'): string =>
    `fetch('${url}${path}', ${JSON.stringify(options)}).then((it) => it.type + ' ' + it.status, (error) => error.name)`;
  const bearer = { authorization: `Bearer ${key}` };
  const fault = JSON.stringify({ fault: { status: 503 }, always: true });
  return {
    'a plain POST': post({ method: 'POST' }),
    'a POST with credentials': post({ method: 'POST', credentials: 'include' }),
    'a POST without CORS': post({ method: 'POST', mode: 'no-cors', body: fault }, '/faults'),
    'a POST without CORS, with credentials': post(
      { method: 'POST', mode: 'no-cors', credentials: 'include', body: fault },
      '/faults',
    ),
    'a POST with the key': post({ method: 'POST', headers: bearer }),
    'a DELETE with the key': post({ method: 'DELETE', headers: bearer }, '/accounts/demo'),
    'a GET with the key': post({ headers: bearer }, '/accounts'),
    'a beacon': `navigator.sendBeacon('${url}/reset')`,
    'an image': `new Promise((done) => { const it = new Image(); it.onerror = () => done('no image'); it.src = '${url}/accounts' })`,
    'a form': `new Promise((done) => {
      const frame = Object.assign(document.createElement('iframe'), { name: 'target' });
      document.body.append(frame);
      const form = document.createElement('form');
      Object.assign(form, { method: 'post', action: '${url}/reset', target: 'target', enctype: 'text/plain' });
      document.body.append(form);
      form.submit();
      done('sent');
    })`,
  };
};

/** Has pages try to change the state of a server, and reports what became of it. */
export async function visit(control: Target, { send }: Client): Promise<void> {
  const site = createServer((_req, res) => res.setHeader('content-type', 'text/html').end('<!doctype html><body>'));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const { port } = site.address() as AddressInfo; // Of a server that listens on a port.
  const browser = await launchChromium();
  try {
    // A fault that a reset removes, and an account that can be deleted.
    await send('POST', '/accounts/demo/cues', { when: { nth: 1000 }, then: [{ revokeKey: true }] });
    const state = async (): Promise<string> =>
      JSON.stringify(
        await Promise.all(
          ['/accounts', '/snapshot', '/accounts/demo/cues', '/requests'].map(
            async (it) => (await send('GET', it)).body,
          ),
        ),
      );
    const before = await state();
    const pages = {
      'another origin': `http://localhost:${String(port)}/`,
      'another port': `http://127.0.0.1:${String(port)}/`,
      'its own origin': `${control.url}/openapi.json`,
    };
    for (const [from, address] of Object.entries(pages)) {
      const page = await browser.newPage();
      await page.goto(address);
      for (const [what, script] of Object.entries(attempts(control))) {
        const { statuses, outcome } = await attempt(page, control.url, script);
        const isRejected = statuses.length > 0 && statuses.every((it) => it === 403);
        report(isRejected, `${what} from a page of ${from}: ${statuses.join(', ')}; the page has ${outcome}`);
      }
      await page.close();
    }
    report((await state()) === before, 'no page has changed anything');
  } finally {
    await browser.close();
    site.close();
    site.closeAllConnections();
  }
}

/** For what is wrong alone: a response has come long before. */
const PATIENCE_MS = 60_000;

/**
 * @returns the statuses of the responses of the server to what a script does, also of those that the browser hides from the page and of
 *   requests for its permission; and how the script ended.
 */
async function attempt(page: Page, url: string, script: string): Promise<{ statuses: number[]; outcome: string }> {
  const statuses: number[] = [];
  const arrived = Promise.withResolvers<undefined>();
  const got = (status: number): void => {
    statuses.push(status);
    arrived.resolve(undefined);
  };
  const onResponse = (it: Response): void => {
    if (it.url().startsWith(url)) got(it.status()); // Of a frame, which may have a process of its own.
  };
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  // Of requests of the page to other servers too, such as one for its icon, and without their addresses.
  const [urls, codes] = [new Map<string, string>(), new Map<string, number>()];
  const match = (requestId: string): void => {
    const code = codes.get(requestId);
    if (code !== undefined && urls.get(requestId)?.startsWith(url) === true) got(code);
  };
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    urls.set(requestId, request.url);
    match(requestId);
  });
  session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) => {
    codes.set(requestId, statusCode);
    match(requestId);
  });
  page.on('response', onResponse);
  const outcome = String(await page.evaluate(script));
  await Promise.race([arrived.promise, setTimeout(PATIENCE_MS, undefined, { ref: false })]);
  page.off('response', onResponse);
  await session.detach();
  return { statuses: [...new Set(statuses)], outcome };
}

/** The client's bundle in a real browser: a page that lists automations, and pages on and back. */
import { readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { automation, startRollcall } from '../../server/testing/index.ts';
import type { TestServer } from '../../server/testing/index.ts';
import { launchChromium } from '../support/chromium.ts';
import { series } from '../support/series.ts';

const BUNDLE = fileURLToPath(new URL('../../client/bundle/rollcall-client.min.js', import.meta.url));
const PAGE = fileURLToPath(new URL('page.html', import.meta.url));
const NAMES = Array.from({ length: 12 }, (_, at) => `Automation ${String(at + 1)}`);

let rollcall: TestServer;
let site: Server;
let origin: string;
let browser: Browser;

beforeAll(async () => {
  let at = 0;
  const automations = series(NAMES.length, (it) => automation({ ...it, name: NAMES[at++] ?? '' }));
  rollcall = await startRollcall({ automations });
  // The page and the API of one origin, as behind anybody's gateway.
  site = createServer((req, res) => {
    const url = req.url ?? '/';
    if (url.startsWith('/api/')) {
      const onward = request(rollcall.url + url.slice('/api'.length), { headers: req.headers }, (answer) => {
        res.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(res);
      });
      req.pipe(onward);
      return;
    }
    const [file, type] = url === '/' ? [PAGE, 'text/html'] : [BUNDLE, 'text/javascript'];
    void readFile(file).then((content) => res.setHeader('content-type', type).end(content));
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${String((site.address() as AddressInfo).port)}`;
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
  site.close();
  site.closeAllConnections();
  await rollcall.close();
});

test('lists automations, and pages on and back', async () => {
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(`${origin}/#${rollcall.apiKey}`);

  const shows = async (from: number, to: number, buttons: { newer: boolean; older: boolean }): Promise<void> => {
    await page
      .getByText(`${NAMES[from] ?? ''} `, { exact: false })
      .first()
      .waitFor();
    await expect(page.locator('#list li').allInnerTexts()).resolves.toEqual(
      NAMES.slice(from, to).map((it) => expect.stringContaining(it) as unknown),
    );
    expect({
      newer: await page.locator('#newer').isEnabled(),
      older: await page.locator('#older').isEnabled(),
    }).toEqual(buttons);
  };
  const go = async (button: 'newer' | 'older'): Promise<void> => {
    const answered = page.waitForResponse((it) => it.url().includes('/api/automations'));
    await page.locator(`#${button}`).click();
    await (await answered).finished();
    await page.waitForFunction("document.getElementById('message').textContent === ''");
  };

  await shows(0, 5, { newer: false, older: true });
  await go('older');
  await shows(5, 10, { newer: true, older: true });
  await go('older');
  await shows(10, 12, { newer: true, older: false });
  await go('newer');
  await shows(5, 10, { newer: true, older: true });
  await go('newer');
  await shows(0, 5, { newer: false, older: true });
  expect(faults).toEqual([]);

  const picture = process.env['SCREENSHOT'];
  if (picture !== undefined) await page.screenshot({ path: picture });
  await page.close();
});

test('shows the error of the contract', async () => {
  const page = await browser.newPage();
  await page.goto(`${origin}/#nonsense`);
  await page.getByText('invalid_api_key: This API key is unknown, has been revoked or has expired.').waitFor();
  await page.close();
});

/** A page by Vite, React and TanStack Query with the packed client, on another origin than the server, in a real browser. */
import { cp, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { contactImport, startRollcall } from '../../testkit/index.ts';
import type { TestServer } from '../../testkit/index.ts';
import { must } from '../support/tester.ts';
import { NAMES, newPage, takeFaults, twelve } from './pages.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = fileURLToPath(new URL('../web-page', import.meta.url));
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };

let folder: string;
let rollcall: TestServer;
let site: Server;
let origin: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollcall-web-page-'));
  await cp(PAGE, folder, { recursive: true });
  await must(['npm', 'pack', '--ignore-scripts', '--workspace', 'client', '--pack-destination', folder], { cwd: ROOT });
  const packed = (await readdir(folder)).filter((it) => it.endsWith('.tgz')).map((it) => join(folder, it));
  await must(['npm', 'install', '--no-audit', '--no-fund', ...packed], { cwd: folder });
  await must(['npm', 'run', 'build'], { cwd: folder });

  rollcall = await startRollcall({ automations: twelve(), contactImports: [contactImport()] });
  site = createServer(({ url = '/' }, res) => {
    const path = url === '/' ? '/index.html' : url;
    readFile(join(folder, 'dist', path)).then(
      (content) => res.setHeader('content-type', TYPES[extname(path)] ?? 'text/plain').end(content),
      () => res.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${String((site.address() as AddressInfo).port)}`;
});

afterAll(async () => {
  site.close();
  site.closeAllConnections();
  await rollcall.close();
  await rm(folder, { recursive: true, force: true });
});

/** The page with the server and a key of its choice. */
async function open(baseUrl: string, apiKey: string): Promise<Page> {
  const page = await newPage([origin, new URL(baseUrl).origin]);
  await page.goto(`${origin}/#${baseUrl},${apiKey}`);
  return page;
}
const listed = (page: Page): Promise<string[]> => page.locator('li').allInnerTexts();

test('lists, and has the next page', async () => {
  const page = await open(rollcall.url, rollcall.apiKey);
  await page.getByText('Automation 5', { exact: true }).waitFor();
  expect(await listed(page)).toEqual(NAMES.slice(0, 5));
  const older = page.getByRole('button', { name: 'Older' });
  await older.click();
  await page.getByText('Automation 10', { exact: true }).waitFor();
  await older.click();
  await page.getByText('Automation 12', { exact: true }).waitFor();
  expect(await listed(page)).toEqual(NAMES);
  expect(await older.isEnabled()).toBe(false);
  // A list as `queryFn`, and a header that CORS has to expose.
  expect(await page.locator('#imports').innerText()).toBe('1 of a tag');
});

test('shows the error of the contract', async () => {
  const page = await open(rollcall.url, 'nonsense');
  const alert = page.getByRole('alert');
  await alert.waitFor();
  expect(await alert.innerText()).toBe('invalid_api_key: This API key is unknown, has been revoked or has expired.');
});

test('says that it may be CORS where the browser says nothing', async () => {
  // The site itself answers anybody, and allows no other origin.
  const page = await open(origin.replace('127.0.0.1', 'localhost'), rollcall.apiKey);
  const alert = page.getByRole('alert');
  await alert.waitFor();
  expect(await alert.innerText()).toContain(
    'The server may also not allow the origin of this page (CORS): see the console of the browser. (GET http://localhost:',
  );
  expect(takeFaults().every((it) => /blocked by CORS policy|^Cross-Origin Request Blocked/.test(it))).toBe(true);
});

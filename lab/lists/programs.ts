/** The servers: what is installed, how each starts, and how it gets its rows. */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { automation, startRollcall } from '../../testkit/index.ts';
import { openFolder } from '../../test/support/cli.ts';
import { ROOT } from '../../test/support/project.ts';
import { HOST } from './process.ts';
import type { Program, Running } from './process.ts';
import { ROWS } from './rows.ts';

const app = (name: string): string => join(import.meta.dirname, 'apps', name);

export const DJANGO: Program = {
  install: { pip: ['djangorestframework==3.18.3', 'Django==5.2.19'] },
  ready: '/page',
  command: (port) => ['python', app('drf.py'), `${HOST}:${port}`],
};

export const FASTAPI: Program = {
  install: {
    pip: [
      'fastapi-pagination==0.16.1',
      ...['fastapi==0.165.0', 'starlette==1.10.0', 'pydantic==2.14.4', 'uvicorn==0.54.0'],
      ...['sqlalchemy[asyncio]==2.1.9', 'sqlakeyset==2.0.1787969905', 'aiosqlite==0.22.1'],
    ],
  },
  ready: '/page',
  command: (port) => ['uvicorn', '--app-dir', app(''), '--host', HOST, '--port', port, 'fastapi_pages:app'],
};

export const DATASETTE: Program = {
  install: { pip: ['datasette==0.65.5'] },
  ready: '/data/rows.json',
  command: (port) => ['datasette', '-h', HOST, '-p', port, 'data.db'],
  prepare: (folder) => {
    const db = new Database(join(folder, 'data.db'));
    db.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, name TEXT, status TEXT, created TEXT)');
    const insert = db.prepare('INSERT INTO rows VALUES (@id, @name, @status, @created)');
    db.transaction(() => {
      for (const row of ROWS) insert.run(row);
    })();
    db.close();
    return Promise.resolve();
  },
};

export const KINTO: Program = {
  install: { pip: ['kinto==26.5.0', 'pyramid==2.1', 'waitress==3.0.2'] },
  ready: '/v1/',
  command: (port) => ['kinto', 'start', '--ini', app('kinto.ini'), '--port', port],
  seed: async (url) => {
    const send = async (method: string, path: string, body: object): Promise<void> => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${url}/v1${path}`, { method, headers, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`Kinto: ${method} ${path} is ${await response.text()}`);
    };
    await send('PUT', '/buckets/lab', {});
    await send('PUT', '/buckets/lab/collections/rows', {});
    for (const { name, id: _, ...data } of ROWS)
      await send('PUT', `/buckets/lab/collections/rows/records/${name}`, { data });
  },
};

/** @param host the options that make it listen on loopback; the newer one cannot. */
const jsonServer = (version: string, ...host: readonly string[]): Program => ({
  install: { npm: [`json-server@${version}`] },
  ready: '/rows',
  command: (port) => ['json-server', ...host, '--port', port, 'rows.json'],
});
export const JSON_SERVER_0 = jsonServer('0.17.4', '--host', HOST);
export const JSON_SERVER_1 = jsonServer('1.0.0-beta.3');

export const POCKETBASE: Program = {
  install: { go: 'github.com/pocketbase/pocketbase/examples/base', version: '0.28.4' },
  ready: '/api/collections/rows/records',
  command: (port) => ['base', 'serve', '--http', `${HOST}:${port}`, '--dir', 'data', '--migrationsDir', 'migrations'],
  prepare: (folder) => cp(app('pocketbase.js'), join(folder, 'migrations/1_rows.js')),
};

/** Users, which SCIM counts from 1. Of each row it has the name alone. */
export const SCIM: Program = {
  install: { pip: ['scim2-server==0.8.3', 'scim2-models==0.12.3'] },
  ready: '/ServiceProviderConfig',
  command: (port) => ['scim2-server', '--hostname', HOST, '--port', port],
  seed: async (url) => {
    for (const { name } of ROWS) {
      const body = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: name };
      const headers = { 'content-type': 'application/scim+json' };
      const response = await fetch(`${url}/Users`, { method: 'POST', headers, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`SCIM: ${name} is ${await response.text()}`);
    }
  },
};

/** A repository with a tag for each row, and a repository without tags for every other row. */
export const REGISTRY: Program = {
  install: { go: 'github.com/distribution/distribution/v3/cmd/registry', version: '3.0.0' },
  ready: '/v2/',
  command: () => ['registry', 'serve', 'config.yml'],
  prepare: async (folder, port) => {
    const config = {
      version: '0.1',
      http: { addr: `${HOST}:${port}` },
      storage: { filesystem: { rootdirectory: folder } },
    };
    await writeFile(join(folder, 'config.yml'), JSON.stringify(config));
    const repositories = join(folder, 'docker/registry/v2/repositories');
    for (const [at, { name }] of ROWS.entries()) {
      const tag = join(repositories, 'rows/_manifests/tags', name, 'current');
      await mkdir(tag, { recursive: true });
      await writeFile(join(tag, 'link'), `sha256:${'0'.repeat(64)}`);
      // `rows` is one of them.
      if (at > 0) await mkdir(join(repositories, name, '_manifests/tags'), { recursive: true });
      if (at > 0) await mkdir(join(repositories, name, '_layers'));
    }
    await mkdir(join(repositories, 'rows/_layers'));
  },
};

export const PRISM: Program = {
  install: { npm: ['@stoplight/prism-cli@5.16.0'] },
  ready: '/automations',
  headers: { Authorization: 'Bearer any' },
  command: (port) => ['prism', 'mock', '--host', HOST, '--port', port, join(ROOT, 'openapi.yaml')],
};

export const STRIPE_MOCK: Program = {
  install: { go: 'github.com/stripe/stripe-mock', version: '0.203.0' },
  ready: '/v1/customers',
  headers: { Authorization: 'Bearer sk_test_123' },
  command: (port) => ['stripe-mock', '-http-addr', `${HOST}:${port}`, '-https-addr', `${HOST}:0`],
};

/** Rollcall with the rows as automations. */
export async function startRows(): Promise<Running> {
  const automations = ROWS.map(({ name, created }) =>
    automation({ name, created_at: created.replace('T', ' ').replace('Z', '+00') }),
  );
  const server = await startRollcall({ automations });
  const headers = { Authorization: `Bearer ${server.apiKey}` };
  return { url: server.url, headers, stop: () => server.close() };
}

/** Rollcall's demo, with its own records. */
export async function startDemo(): Promise<Running> {
  const folder = openFolder();
  const { printed } = folder.start(['demo', '--port', '0', '--json']);
  const [line] = await printed(/.+\n/);
  const { url, key } = JSON.parse(line) as { readonly url: string; readonly key: string };
  const stop = (): Promise<void> => {
    folder.remove();
    return Promise.resolve();
  };
  return { url, headers: { Authorization: `Bearer ${key}` }, stop };
}

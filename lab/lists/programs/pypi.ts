/** Servers from PyPI. */
import { createHmac } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { must } from '../../../test/support/tester.ts';
import { HOST, app, send } from '../process.ts';
import type { Program } from '../process.ts';
import { ROWS } from '../rows.ts';

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

/** Litestar's ClassicPagination. */
export const LITESTAR: Program = {
  install: { pip: ['litestar==2.25.0', 'uvicorn==0.54.0'] },
  ready: '/rows',
  command: (port) => ['uvicorn', '--app-dir', app(''), '--host', HOST, '--port', port, 'litestar_pages:app'],
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
    const buckets = `${url}/v1/buckets`;
    await send('PUT', `${buckets}/lab`, {});
    await send('PUT', `${buckets}/lab/collections/rows`, {});
    for (const { name, id: _, ...data } of ROWS)
      await send('PUT', `${buckets}/lab/collections/rows/records/${name}`, { data });
  },
};

/** Users, which SCIM counts from 1. Of each row it has the name alone. */
export const SCIM: Program = {
  install: { pip: ['scim2-server==0.8.3', 'scim2-models==0.12.3'] },
  ready: '/ServiceProviderConfig',
  command: (port) => ['scim2-server', '--hostname', HOST, '--port', port],
  seed: async (url) => {
    for (const { name } of ROWS) {
      const body = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: name };
      await send('POST', `${url}/Users`, body, { 'content-type': 'application/scim+json' });
    }
  },
};

/** Eve, with mongomock in place of MongoDB. */
export const EVE: Program = {
  install: { pip: ['Eve==2.3.1', 'mongomock==4.3.0'] },
  ready: '/rows',
  command: (port) => ['python', app('eve_rows.py'), port],
};

/** A collection of the file rows.geojson. */
export const PYGEOAPI: Program = {
  install: { pip: ['pygeoapi==0.21.0', 'flask-cors==6.0.5'] },
  ready: '/collections/rows/items?f=json',
  command: () => ['pygeoapi', 'serve'],
  env: (folder) => ({
    PYGEOAPI_CONFIG: join(folder, 'config.yml'),
    PYGEOAPI_OPENAPI: join(folder, 'openapi.yml'),
  }),
  prepare: async (folder, port, bin) => {
    const features = ROWS.map(({ id, name }) => ({
      ...{ type: 'Feature', id, properties: { id, name } },
      geometry: { type: 'Point', coordinates: [id / 10, id / 20] },
    }));
    await writeFile(join(folder, 'rows.geojson'), JSON.stringify({ type: 'FeatureCollection', features }));
    const config = (await readFile(app('pygeoapi.yml'), 'utf8')).replaceAll('PORT', port);
    await writeFile(join(folder, 'config.yml'), config);
    await must([join(bin, 'pygeoapi'), 'openapi', 'generate', 'config.yml', '--output-file', 'openapi.yml'], {
      cwd: folder,
    });
  },
};

/** Its REST API: a mailing list for each row. It does not work with SQLAlchemy 2.1, of which it does not know. */
export const MAILMAN: Program = {
  install: { pip: ['mailman==3.3.10', 'SQLAlchemy==2.0.58'] },
  ready: '/3.1/system/versions',
  headers: { Authorization: `Basic ${btoa('restadmin:restpass')}` },
  command: () => ['runner', '--config', 'mailman.cfg', '--runner', 'rest:0:1'],
  prepare: (folder, port) =>
    writeFile(
      join(folder, 'mailman.cfg'),
      [
        ...['[mailman]', 'layout: here', '[paths.here]', `var_dir: ${folder}/var`],
        ...['[webservice]', `hostname: ${HOST}`, `port: ${port}`, 'workers: 1'],
        ...['[mta]', 'incoming: mailman.mta.null.NullMTA', ''],
      ].join('\n'),
    ),
  seed: async (url, headers) => {
    await send('POST', `${url}/3.1/domains`, { mail_host: 'example.com' }, headers);
    for (const { name } of ROWS.slice(0, 60))
      await send('POST', `${url}/3.1/lists`, { fqdn_listname: `${name}@example.com` }, headers);
  },
};

/** Lists that are read by POST: a flow for each row. */
export const PREFECT: Program = {
  install: { pip: ['prefect==3.9.1'] },
  ready: '/api/health',
  command: (port) => ['prefect', 'server', 'start', '--host', HOST, '--port', port, '--no-ui'],
  env: (folder) => ({ PREFECT_HOME: folder, PREFECT_SERVER_ANALYTICS_ENABLED: 'false' }),
  seed: async (url) => {
    for (const { name } of ROWS) await send('POST', `${url}/api/flows/`, { name });
  },
};

const SYNAPSE_SECRET = 'a-secret-of-the-lab';
/** Its admin API: a user for each row, and the administrator; 60 rooms. */
export const SYNAPSE: Program = {
  install: { pip: ['matrix-synapse==1.163.2'] },
  ready: '/_matrix/client/versions',
  command: () => ['synapse_homeserver', '--config-path', 'homeserver.yaml'],
  prepare: async (folder, port, bin) => {
    const config = {
      ...{ server_name: 'lab.example', pid_file: join(folder, 'pid'), signing_key_path: join(folder, 'key') },
      listeners: [{ port: Number(port), type: 'http', bind_addresses: [HOST], resources: [{ names: ['client'] }] }],
      database: { name: 'sqlite3', args: { database: join(folder, 'db') } },
      ...{ registration_shared_secret: SYNAPSE_SECRET, media_store_path: join(folder, 'media') },
      ...{ trusted_key_servers: [], report_stats: false },
    };
    await writeFile(join(folder, 'homeserver.yaml'), JSON.stringify(config));
    const generate = ['--generate-keys', '--config-path', 'homeserver.yaml'];
    await must([join(bin, 'synapse_homeserver'), ...generate], { cwd: folder });
  },
  signIn: async (url) => {
    const register = `${url}/_synapse/admin/v1/register`;
    const { nonce } = (await (await fetch(register)).json()) as { nonce: string };
    const words = [nonce, 'admin', 'admin', 'admin'];
    const mac = createHmac('sha1', SYNAPSE_SECRET).update(words.join('\0')).digest('hex');
    const admin = { nonce, username: 'admin', password: 'admin', admin: true, mac };
    const { access_token: token } = (await send('POST', register, admin)) as { access_token: string };
    return { Authorization: `Bearer ${token}` };
  },
  seed: async (url, headers) => {
    const admin = '@admin:lab.example';
    const unlimited = { messages_per_second: 0, burst_count: 0 };
    await send('POST', `${url}/_synapse/admin/v1/users/${admin}/override_ratelimit`, unlimited, headers);
    for (const { name } of ROWS) await send('PUT', `${url}/_synapse/admin/v2/users/@${name}:lab.example`, {}, headers);
    for (const { name } of ROWS.slice(0, 60))
      await send('POST', `${url}/_matrix/client/v3/createRoom`, { name }, headers);
  },
};

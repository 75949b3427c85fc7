/** Servers from npm. */
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from '../../../test/support/project.ts';
import { HOST, app, send } from '../process.ts';
import type { Program } from '../process.ts';
import { ROWS, scored } from '../rows.ts';

/** @param host the options that make it listen on loopback; the newer one cannot. */
const jsonServer = (version: string, ...host: readonly string[]): Program => ({
  install: { npm: [`json-server@${version}`] },
  ready: '/rows',
  command: (port) => ['json-server', ...host, '--port', port, 'rows.json'],
});
export const JSON_SERVER_0 = jsonServer('0.17.4', '--host', HOST);
export const JSON_SERVER_1 = jsonServer('1.0.0-beta.3');

export const PRISM: Program = {
  install: { npm: ['@stoplight/prism-cli@5.16.0'] },
  ready: '/automations',
  headers: { Authorization: 'Bearer any' },
  command: (port) => ['prism', 'mock', '--host', HOST, '--port', port, join(ROOT, 'openapi.yaml')],
};

/** Makes an app of the folder: with the packages that were installed, as modules. */
async function useApp(folder: string, bin: string, name: string): Promise<void> {
  await cp(app(name), folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await symlink(dirname(bin), join(folder, 'node_modules'));
}

/** @param name that of the app in `apps/libraries`. */
const library = (name: string, ...packages: readonly [string, ...string[]]): Program => ({
  install: { npm: [...packages, 'pg@8.23.1'] },
  ready: '/id',
  needsPostgres: true,
  command: (port) => [process.execPath, `${name}.js`, port],
  prepare: (folder, _, bin) => useApp(folder, bin, 'libraries'),
});
export const SEQUELIZE = library('sequelize', 'sequelize-cursor-pagination@3.5.1', 'sequelize@6.37.8');
export const TYPEORM = library(
  'typeorm',
  ...(['typeorm-cursor-pagination@0.10.1', 'typeorm@0.3.31', 'reflect-metadata@0.2.2'] as const),
);
export const OBJECTION = library('objection', 'objection-cursor@1.2.6', 'objection@3.1.5', 'knex@3.3.0');
export const MIKRO_ORM = library('mikro-orm', '@mikro-orm/core@7.2.5', '@mikro-orm/postgresql@7.2.5');

export const PARSE: Program = {
  install: { npm: ['parse-server@9.10.0', 'express@5.2.1'] },
  ready: '/parse/health',
  headers: { 'X-Parse-Application-Id': 'lab' },
  needsPostgres: true,
  command: (port) => [process.execPath, 'parse.js', port],
  prepare: (folder, _, bin) => useApp(folder, bin, 'parse'),
  seed: async (url, headers) => {
    for (const row of ROWS) await send('POST', `${url}/parse/classes/Row`, scored(row), headers);
  },
};

/** With its table on PostgreSQL. */
export const DIRECTUS: Program = {
  install: { npm: ['directus@12.3.1'] },
  ready: '/server/ping',
  headers: { Authorization: 'Bearer a-token-of-the-lab' },
  needsPostgres: true,
  command: () => ['/bin/sh', app('directus.sh')],
  env: (folder, port) => ({
    ...{
      HOST,
      PORT: port,
      DB_CLIENT: 'pg',
      SECRET: 'lab',
      ADMIN_EMAIL: 'lab@example.com',
      ADMIN_PASSWORD: 'laboratory',
    },
    ...{ ADMIN_TOKEN: 'a-token-of-the-lab', TELEMETRY: 'false', STORAGE_LOCAL_ROOT: join(folder, 'uploads') },
  }),
  prepare: async (_, __, bin) => {
    // What runs scripts of extensions in is built, not installed; there are none.
    const isolated = join(dirname(bin), 'isolated-vm/out');
    await mkdir(isolated, { recursive: true });
    await writeFile(join(isolated, 'isolated_vm.js'), 'module.exports = {};');
  },
  seed: async (url, headers) => {
    const fields = [
      { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
      { field: 'name', type: 'string', schema: {} },
      { field: 'score', type: 'integer', schema: {} },
    ];
    await send('POST', `${url}/collections`, { collection: 'rows', schema: {}, meta: {}, fields }, headers);
    await send('POST', `${url}/items/rows`, ROWS.map(scored), headers);
  },
};

/** OData: `$top` bounds the whole list, and only the server's own pages have a next link. */
export const CAP: Program = {
  install: { npm: ['@sap/cds@10.1.1', '@cap-js/sqlite@3.1.1', 'express@4.22.1'] },
  ready: '/odata/v4/catalog/Rows',
  command: (port) => ['cds-serve', '--port', port],
  prepare: async (folder, _, bin) => {
    await useApp(folder, bin, 'cap');
    const requires = { db: { kind: 'sqlite', credentials: { url: ':memory:' } }, auth: 'dummy' };
    await writeFile(join(folder, 'package.json'), JSON.stringify({ cds: { requires } }));
    const rows = ROWS.map(({ id, name }) => `${String(id)};${name}\n`).join('');
    await mkdir(join(folder, 'db/data'));
    await writeFile(join(folder, 'db/data/lab-Rows.csv'), `ID;name\n${rows}`);
  },
};

const ENTITIES = '/api/catalog/entities';
/** A component for each row, and the location of the file that has them. */
export const BACKSTAGE: Program = {
  install: {
    npm: [
      '@backstage/plugin-catalog-backend@4.0.5',
      ...['@backstage/backend-defaults@0.19.0', 'better-sqlite3@13.2.0', '--legacy-peer-deps'],
    ],
  },
  ready: `${ENTITIES}/by-query?limit=0`,
  command: () => [process.execPath, 'backstage.js', '--config', 'app-config.json'],
  env: () => ({ NODE_ENV: 'development' }),
  prepare: async (folder, port, bin) => {
    await useApp(folder, bin, 'backstage');
    await writeFile(join(folder, 'package.json'), '{ "name": "lab", "version": "1.0.0", "type": "module" }');
    const spec = { type: 'service', lifecycle: 'production', owner: 'lab' };
    const rows = ROWS.map(({ name }) => {
      const entity = { apiVersion: 'backstage.io/v1alpha1', kind: 'Component', metadata: { name }, spec };
      return `--- ${JSON.stringify(entity)}\n`;
    });
    await writeFile(join(folder, 'rows.yaml'), rows.join(''));
    const baseUrl = `http://${HOST}:${port}`;
    const config = {
      app: { title: 'lab', baseUrl },
      backend: {
        ...{ baseUrl, listen: { host: HOST, port }, database: { client: 'better-sqlite3', connection: ':memory:' } },
        auth: { dangerouslyDisableDefaultAuthPolicy: true },
      },
      catalog: { rules: [{ allow: ['Component'] }], locations: [{ type: 'file', target: './rows.yaml' }] },
    };
    await writeFile(join(folder, 'app-config.json'), JSON.stringify(config));
  },
  // It reads the file in its own time.
  seed: async (url) => {
    for (let tries = 0; tries < 120; tries += 1) {
      const page = (await (await fetch(`${url}${ENTITIES}/by-query?limit=0`)).json()) as { totalItems?: number };
      if (page.totalItems === ROWS.length + 1) return;
      await pause(500);
    }
    throw new Error('Backstage does not read the file');
  },
};

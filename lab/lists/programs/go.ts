/** Servers from the Go module proxy. */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HOST, app } from '../process.ts';
import type { Program } from '../process.ts';
import { ROWS } from '../rows.ts';

export const POCKETBASE: Program = {
  install: { go: 'github.com/pocketbase/pocketbase/examples/base', version: '0.28.4' },
  ready: '/api/collections/rows/records',
  command: (port) => ['base', 'serve', '--http', `${HOST}:${port}`, '--dir', 'data', '--migrationsDir', 'migrations'],
  prepare: (folder) => cp(app('pocketbase.js'), join(folder, 'migrations/1_rows.js')),
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

export const STRIPE_MOCK: Program = {
  install: { go: 'github.com/stripe/stripe-mock', version: '0.203.0' },
  ready: '/v1/customers',
  headers: { Authorization: 'Bearer sk_test_123' },
  command: (port) => ['stripe-mock', '-http-addr', `${HOST}:${port}`, '-https-addr', `${HOST}:0`],
};

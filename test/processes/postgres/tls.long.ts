/** TLS to a database: what cannot be trusted is an error at the start, whose message has the reason and not the password. */
import { writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { afterFile } from '../../support/after-test.ts';
import { CERTIFICATE, KEY, OF_LOOPBACK } from '../../support/certificate.ts';
import { folder } from '../../support/own-folder.ts';
import { PASSWORD, startPostgres } from '../../support/postgres.ts';
import type { PostgresServer } from '../../support/postgres.ts';

/** @returns an address with other parameters. */
const changed = (address: string, search: string): string => Object.assign(new URL(address), { search }).href;

async function expectError(address: string, why: RegExp): Promise<void> {
  const { code, stdout, stderr } = await folder.run(['serve', '--port', '0', '--db', address]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^rollcall: [^\n]+\n$/);
  expect(stderr).toMatch(why);
  expect(stderr).not.toContain(PASSWORD);
}

/** Of a host that no server has here. */
const OF_A_HOST = { certificate: CERTIFICATE, key: KEY };
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({ tls: OF_LOOPBACK });
  afterFile(() => server.remove());
});

/** @returns the address of a server, trusting a certificate. */
const trusting = ({ certificate }: { certificate: string }, address = server.address()): string => {
  const file = folder.path('root.pem');
  writeFileSync(file, certificate);
  return changed(address, `?sslmode=verify-full&sslrootcert=${file}`);
};

test('a server with its certificate is served', async () => {
  const { url, process: child, ended } = await folder.serve(['--db', trusting(OF_LOOPBACK)]);
  expect((await fetch(`${url}/automations`)).status).toBe(401);
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 0 });
});

test('another certificate is rejected', async () => {
  await expectError(trusting(OF_A_HOST), /certificate/);
});

test('a certificate of another host is rejected', async () => {
  const elsewhere = await startPostgres({ tls: OF_A_HOST });
  afterFile(() => elsewhere.remove());
  await expectError(trusting(OF_A_HOST, elsewhere.address()), /IP: 127\.0\.0\.1 is not in the cert's list/);
});

test('no TLS is rejected where the server asks for it', async () => {
  await expectError(changed(server.address(), '?sslmode=disable'), /no encryption/);
});

/** TLS to a database: what cannot be trusted is an error at the start, whose message has the reason and not the password. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { afterFile } from '../../test/support/after-test.ts';
import { folder } from '../../test/support/own-folder.ts';
import { PASSWORD, startPostgres } from '../../test/support/postgres.ts';
import type { PostgresServer } from '../../test/support/postgres.ts';

/** @returns an address with other parameters. */
const changed = (address: string, search: string): string => Object.assign(new URL(address), { search }).href;

async function expectError(address: string, why: RegExp): Promise<void> {
  const { code, stdout, stderr } = await folder.run(['serve', '--port', '0', '--db', address]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^rollcall: [^\n]+\n$/);
  expect(stderr).toMatch(why);
  expect(stderr).not.toContain(PASSWORD);
}

/** A certificate of an address, signed by itself, and its key: both in PEM. */
const certify = (ip: string): { certificate: string; key: string } => {
  const argv = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const subject = ['-subj', '/CN=tests', '-addext', `subjectAltName=IP:${ip}`, '-keyout', '-', '-out', '-'];
  const { stdout, stderr } = spawnSync('openssl', [...argv, ...subject], { encoding: 'utf8' });
  const [key, certificate] = stdout.match(/-----BEGIN [\s\S]+?-----END .+?-----\n/g) ?? [];
  if (key === undefined || certificate === undefined) throw new Error(`openssl: ${stderr}`);
  return { certificate, key };
};
const [own, other, ofAnotherHost] = [certify('127.0.0.1'), certify('127.0.0.1'), certify('192.0.2.1')];
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({ tls: own });
  afterFile(() => server.remove());
});

/** @returns the address of a server, trusting a certificate. */
const trusting = ({ certificate }: { certificate: string }, address = server.address()): string => {
  const file = folder.path('root.pem');
  writeFileSync(file, certificate);
  return changed(address, `?sslmode=verify-full&sslrootcert=${file}`);
};

test('a server with its certificate is served', async () => {
  const { url, process: child, ended } = await folder.serve(['--db', trusting(own)]);
  expect((await fetch(`${url}/automations`)).status).toBe(401);
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 0 });
});

test('another certificate is rejected', async () => {
  await expectError(trusting(other), /certificate/);
});

test('a certificate of another host is rejected', async () => {
  const elsewhere = await startPostgres({ tls: ofAnotherHost });
  afterFile(() => elsewhere.remove());
  await expectError(trusting(ofAnotherHost, elsewhere.address()), /IP: 127\.0\.0\.1 is not in the cert's list/);
});

test('no TLS is rejected where the server asks for it', async () => {
  await expectError(changed(server.address(), '?sslmode=disable'), /no encryption/);
});

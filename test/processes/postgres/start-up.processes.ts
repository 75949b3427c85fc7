/** A database that cannot be served is an error at the start: the message has the reason, and not the password. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { afterFile } from '../../support/after-test.ts';
import { openDatabase } from '../../support/engine.ts';
import { folder } from '../../support/own-folder.ts';
import { PASSWORD, startPostgres } from '../../support/postgres.ts';
import type { PostgresServer } from '../../support/postgres.ts';

/** @returns an address with some of its parts changed. */
const changed = (
  address: string,
  parts: Partial<Record<'password' | 'pathname' | 'port' | 'search', string>>,
): string => Object.assign(new URL(address), parts).href;

async function expectRefused(address: string, why: RegExp, secret = PASSWORD): Promise<void> {
  for (const [argv, env] of [
    [['serve', '--port', '0', '--db', address], {}],
    [['keys', 'list'], { ROLLCALL_DB: address }],
  ] as const) {
    const { code, stdout, stderr } = await folder.run(argv, { env });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^rollcall: [^\n]+\n$/);
    expect(stderr).toMatch(why);
    expect(stderr).not.toContain(secret);
  }
}

describe('an address', () => {
  test('with a wrong password', async () => {
    const { address } = await openDatabase();
    await expectRefused(
      changed(address, { password: 'wrong-secret' }),
      /refuses the user or the password/,
      'wrong-secret',
    );
  });

  test('of a database that is not there', async () => {
    const { address } = await openDatabase();
    await expectRefused(changed(address, { pathname: 'nowhere' }), /has no such database .*"nowhere"/);
  });

  test('where nobody listens', async () => {
    const { address } = await openDatabase();
    await expectRefused(changed(address, { port: '1' }), /127\.0\.0\.1:1 .* cannot be reached/);
  });

  test('that is none', async () => {
    await expectRefused(`postgres://rollcall:${PASSWORD}@127.0.0.1:port/x`, /it must be like postgres:\/\//);
  });
});

describe('TLS', () => {
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
    return changed(address, { search: `?sslmode=verify-full&sslrootcert=${file}` });
  };

  test('with the certificate of the server is served', async () => {
    const { url, process: child, ended } = await folder.serve(['--db', trusting(own)]);
    expect((await fetch(`${url}/automations`)).status).toBe(401);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0 });
  });

  test('with another certificate is rejected', async () => {
    await expectRefused(trusting(other), /certificate/);
  });

  test('with a certificate of another host is rejected', async () => {
    const elsewhere = await startPostgres({ tls: ofAnotherHost });
    afterFile(() => elsewhere.remove());
    await expectRefused(trusting(ofAnotherHost, elsewhere.address()), /IP: 127\.0\.0\.1 is not in the cert's list/);
  });

  test('is not left out where the server asks for it', async () => {
    await expectRefused(changed(server.address(), { search: '?sslmode=disable' }), /no encryption/);
  });
});

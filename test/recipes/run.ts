/** The recipes of `docs/` that need more than Node: `npm run test:e2e -- recipes`. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../server/http/listener.ts';
import { buildImage } from './container.ts';
import { checkPostgres } from './postgres.ts';

const docs = (name: string): string => fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));
const EXPOSURE = 20; // Tenths, of the 100 that a unit without hardening nearly has.
const START_MS = 30_000;

function checkUnit(scratch: string): void {
  const file = join(scratch, 'rollcall.service');
  const unit = readFileSync(docs('rollcall.service'), 'utf8');
  const verify = (text: string): object => {
    writeFileSync(file, text.replace('/usr/local/bin/rollcall', process.execPath)); // It must exist.
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    return { status, stdout, stderr };
  };
  const sound = { status: 0, stdout: '', stderr: '' };
  assert.notDeepEqual(verify(unit.replace('ProtectSystem=strict', 'ProtectSystem=very')), sound);
  assert.deepEqual(verify(unit), sound);
  const argv = ['security', '--offline=true', `--threshold=${String(EXPOSURE)}`, file];
  const { status, stdout } = spawnSync('systemd-analyze', argv, { encoding: 'utf8' });
  assert.equal(status, 0, stdout);
  process.stdout.write(`${stdout.trim().split('\n').at(-1) ?? ''}\n`);
}

async function checkContainer(scratch: string): Promise<void> {
  const image = buildImage(docs('Containerfile'), scratch);
  assert.equal(image.user, 'node');
  assert.deepEqual(image.volumes, ['/data']);
  const adminPort = String(await freePort({ host: '127.0.0.1', port: 0 }));
  const env = { ...image.env, ROLLCALL_PORT: '0', ROLLCALL_ADMIN_PORT: adminPort };
  const run = ([program = '', ...argv]: readonly string[]): number | null =>
    spawnSync(program, argv, { env, cwd: scratch, stdio: 'inherit' }).status;
  const checkHealth = (): number | null => run(image.healthCheck.map((it) => it.replace('9090', adminPort)));

  assert.equal(checkHealth(), 1);
  assert.equal(run(['rollcall', 'keys', 'create', '--account', 'acme']), 0);
  const [program = '', ...argv] = image.command;
  const server = spawn(program, argv, { env, cwd: scratch, stdio: 'pipe' });
  let stderr = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(server, 'exit');
  try {
    await once(server.stdout, 'data', { signal: AbortSignal.timeout(START_MS) });
    assert.equal(checkHealth(), 0);
  } finally {
    server.kill('SIGTERM');
  }
  assert.deepEqual(await ended, [0, null]);
  assert.doesNotMatch(stderr, /warning/i);
}

const scratch = mkdtempSync(join(tmpdir(), 'rollcall-recipes-'));
try {
  checkUnit(scratch);
  await checkContainer(scratch);
  await checkPostgres(scratch);
} finally {
  rmSync(scratch, { recursive: true });
}

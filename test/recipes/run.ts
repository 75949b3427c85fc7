/** The recipes of `docs/` that need more than Node: `npm run test:e2e -- recipes`. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { checkPostgres } from './postgres.ts';

const docs = (name: string): string => fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));
const EXPOSURE = 20; // Tenths, of the 100 that a unit without hardening nearly has.

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

const scratch = mkdtempSync(join(tmpdir(), 'rollcall-recipes-'));
try {
  checkUnit(scratch);
  await checkPostgres(scratch);
} finally {
  rmSync(scratch, { recursive: true });
}

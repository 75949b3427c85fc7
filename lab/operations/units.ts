/** The systemd units of `docs/`, as systemd reads them: valid, and with little exposure. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { ROOT } from '../../test/support/project.ts';

const LIMIT_MS = 60_000;
const EXPOSURE = 20; // Tenths, of the 100 that a unit without hardening nearly has.

export const unitText = (name: string): string => readFileSync(join(ROOT, 'docs', name), 'utf8');

function analyze(...argv: readonly string[]): { status: number | null; output: string } {
  const { status, stdout, stderr, error } = spawnSync('systemd-analyze', argv, { encoding: 'utf8', timeout: LIMIT_MS });
  if (error !== undefined) throw error;
  return { status, output: stdout + stderr };
}

export function checkUnits(scratch: string): void {
  /** Writes a unit, with a program that exists. @returns its path. */
  const put = (name: string, text = unitText(name)): string => {
    const file = join(scratch, name);
    writeFileSync(file, text.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
    return file;
  };
  const sound = { status: 0, output: '' };
  for (const name of ['rollcall.service', 'rollcall-backup.service']) {
    const wrong = put(name, unitText(name).replace('ProtectSystem=strict', 'ProtectSystem=very'));
    assert.notDeepEqual(analyze('verify', wrong), sound);
    const file = put(name);
    assert.deepEqual(analyze('verify', file), sound);
    const { status, output } = analyze('security', '--offline=true', `--threshold=${String(EXPOSURE)}`, file);
    assert.equal(status, 0, output);
    process.stdout.write(`${name}: ${output.trim().split('\n').at(-1) ?? ''}\n`);
  }
  const timer = unitText('rollcall-backup.timer');
  assert.notDeepEqual(analyze('verify', put('rollcall-backup.timer', timer.replace('02:30:00', '25:30:00'))), sound);
  assert.deepEqual(analyze('verify', put('rollcall-backup.timer'), put('rollcall-backup.service')), sound);
}

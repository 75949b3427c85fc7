/** The disk that `lab/disk/run.ts` has made, and what fills it. */
import { closeSync, openSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect } from '@jest/globals';

const PAGE = 4096;

/** Where it is mounted. */
export const DISK = process.env['ROLLCALL_SMALL_DISK'] ?? '';
if (DISK === '') throw new Error('There is no small disk. Run: npm run --prefix lab disk');

const ballast = join(DISK, 'ballast');

/** Fills the disk, but for so many bytes. */
export function fill(leftBytes = 0): void {
  const file = openSync(ballast, 'w');
  let size = 0;
  try {
    for (;;) size += writeSync(file, Buffer.alloc(16 * PAGE));
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  } finally {
    closeSync(file);
  }
  truncateSync(ballast, size - leftBytes);
}

/** Makes room again. */
export function makeRoom(): void {
  rmSync(ballast, { force: true });
}

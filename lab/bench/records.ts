/** The records of the bench: contact imports, the same on every machine. Position 0 is the newest. */
import { hash } from 'node:crypto';

const NEWEST_MS = Date.UTC(2026, 10, 1);
const STEP_MS = 7000;
/** Coprime to every number of records that is used, so that its multiples visit each position once. */
const STRIDE = 7_368_787;

export const COMMON = 'completed';
/** The status of 5 in 1000. */
export const RARE = 'failed';

/** @returns the id of the record at a position. */
export function idAt(position: number): string {
  const digits = hash('md5', String(position));
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function statusAt(position: number): string {
  const part = (position * 7919) % 1000; // Coprime to 1000: exactly so many of each thousand.
  if (part < 5) return RARE;
  if (part < 15) return 'queued';
  return part < 25 ? 'in_progress' : COMMON;
}

const timestamp = (ms: number, us: number): string =>
  `${new Date(ms).toISOString().slice(0, 23).replace('T', ' ')}${String(us).padStart(3, '0')}+00`;

/** A record as a row of the table `records`. */
export interface Row {
  readonly createdUs: bigint;
  readonly id: Buffer;
  readonly status: string;
  readonly json: string;
}

/** @returns the record at a position, as the text it is loaded and served as, and as a row. */
export function rowAt(position: number): Row {
  const [ms, us] = [NEWEST_MS - position * STEP_MS, position % 1000];
  const [id, status] = [idAt(position), statusAt(position)];
  const hasEnded = status === COMMON || status === RARE;
  const total = hasEnded ? position % 5000 : 0;
  const created = Math.floor(total * 0.9);
  const json = JSON.stringify({
    object: 'contact_import',
    id,
    status,
    created_at: timestamp(ms, us),
    completed_at: hasEnded ? timestamp(ms + 147_326, us) : null,
    counts: { total, created, updated: 0, skipped: total - created, failed: 0 },
  });
  return { createdUs: BigInt(ms) * 1000n + BigInt(us), id: Buffer.from(id.replaceAll('-', ''), 'hex'), status, json };
}

/** @returns the n-th position of a walk that jumps about, and visits each once. */
export const shuffled = (at: number, count: number): number => (at * STRIDE) % count;

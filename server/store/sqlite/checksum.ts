/**
 * Checksums of records. SQLite has no checksums, and would serve bytes that a disk has altered.
 *
 * In this file, a place is one collection of one account, and has a 32-bit number. A record is stored as its text and
 * eight more characters. They are chosen so that the CRC-32 of both, with the number of the place as its initial value,
 * equals that number again. Therefore the CRC-32 of several records of a place, one after another, equals it too. A
 * page is verified with one CRC, and only its bytes cost time. A record that has moved to another account by a fault
 * fails the check, because the number of its new place is another one.
 */
import { crc32 } from 'node:zlib';
import type { Database } from 'better-sqlite3';
import type { Collection } from '../../contract/collections.ts';
import { altered } from '../errors.ts';

// Bit n of a digit always flips the same bit of its character (in ASCII: 1, 4, 8 or 16). A CRC is linear, so each bit
// of the eight digits flips its own set of bits of the CRC. With these four bits, the digits can reach every CRC.
const DIGITS = '@ADEHILMPQTUXY\\]';
const BITS = 32;
const LENGTH = 8;

function digits(number: number): string {
  let text = '';
  for (let shift = BITS - 4; shift >= 0; shift -= 4) text += DIGITS.charAt((number >>> shift) & 15);
  return text;
}
const ZERO = digits(0);

// For each bit of a CRC: the bits of the digits that flip this bit and no other. Gaussian elimination computes them, as
// the inverse of the effect of each bit of the digits.
const TO_FLIP = ((): readonly number[] => {
  const rows = Array.from({ length: BITS }, (_, bit) => ({
    flipped: crc32(digits(1 << bit)) ^ crc32(ZERO),
    by: 1 << bit,
  }));
  return Array.from({ length: BITS }, (_, bit) => {
    const pivot = rows.slice(bit).find(({ flipped }) => (flipped >>> bit) & 1);
    if (pivot === undefined) throw new Error('The digits of checksums cannot reach every CRC.');
    rows.splice(rows.indexOf(pivot), 1);
    for (const row of rows) {
      if (((row.flipped >>> bit) & 1) === 0) continue;
      row.flipped ^= pivot.flipped;
      row.by ^= pivot.by;
    }
    rows.splice(bit, 0, pivot);
    return pivot;
  }).map(({ by }) => by);
})();

// More than the number of collections. No two places have the same number with fewer than four million accounts.
const COLLECTIONS_PER_ACCOUNT = 1000;

/** @returns the 32-bit number of a place, from the id of the account and the number of the collection. */
export const placeOf = (account: number, collection: number): number =>
  (account * COLLECTIONS_PER_ACCOUNT + collection) >>> 0;

/** @returns the stored form of a record of a place: its text and the checksum. */
export function withChecksum(json: string, place: number): string {
  const toFlip = crc32(ZERO, crc32(json, place)) ^ place;
  let number = 0;
  TO_FLIP.forEach((by, bit) => {
    if ((toFlip >>> bit) & 1) number ^= by;
  });
  return json + digits(number);
}

/** @returns the text of a record, from its stored form. */
export const withoutChecksum = (stored: string): string => stored.slice(0, -LENGTH);

/** The SQL expression for the text of a record, from its stored form. */
export const JSON_OF_STORED = `substr(stored, 1, length(stored) - ${String(LENGTH)})`;

// Larger than a typical page. Copying a string into this buffer takes a third of the time that `crc32` takes to copy
// it.
const encoder = new TextEncoder();
const bytes = new Uint8Array(64 * 1024);

/** @param stored records in their stored form. @returns whether they are unchanged since they were written to a place. */
export function areIntact(stored: readonly unknown[], place: number): stored is readonly string[] {
  let text = ''; // V8 copies this text once, when it is encoded. `join` would copy it a second time.
  for (const record of stored) {
    if (typeof record !== 'string') return false;
    text += record;
  }
  const { read, written } = encoder.encodeInto(text, bytes);
  return crc32(read === text.length ? bytes.subarray(0, written) : text, place) === place;
}

/** A place. `number` is the number of the collection. */
interface Place {
  readonly account: number;
  readonly collection: Collection;
  readonly number: number;
}

/**
 * @param stored records in their stored form.
 * @returns their texts.
 * @throws StoreError if a record was altered after it was written to the place.
 */
export function verified(db: Database, stored: readonly unknown[], place: Place): string[] {
  if (!areIntact(stored, placeOf(place.account, place.number))) {
    throw alteredIn(db, place);
  }
  return stored.map(withoutChecksum);
}

function alteredIn(db: Database, { account, collection }: Place): Error {
  const name = db.prepare<[number], string>('SELECT name FROM accounts WHERE id = ?').pluck().get(account);
  return altered(db.name, name ?? 'no account', collection);
}

/** Adds the SQL function `with_checksum(account, collection, json)` to a connection that writes. */
export function addChecksumFunction(db: Database): void {
  db.function('with_checksum', { deterministic: true }, (account, collection, json) =>
    withChecksum(String(json), placeOf(Number(account), Number(collection))),
  );
}

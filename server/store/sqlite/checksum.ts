/**
 * Checksums of records: SQLite has none of its own, and would serve bytes that a disk has altered.
 *
 * A record is stored as its text and eight characters, chosen so that the CRC-32 of both, begun with the number of the
 * record's place, ends with that number again. So does that of any records of the place one after another: a page is
 * verified in one go, whose cost is that of the bytes. The number is of the account and the collection, so that a record
 * that has strayed to another account is found too.
 */
import { crc32 } from 'node:zlib';
import type { Database } from 'better-sqlite3';
import type { Collection } from '../../contract/collections.ts';
import { altered } from '../errors.ts';

// Bit n of a digit always flips the same bit of its character (of ASCII, 1, 4, 8 and 16), and a CRC is linear: each bit of
// the eight digits flips its own set of bits of the CRC. These four are such that every CRC can be reached.
const DIGITS = '@ADEHILMPQTUXY\\]';
const BITS = 32;
const LENGTH = 8;

function digits(number: number): string {
  let text = '';
  for (let shift = BITS - 4; shift >= 0; shift -= 4) text += DIGITS.charAt((number >>> shift) & 15);
  return text;
}
const ZERO = digits(0);

// For each bit of a CRC, the bits of the digits that flip it and no other: the inverse of what each digit does, by Gauss.
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

// More than there are collections, so that no two places have one number before there are four million accounts.
const COLLECTIONS_PER_ACCOUNT = 1000;

/** @returns the number of an account's collection, by the numbers of both: 32 bits. */
export const placeOf = (account: number, collection: number): number =>
  (account * COLLECTIONS_PER_ACCOUNT + collection) >>> 0;

/** @returns a record of a place as it is stored: its text, and the checksum. */
export function withChecksum(json: string, place: number): string {
  const toFlip = crc32(ZERO, crc32(json, place)) ^ place;
  let number = 0;
  TO_FLIP.forEach((by, bit) => {
    if ((toFlip >>> bit) & 1) number ^= by;
  });
  return json + digits(number);
}

/** @returns the text of a record as it is stored. */
export const withoutChecksum = (stored: string): string => stored.slice(0, -LENGTH);

/** The same in SQL. */
export const JSON_OF_STORED = `substr(stored, 1, length(stored) - ${String(LENGTH)})`;

// Larger than a usual page: to copy a string here takes a third of what it takes `crc32` itself.
const encoder = new TextEncoder();
const bytes = new Uint8Array(64 * 1024);

/** @returns whether records are, as they are stored, what was written to a place. */
export function areIntact(stored: readonly unknown[], place: number): stored is readonly string[] {
  let text = ''; // V8 copies it once, when it is encoded; `join` would once more.
  for (const record of stored) {
    if (typeof record !== 'string') return false;
    text += record;
  }
  const { read, written } = encoder.encodeInto(text, bytes);
  return crc32(read === text.length ? bytes.subarray(0, written) : text, place) === place;
}

/** Whose records are, with the number of the collection. */
interface Place {
  readonly account: number;
  readonly collection: Collection;
  readonly number: number;
}

/**
 * @param stored records, as they are stored.
 * @returns their texts.
 * @throws StoreError if one is not what was written there.
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

/** Lets the statements of a connection that writes say `with_checksum(account, collection, json)`. */
export function addChecksumFunction(db: Database): void {
  db.function('with_checksum', { deterministic: true }, (account, collection, json) =>
    withChecksum(String(json), placeOf(Number(account), Number(collection))),
  );
}

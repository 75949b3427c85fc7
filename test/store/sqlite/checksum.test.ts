/** Checksums of records: what a disk has altered is found, whatever it is, and nothing else. */
import { expect, test } from '@jest/globals';
import fc from '../../support/fast-check.ts';
import { schemaHash, schemaHashes } from '../../../server/contract/schema.ts';
import { createChecks } from '../../../server/import/check.ts';
import { areIntact, placeOf, withChecksum, withoutChecksum } from '../../../server/store/sqlite/checksum.ts';
import { openStore, openWriter } from '../../../server/store/sqlite/open.ts';
import type { CheckedRecord } from '../../../server/store/store.ts';
import { automation } from '../../../server/testing/builders.ts';
import { contract } from '../../support/app.ts';
import { file } from '../../support/own-folder.ts';
import { loadInto } from '../../support/store.ts';

const places = fc.tuple(fc.integer({ min: 1, max: 4_000_000 }), fc.integer({ min: 1, max: 999 }));
// Of ASCII, of any characters, and of so many that a page is larger than what is encoded at once.
const texts = fc.oneof(
  fc.json({ noUnicodeString: true }),
  fc.json({ stringUnit: 'grapheme' }),
  fc.string({ unit: 'binary' }).map((it) => JSON.stringify(it.toWellFormed())),
  fc.integer({ min: 0, max: 70_000 }).map((length) => JSON.stringify('é'.repeat(length))),
);
const pages = fc.array(texts, { minLength: 1, maxLength: 100 });

/** @returns a text with one bit of its UTF-8 flipped, as SQLite's driver reads that. */
function flipped(text: string, bit: number): string {
  const bytes = Buffer.from(text);
  const at = Math.floor(bit / 8) % bytes.length;
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (bit % 8)), at);
  return bytes.toString();
}

test('a page is intact, and so is each of its records; their texts are those that were given', () => {
  fc.assert(
    fc.property(pages, places, (page, [account, collection]) => {
      const place = placeOf(account, collection);
      const stored = page.map((it) => withChecksum(it, place));
      expect(areIntact(stored, place)).toBe(true);
      expect(stored.every((it) => areIntact([it], place))).toBe(true);
      expect(stored.map(withoutChecksum)).toEqual(page);
    }),
  );
  expect(areIntact([], placeOf(1, 2))).toBe(true);
});

test('a page is not if any bit of any record is another', () => {
  fc.assert(
    fc.property(pages, places, fc.nat(), fc.nat(), (page, [account, collection], record, bit) => {
      const place = placeOf(account, collection);
      const stored = page.map((it) => withChecksum(it, place));
      const at = record % stored.length;
      expect(areIntact(stored.with(at, flipped(stored[at] ?? '', bit)), place)).toBe(false);
    }),
  );
});

test('every bit of a page counts, those of the checksums too', () => {
  const stored = ['Ada', 'Zoë', '名前 🙂'].map((name) =>
    withChecksum(JSON.stringify(automation({ name })), placeOf(1, 2)),
  );
  const missed = stored.flatMap((text, at) =>
    Array.from({ length: Buffer.byteLength(text) * 8 }, (_, bit) => bit).filter((bit) =>
      areIntact(stored.with(at, flipped(text, bit)), placeOf(1, 2)),
    ),
  );
  expect(missed).toEqual([]);
});

test('a page is not intact in another place', () => {
  fc.assert(
    fc.property(pages, places, places, (page, one, other) => {
      fc.pre(placeOf(...one) !== placeOf(...other));
      expect(
        areIntact(
          page.map((it) => withChecksum(it, placeOf(...one))),
          placeOf(...other),
        ),
      ).toBe(false);
    }),
  );
});

test('what a disk has made something else than a text is not intact', () => {
  const stored = withChecksum('{}', placeOf(1, 2));
  for (const it of [null, 7, Buffer.from(stored)]) expect(areIntact([stored, it], placeOf(1, 2))).toBe(false);
});

test('a checksum is eight printable characters of ASCII', () => {
  fc.assert(
    fc.property(texts, places, (text, [account, collection]) => {
      expect(withChecksum(text, placeOf(account, collection)).slice(text.length)).toMatch(/^[@-\]]{8}$/);
    }),
  );
});

test('a new account whose id is taken while its records are staged has them nevertheless', async () => {
  const [writer, other] = [openWriter(file), openWriter(file)];
  const { record } = createChecks(contract).automations(automation());
  if (record === undefined) throw new Error('The record is not valid.');
  const whileAnotherIsMade = async function* (): AsyncGenerator<readonly CheckedRecord[]> {
    yield [record];
    await loadInto(other, 'automations', [automation()], { contract, account: 'taken' });
  };
  const options = { replace: false, schemaHash: schemaHash(contract, 'automations') };
  await writer.load('acme', 'automations', whileAnotherIsMade(), options);
  await writer.createKey({ id: 'x', account: 'acme', label: '', createdAt: '' }, Buffer.of(1));
  await Promise.all([writer.close(), other.close()]);

  const store = openStore(file, schemaHashes(contract));
  const caller = await store.authenticate(Buffer.of(1));
  if (caller === undefined) throw new Error('The key does not work.');
  expect(await store.list(caller.account, 'automations', { limit: 10 })).toEqual({
    items: [record.json],
    hasMore: false,
  });
  await store.close();
});

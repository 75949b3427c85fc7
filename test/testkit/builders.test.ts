/** Builders: valid and distinct records, the same in every run, listed in the order in which they were built. */
import { expect, test } from '@jest/globals';
import fc from '../support/fast-check.ts';
import { COLLECTIONS, recordSchemaOf } from '../../contract/collections.ts';
import { toMicroseconds } from '../../contract/timestamp.ts';
import { createChecks } from '../../import/check.ts';
import { moveImport } from '../../testkit/builders.ts';
import { createBuilders } from '../../testkit/index.ts';
import { contract } from '../support/app.ts';

const checks = createChecks(contract);
const STATUSES = contract.schemas.ContactImportStatus.enum as ('queued' | 'in_progress' | 'completed' | 'failed')[];

test.each(COLLECTIONS)(
  '%s: the first record is the contract’s example, and each following record is one second older',
  (collection) => {
    const build = createBuilders().build[collection];
    const [first, second, third] = [build(), build(), build()];
    const { id: _id, ...example } = recordSchemaOf(contract, collection).example as { id: string; created_at: string };
    const instant = (text: string): bigint | undefined => toMicroseconds(text);
    expect(instant(first.created_at)).toBe(instant(example.created_at));
    const apart = [first, second, third].map(
      (it) => (instant(first.created_at) ?? 0n) - (instant(it.created_at) ?? 0n),
    );
    expect(apart).toEqual([0n, 1_000_000n, 2_000_000n]);
    expect(new Set([first.id, second.id, third.id]).size).toBe(3);
    const names = Object.keys(example) as 'created_at'[];
    for (const name of names.filter((it) => toMicroseconds(example[it]) === undefined)) {
      expect([first[name], second[name]]).toEqual([example[name], example[name]]);
    }
  },
);

test('the same seed builds the same records, and another seed builds other records', () => {
  const three = (seed?: string): string[] => {
    const { build } = createBuilders(seed === undefined ? {} : { seed });
    return COLLECTIONS.flatMap((it) => [build[it](), build[it](), build[it]()]).map((it) => it.id);
  };
  expect(three('a')).toEqual(three('a'));
  expect(three()).toEqual(three());
  expect(new Set([...three(), ...three('a'), ...three('b')]).size).toBe(9 * COLLECTIONS.length);
});

test('builders build valid records, whatever is overridden', () => {
  const { automation, contactImport, contactProperty } = createBuilders();
  const automations = fc.record(
    { status: fc.constantFrom('enabled' as const, 'disabled' as const) },
    { requiredKeys: [] },
  );
  const imports = fc.record({ status: fc.constantFrom(...STATUSES) }, { requiredKeys: [] });
  const properties = fc.oneof(
    fc.record({ type: fc.constantFrom('string', 'number', 'date', '') }),
    fc.record({ fallback_value: fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.constant(null)) }),
  );
  fc.assert(
    fc.property(automations, imports, properties, (ofAutomation, ofImport, ofProperty) => {
      expect(checks.automations(automation(ofAutomation)).violations).toBeUndefined();
      expect(checks.contactImports(contactImport(ofImport)).violations).toBeUndefined();
      expect(checks.contactProperties(contactProperty(ofProperty)).violations).toBeUndefined();
    }),
  );
});

test('an override changes the properties that depend on it', () => {
  const { automation, contactImport, contactProperty } = createBuilders();
  expect(contactImport({ status: 'queued' })).toMatchObject({
    completed_at: null,
    counts: { total: 0, created: 0, updated: 0, skipped: 0, failed: 0 },
  });
  const half = { total: 1200, created: 462, updated: 120, skipped: 12, failed: 6 };
  expect(contactImport({ status: 'in_progress' })).toMatchObject({ completed_at: null, counts: half });
  expect(contactImport({ status: 'failed' })).toMatchObject({
    completed_at: expect.any(String) as unknown,
    counts: half,
  });
  expect(contactProperty({ fallback_value: 12.5 })).toMatchObject({ type: 'number', fallback_value: 12.5 });
  expect(contactProperty({ type: 'number' })).toMatchObject({ type: 'number', fallback_value: null });
  // The interval between the timestamps is that of the example.
  expect(contactImport({ created_at: '2027-01-01 00:00:00+00' }).completed_at).toBe('2027-01-01 00:02:27.326512+00');
  expect(automation({ created_at: '2027-01-01 01:00:00+01' })).toMatchObject({
    created_at: '2027-01-01 01:00:00+01',
    updated_at: '2027-01-16 18:21:24.325088+00',
  });
});

test('an import that moves keeps the number of its records, which is a thousand by default', () => {
  const queued = createBuilders().contactImport({ status: 'queued' });
  const begun = moveImport(queued, { total: 11 });
  expect(begun.counts).toEqual({ total: 11, created: 4, updated: 1, skipped: 0, failed: 0 });
  expect(moveImport(begun, { end: 'failed' }).counts).toEqual(begun.counts);
  expect(moveImport(begun, {}).counts).toEqual({ total: 11, created: 9, updated: 2, skipped: 0, failed: 0 });
  const all = { total: 1000, created: 770, updated: 200, skipped: 20, failed: 10 };
  expect(moveImport(queued, { toEnd: true }).counts).toEqual(all);
});

test('an unknown option is rejected', () => {
  expect(() => createBuilders({ sead: 'a' } as object)).toThrow(
    new TypeError('Unknown builder option "sead". Expected one of: seed.'),
  );
});

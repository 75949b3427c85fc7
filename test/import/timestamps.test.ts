/** Converting RFC 3339 and Unix timestamps in the text of records: exactly, or not at all. */
import { expect, test } from '@jest/globals';
import { createConverter } from '../../import/timestamps.ts';
import { contract } from '../support/app.ts';
import fc from '../support/fast-check.ts';
import { fromMicroseconds, toMicroseconds } from '../../contract/timestamp.ts';

const convert = createConverter(contract, 'automations');

test.each([
  ['"2026-04-16T13:49:40Z"', '2026-04-16 13:49:40+00'],
  ['"2026-04-16t13:49:40.678912z"', '2026-04-16 13:49:40.678912+00'],
  ['"2026-04-16T13:49:40.5+05:30"', '2026-04-16 13:49:40.5+05:30'],
  ['"2026-04-16 13:49:40Z"', '2026-04-16 13:49:40+00'],
  ['"2026-04-16T13:49:40.678912000-07:00"', '2026-04-16 13:49:40.678912-07:00'],
  ['1776347380', '2026-04-16 13:49:40.000000+00'],
  ['"1776347380"', '2026-04-16 13:49:40.000000+00'],
  ['1776347380.678912', '2026-04-16 13:49:40.678912+00'],
  ['1776347380.6789120', '2026-04-16 13:49:40.678912+00'],
  ['-0.000001', '1969-12-31 23:59:59.999999+00'],
  ['253402300799.999999', '9999-12-31 23:59:59.999999+00'],
])('%s becomes %s', (written, timestamp) => {
  expect(convert(`{"created_at": ${written} }`)).toEqual({ text: `{"created_at": "${timestamp}" }`, violations: [] });
});

test.each([
  ['"2026-04-16T13:49:40.6789121Z"', 'must be exact to the microsecond; more than 6 digits of a second would be lost'],
  ['1776347380.6789121', 'must be exact to the microsecond; more than 6 digits of a second would be lost'],
  ['1776347380678', 'must be in seconds as a Unix timestamp, up to the year 9999; divide milliseconds by 1000'],
  ['253402300800', 'must be in seconds as a Unix timestamp, up to the year 9999; divide milliseconds by 1000'],
  ['-62167219200.000001', 'must be in seconds as a Unix timestamp, up to the year 9999; divide milliseconds by 1000'],
])('%s would lose something', (written, what) => {
  const text = `{"created_at":${written}}`;
  expect(convert(text)).toEqual({ text, violations: [{ where: '/created_at', what }] });
});

test.each([
  '{"created_at":"2026-04-16 13:49:40.678912+00"}',
  '{"created_at":"16/04/2026 13:49"}',
  '{"created_at":1.7e9}',
  '{"created_at":null}',
  '{"created_at":"2026-04-16T13:49:40"}', // No offset.
  '{"name":1776347380,"x":{"created_at":1776347380}}',
  '{"created_at":1776347380',
  '[1776347380]',
])('%s stays as it is', (text) => {
  expect(convert(text)).toEqual({ text, violations: [] });
});

test('every timestamp of a record is converted, whatever is around it', () => {
  expect(convert('{"updated_at":0,"a":[1],"created_at":1}').text).toBe(
    '{"updated_at":"1970-01-01 00:00:00.000000+00","a":[1],"created_at":"1970-01-01 00:00:01.000000+00"}',
  );
});

test('the instant stays the same, to the microsecond', () => {
  const instants = fc.bigInt({ min: -62_167_219_200_000_000n, max: 253_402_300_799_999_999n });
  fc.assert(
    fc.property(instants, (us) => {
      const magnitude = String(us < 0n ? -us : us).padStart(7, '0');
      const unix = `${us < 0n ? '-' : ''}${magnitude.slice(0, -6)}.${magnitude.slice(-6)}`;
      const rfc = fromMicroseconds(us).replace(' ', 'T').replace('+00', 'Z');
      for (const written of [unix, JSON.stringify(rfc)]) {
        const { created_at } = JSON.parse(convert(`{"created_at":${written}}`).text) as { created_at: string };
        expect(toMicroseconds(created_at)).toBe(us);
      }
    }),
  );
});

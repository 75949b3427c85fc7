/** The contract's timestamps as instants. */

const PARTS = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?([+-])(\d{2})(?::(\d{2}))?$/;
const US_PER_MINUTE = 60_000_000n;

/**
 * @param text a timestamp as the contract's `Timestamp` has it, such as `2026-04-16 13:49:40.678+00`.
 * @returns microseconds since 1970, the offset applied; `undefined` if there is no such day, such as 30 February.
 */
export function toMicroseconds(text: string): bigint | undefined {
  const [, date = '', time = '', fraction = '', sign, hours = '', minutes = '0'] = PARTS.exec(text) ?? [];
  const local = new Date(`${date}T${time}Z`);
  // Date reads 30 February as 2 March.
  if (Number.isNaN(local.getTime()) || !local.toISOString().startsWith(date)) return undefined;

  const offset = (BigInt(hours) * 60n + BigInt(minutes)) * US_PER_MINUTE;
  const localUs = BigInt(local.getTime()) * 1000n + BigInt(fraction.padEnd(6, '0'));
  return sign === '-' ? localUs + offset : localUs - offset;
}

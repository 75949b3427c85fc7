/** Compares a printed record with the one that was served: the same values, and timestamps of the same instant. */
import { toMicroseconds } from '../../contract/timestamp.ts';
import { isDeep } from '../../audit/rules/depth.ts';

type Value = Readonly<Record<string, unknown>>;

/**
 * @param served the record as it was served.
 * @param printed what the client has printed. It may have more properties.
 * @returns the first difference in a few words; `undefined` if there is none.
 */
export function differenceOfValues(served: unknown, printed: unknown, where = ''): string | undefined {
  if (typeof served === 'object' && served !== null) {
    if (typeof printed !== 'object' || printed === null || Array.isArray(printed) !== Array.isArray(served))
      return `${where === '' ? 'the record' : where} is ${shown(printed)}, not ${shown(served)}`;
    for (const [name, value] of Object.entries(served as Value)) {
      const path = where === '' ? name : `${where}.${name}`;
      if (!Object.hasOwn(printed, name)) return `${path} is missing`;
      const difference = differenceOfValues(value, (printed as Value)[name], path);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (served === printed) return undefined;
  if (typeof served === 'string' && typeof printed === 'string') {
    const instant = toMicroseconds(served);
    if (instant !== undefined && instant === instantOf(printed)) return undefined;
  }
  return `${where} is ${shown(printed)}, not ${shown(served)}`;
}

/** @returns the beginning of a value. */
export const shown = (value: unknown): string =>
  isDeep(value) ? 'a value that nests too deep' : visible(JSON.stringify(value).slice(0, 100));

/** @returns a text whose characters that cannot be seen are escaped, so that two texts that differ look different. */
export const visible = (text: string): string =>
  text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\u0300-\u036f]|(?! )\p{Zs}/gu, (it) =>
    Array.from({ length: it.length }, (_, at) => `\\u${it.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );

const ISO = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:\.(\d{1,9}))?(Z|z|[+-]\d\d(?::?\d\d)?)$/;

/** @returns the microseconds of a timestamp of the contract or of ISO 8601; `undefined` if it is neither, or more precise. */
export function instantOf(printed: string): bigint | undefined {
  const [, date = '', minutes = '', seconds = ':00', fraction = '0', zone = ''] = ISO.exec(printed) ?? [];
  if (date === '' || /[1-9]/.test(fraction.slice(6))) return undefined;
  const offset = /^z$/i.test(zone) ? '+00' : zone.replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2');
  return toMicroseconds(`${date} ${minutes}${seconds}.${fraction.slice(0, 6)}${offset}`);
}

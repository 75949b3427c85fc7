/** The size of a page: what was asked for, up to the maximum. */
import type { Profile } from '../lists/profile.ts';
import { Rejected } from './rejected.ts';

export interface Sizes {
  /** @returns the size that a request has. @throws Rejected */
  readonly of: (query: URLSearchParams) => number;
}

const USUAL = 10;

/** @returns the size of pages without a size. */
function defaultSize({ size }: Profile): number {
  const { default: usual, min = 1, max = Infinity } = size ?? {};
  return usual ?? Math.min(max, Math.max(min, USUAL));
}

/** @returns the size with which a client is taken to read, unless it is known: the maximum. */
export const usualSize = (profile: Profile): number => profile.size?.max ?? defaultSize(profile);

/** @param pageSize the size of pages of a list that has no sizes. */
export function sizeIn(profile: Profile, pageSize: number): Sizes {
  const { size, params = {} } = profile;
  if (size === undefined) return { of: () => pageSize };
  const { param, min = 1, max = Infinity, above = 'clamp', invalid = 'reject' } = size;
  const usual = defaultSize(profile);
  // Of a list that makes pages only with a size.
  const isNeeded = Object.hasOwn(params, param);
  return {
    of: (query) => {
      const text = query.get(param);
      if (text === null) return isNeeded ? Infinity : usual;
      const asked = /^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : 0;
      if (asked < min) {
        if (invalid === 'reject') throw new Rejected(400, `${param} is invalid`);
        return usual;
      }
      if (asked > max && above === 'reject') throw new Rejected(400, `${param} is above ${String(max)}`);
      return Math.min(asked, max);
    },
  };
}

/** Random choices of a run, from a seed: the same seed makes the same choices. */

/** @returns whole numbers from 0 to below `bound`. */
export type Random = (bound: number) => number;

/** The smallest and the largest seed. */
export const [MIN_SEED, MAX_SEED] = [1, 2 ** 32 - 1];

/** @returns the numbers of a seed, by the generator splitmix32. */
export function createRandom(seed: number): Random {
  let state = seed;
  return (bound) => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % Math.max(1, bound);
  };
}

/** @returns up to `count` different values, in their order. */
export function sample<T>(values: readonly T[], count: number, random: Random): readonly T[] {
  const rest = values.map((_, at) => at);
  const chosen = Array.from({ length: Math.min(count, values.length) }, () => rest.splice(random(rest.length), 1));
  const places = new Set(chosen.flat());
  return values.filter((_, at) => places.has(at));
}

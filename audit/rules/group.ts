/** `Map.groupBy`, which Node 20 lacks. @returns the values by their keys, in the order in which the keys appear. */
export function groupBy<T, K>(values: readonly T[], keyOf: (value: T) => K): ReadonlyMap<K, readonly [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

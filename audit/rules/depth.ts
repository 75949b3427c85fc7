/** How deeply a value may nest: `JSON.stringify` and other functions that call themselves throw at a depth that depends on the stack. */

export const MAX_DEPTH = 100;

/** Whether a value nests too deeply for functions that call themselves. */
export function isDeep(root: unknown): boolean {
  let level: ReadonlySet<unknown> = new Set([root]);
  for (let depth = 0; level.size > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    const next = new Set(); // A value may be in several places, and in itself, if it is of YAML.
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      for (const it of Object.values(value)) if (typeof it === 'object' && it !== null) next.add(it);
    }
    level = next;
  }
  return false;
}

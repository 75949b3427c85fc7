/** How deeply a body may nest: `JSON.stringify` and other functions that call themselves throw at a depth that depends on the stack. */

export const MAX_DEPTH = 100;

/** Whether a value nests too deeply for functions that call themselves. */
export function isDeep(body: unknown): boolean {
  let level = [body];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      for (const it of Object.values(value)) if (typeof it === 'object' && it !== null) next.push(it);
    }
    level = next;
  }
  return false;
}

/** @returns `count` records made by `build`, one second apart, newest first. */
export function series<T>(count: number, build: (overrides: { created_at: string }) => T): T[] {
  return Array.from({ length: count }, (_, at) => {
    const time = new Date(Date.UTC(2026, 3, 16, 13) - at * 1000).toISOString().slice(0, 19).replace('T', ' ');
    return build({ created_at: `${time}.000+00` });
  });
}

/** @returns records as lines of JSON. */
export const ndjson = (records: readonly unknown[]): string => records.map((it) => `${JSON.stringify(it)}\n`).join('');

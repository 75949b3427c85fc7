/** The rows of the matrix: each folder here with a `run.sh`, and what is said of it in its `row.json`, where it has one. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));

export interface Row {
  readonly name: string;
  /** The absolute path of its folder. */
  readonly folder: string;
  /** The option that the generator needs to read `fallback_value`, passed as `$FLAGS`. Without it the row must fail. */
  readonly flags?: string;
  /** Why it is left out where no row is named; it is run with `--all`. */
  readonly slow?: string;
}

/** @returns all rows, by name. */
export function readRows(): readonly Row[] {
  const names = globSync('*/run.sh', { cwd: HERE }).map(dirname).toSorted();
  return names.map((name) => {
    const folder = join(HERE, name);
    const facts = join(folder, 'row.json');
    // Written here, as the interface has it.
    const said = existsSync(facts) ? (JSON.parse(readFileSync(facts, 'utf8')) as Pick<Row, 'flags' | 'slow'>) : {};
    return { ...said, name, folder };
  });
}

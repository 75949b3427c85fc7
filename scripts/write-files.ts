/** Writes generated files; with `--check`, writes nothing and fails if a file would change. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

/** @returns the path of a file of the project. */
export const pathOf = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** @returns a text in the format of the project. */
export const formatted = async (text: string, parser: 'markdown' | 'typescript' | 'yaml'): Promise<string> =>
  format(text, { ...(await resolveConfig(pathOf('package.json'))), parser });

/** @returns a page in the format of the project, with lines of at most 140 columns. */
export const wrapped = (text: string): Promise<string> =>
  format(text, { parser: 'markdown', singleQuote: true, proseWrap: 'always', printWidth: 140 });

/** @param files their texts, by name. */
export function writeFiles(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = pathOf(name);
    if (!process.argv.includes('--check')) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    } else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
      process.stderr.write(`${name} is out of date. Run: npm run generate\n`);
      process.exitCode = 1;
    }
  }
}

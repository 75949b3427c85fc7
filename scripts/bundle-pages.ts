/** Bundles the modules and style sheets in `server/pages/assets` into one script and one style sheet for each page. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const pathOf = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
const ASSETS = 'server/pages/assets';

/** @returns the text of each file by name. */
export async function bundlePages(): Promise<Record<string, string>> {
  return {
    'console.js': litHtmlNotice() + (await bundle(`${ASSETS}/console/main.ts`)),
    'console.css': styles(`${ASSETS}/shared/theme.css`, `${ASSETS}/console/console.css`),
    'reference.js': await bundle(`${ASSETS}/reference/main.ts`),
    'reference.css': styles(`${ASSETS}/shared/theme.css`, `${ASSETS}/reference/reference.css`),
  };
}

async function bundle(entry: string): Promise<string> {
  const bundler = await rolldown({ input: pathOf(entry), platform: 'browser', cwd: pathOf('.') });
  try {
    // `comments: false` also removes the licence of lit-html, so litHtmlNotice adds it again.
    const { output } = await bundler.generate({ format: 'esm', minify: true, comments: false });
    const [{ code }, ...others] = output;
    if (others.length > 0) throw new Error(`${entry} must be one file, but the bundle has ${String(output.length)}.`);
    return code;
  } finally {
    await bundler.close();
  }
}

/** The console's script contains lit-html, whose licence requires a copy of its text. */
function litHtmlNotice(): string {
  const { version, license } = JSON.parse(read('node_modules/lit-html/package.json')) as Record<string, string>;
  const text = read('node_modules/lit-html/LICENSE').trim();
  return `/*! Contains lit-html ${String(version)}, ${String(license)}:\n\n${text}\n*/\n`;
}

const styles = (...names: readonly string[]): string => names.map(read).join('\n');
const read = (name: string): string => readFileSync(pathOf(name), 'utf8');

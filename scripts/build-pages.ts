/**
 * `npm run build:pages`: writes what is derived and no code imports to `built/`, which git ignores and the package contains: the console, the
 * reference, as HTML and Markdown, and the contract as OpenAPI 3.1. `scripts/prepare.js` runs it where that is out of date.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { bundlePages } from './bundle-pages.ts';
import { renderAs31 } from './openapi-3.1.ts';
import { renderLlms, renderMarkdown } from './reference/markdown.ts';
import { renderReference } from './reference/reference-page.ts';

const pathOf = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

const document = parse(readFileSync(pathOf('openapi.yaml'), 'utf8')) as Record<string, unknown>; // The linters check it as OpenAPI.
const texts = {
  'openapi-3.1.json': `${JSON.stringify(renderAs31(document), undefined, 2)}\n`,
  'reference.html': renderReference(document),
  'docs.md': renderMarkdown(document),
  'llms.txt': renderLlms(document),
  ...(await bundlePages()),
};
for (const [name, text] of Object.entries(texts)) {
  const path = pathOf(`built/${name}`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

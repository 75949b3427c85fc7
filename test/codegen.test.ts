/** docs/codegen.md lists every row, with the version, command, flag and rendering of the contract that the row uses. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readRows } from './codegen/row.ts';

const docs = readFileSync(new URL('../docs/codegen.md', import.meta.url), 'utf8');
const table = new Map(
  [...docs.matchAll(/^\| \[`([\w-]+)`\].*$/gm)].map(([line, name]) => [name, line.replaceAll(/ +/g, ' ')]),
);
const [, block = ''] = /## Commands\n[^]*?```sh\n([^]*?)```/.exec(docs) ?? [];
const commands = new Map([...block.matchAll(/^(.+) # ([\w-]+)$/gm)].map(([, command, name]) => [name, command]));

const generated = readRows().filter(({ isHandWritten }) => isHandWritten !== true);
const shared = readFileSync(new URL('./codegen/run-row.sh', import.meta.url), 'utf8');
const rows = generated.map((it) => {
  const read = (file: string): string => readFileSync(join(it.folder, file), 'utf8');
  const configs = globSync('*.config.mjs', { cwd: it.folder }).map(read);
  return { ...it, script: read('run.sh'), configs: configs.join('') };
});

test('has every row, and no other', () => {
  const names = rows.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(20);
  expect([...table.keys()].toSorted()).toEqual(names);
  // A macro has no command.
  expect([...commands.keys()]).toEqual(names.filter((it) => it !== 'progenitor'));
  expect(readFileSync(new URL('../README.md', import.meta.url), 'utf8')).toContain(
    `for ${String(names.length)} generator targets`,
  );
});

describe.each(rows)('$name', ({ name, script, configs, flags = '', slow }) => {
  const line = table.get(name) ?? '';

  test('its command is what the row runs', () => {
    const ran = script
      .replaceAll(/ *\\\n */g, ' ')
      .replaceAll('npx --no-install', 'npx')
      .replaceAll('openapi_generator ', 'openapi-generator-cli ')
      .replaceAll('venv/bin/', '')
      .replaceAll('"$OPENAPI"', 'openapi.yaml')
      .replaceAll('"$OPENAPI_31"', 'openapi-3.1.json')
      .replaceAll('$FLAGS', flags)
      .split('\n');
    if (name !== 'progenitor') expect(ran).toContain(commands.get(name));
  });

  test('docs/codegen.md has its flag, and whether it is slow', () => {
    if (flags !== '') expect(docs).toMatch(new RegExp(`^\\| openapi-generator, .*\\| \`${flags}\` *\\|$`, 'm'));
    expect(line.includes('Requires [a flag](#fallback_value)')).toBe(flags !== '');
    expect(script.includes('$FLAGS')).toBe(flags !== '');
    expect(line.endsWith('Slow |')).toBe(slow !== undefined);
  });

  test('docs/codegen.md has the rendering of the contract that the row reads', () => {
    const rendering = /\bOPENAPI_31\b/.test(script + configs) ? '3.1' : '3.0';
    expect(/\bOPENAPI\b/.test(script + configs)).toBe(rendering === '3.0');
    expect(line).toContain(`| ${rendering} |`);
  });

  test('its version is the one that is run', () => {
    const pinned = script.includes('openapi_generator ') ? shared : script;
    const [, version] = /\b(?:OPENAPI_GENERATOR_VERSION|version)=(\d[\d.]+)\b/.exec(pinned) ?? [];
    // Those of Go and Cargo are pinned by their own files.
    if (version !== undefined) expect(line).toContain(`| ${version} |`);
    else expect(script).toMatch(/^version=\$\((go_version|cargo pkgid) /m);
  });
});

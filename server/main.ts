#!/usr/bin/env node
/** The command line's entry: the only file that may end the process. */
import { readFileSync } from 'node:fs';
import module from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

// Asked before anything native is loaded: the database engine crashes an older Node.
const manifest = JSON.parse(readFileSync(fileURLToPath(import.meta.resolve('#package')), 'utf8')) as {
  readonly version: string;
  readonly engines: { readonly node: string };
};
const needed = manifest.engines.node.replace('>=', '');
if (process.versions.node.localeCompare(needed, 'en', { numeric: true }) < 0) {
  process.stderr.write(`rollcall needs Node ${needed} or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 1;
} else {
  // What the last start compiled is not compiled again. Where nothing can be kept, or may not be, it says so and does nothing.
  module.enableCompileCache();
  const { run } = await import('./commands/run.ts');
  const code = await run(process.argv.slice(2), manifest.version);
  // Output that failed has set one already.
  if (code !== 0) process.exitCode = code;
}

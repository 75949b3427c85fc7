#!/usr/bin/env node
/** The command line's entry: the only file that may end the process. */
import module from 'node:module';
import process from 'node:process';
import { nodeRefusal, version } from './runtime.ts';

// Asked before anything native is loaded: the database engine crashes an older Node.
const refusal = nodeRefusal();
if (refusal !== undefined) {
  process.stderr.write(`${refusal}\n`);
  process.exitCode = 1;
} else {
  // What the last start compiled is not compiled again. Where nothing can be kept, or may not be, it says so and does nothing.
  module.enableCompileCache();
  const { run } = await import('./cli/run.ts');
  const code = await run(process.argv.slice(2), version);
  // Output that failed has set one already.
  if (code !== 0) process.exitCode = code;
}

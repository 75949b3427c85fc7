#!/usr/bin/env node
/** Entry of the command line: the only file that may end the process. */
import module from 'node:module';
import process from 'node:process';
import { compileCacheFolder } from './private-folder.ts';
import { nodeVersionError, version } from '../server/runtime.ts';

// Checked before native code is loaded: the database engine crashes an older Node.
const versionError = nodeVersionError();
if (versionError !== undefined) {
  process.stderr.write(`${versionError}\n`);
  process.exitCode = 1;
} else {
  // By default, Node opens a debugger on SIGUSR1, to which every user of the machine can connect.
  process.on('SIGUSR1', () => undefined);
  // Reuses the code that an earlier start compiled. The default folder of Node is in /tmp: whoever created it first could
  // put code into it that this process runs. NODE_COMPILE_CACHE has enabled a cache already, if it is set.
  if (module.getCompileCacheDir() === undefined) {
    const folder = compileCacheFolder();
    if (folder !== undefined) module.enableCompileCache(folder);
  }
  const { run } = await import('./run.ts');
  const code = await run(process.argv.slice(2), version);
  // A failed write to the output has set an exit code already.
  if (code !== 0) {
    process.exitCode = code;
    if (process.connected) process.exit(); // A worker that has failed would stay: its channel to the primary holds it.
  }
}

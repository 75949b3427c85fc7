#!/usr/bin/env node
/** Entry of `@rollcall/audit`: the commands that test a server over HTTP, without a server of their own. */
import { createRequire } from 'node:module';
import process from 'node:process';

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
}
const { version, engines } = createRequire(import.meta.url)('#package') as Manifest; // The manifest of this package.

const needed = engines.node.replace('>=', '');
// Checked before the commands are loaded, which an older Node cannot read.
if (process.versions.node.localeCompare(needed, 'en', { numeric: true }) < 0) {
  process.stderr.write(`rollcall-audit requires Node ${needed} or later; this is ${process.versions.node}.\n`);
  process.exitCode = 1;
} else {
  // By default, Node opens a debugger on SIGUSR1, to which every user of the machine can connect.
  process.on('SIGUSR1', () => undefined);
  const { Command } = await import('commander');
  const { auditCommand } = await import('../command/audit.ts');
  const { conformCommand } = await import('../command/conform.ts');
  const { examineCommand } = await import('../command/examine.ts');
  const { fakeCommand } = await import('../command/fake.ts');
  const { runProgram } = await import('../command/program.ts');
  const program = new Command('rollcall-audit')
    .description('Find the items that a paginated API loses, or that its clients lose.')
    .version(version, '-V, --version', 'print the version')
    .addCommand(auditCommand(), { isDefault: true })
    .addCommand(conformCommand())
    .addCommand(examineCommand())
    .addCommand(fakeCommand());
  const code = await runProgram(program, process.argv.slice(2));
  if (code !== 0) process.exitCode = code; // A failed write to the output has set an exit code already.
}

/** Runs the client of client.ts for `rollcall examine`: correct, or with the fault that ROLLCALL_FAULT or `--fault` names. */
import process from 'node:process';
import { Driver } from './client.ts';
import { faultNamed } from './faults.ts';

const at = process.argv.indexOf('--fault');
const [, named = process.env['ROLLCALL_FAULT']] = at < 0 ? [] : process.argv.splice(at, 2);
const driver = new Driver({
  env: process.env,
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
});
if (named !== undefined) faultNamed(named).inject(driver);
process.exitCode = await driver.run(process.argv.slice(2));

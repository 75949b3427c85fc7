/** fast-check with a fixed seed, which it prints with every failure. `ROLLCALL_TEST_SEED` is another one. */
import process from 'node:process';
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['ROLLCALL_TEST_SEED'] ?? 1) });

export default fc;

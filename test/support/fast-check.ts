/** fast-check with a fixed seed, which it prints with every failure. `ROLLCALL_TEST_SEED` is another one. */
import process from 'node:process';
import fc from 'fast-check';

/** The seed of every random test. */
export const SEED = Number(process.env['ROLLCALL_TEST_SEED'] ?? 1);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });

export default fc;

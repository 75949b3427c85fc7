/** fast-check with a fixed seed, which it prints with every failure. `ROLLCALL_TEST_SEED` is another one. */
import process from 'node:process';
import fc from 'fast-check';

/** The seed of every random test. */
export const SEED = Number(process.env['ROLLCALL_TEST_SEED'] ?? 1);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });

const SURROGATES = { first: 0xd800, count: 0x800 };

/** Any character of Unicode. It is fast-check's `binary`, without its table of a million characters: half a second for each file. */
export const CHARACTER = fc.nat(0x10ffff - SURROGATES.count).map(
  (it) => String.fromCodePoint(it < SURROGATES.first ? it : it + SURROGATES.count),
  (character) => {
    const [only = '', ...others] = String(character);
    const codePoint = only.codePointAt(0);
    if (codePoint === undefined || others.length > 0 || !only.isWellFormed()) throw new Error('It is no character.');
    return codePoint < SURROGATES.first ? codePoint : codePoint - SURROGATES.count;
  },
);

export default fc;

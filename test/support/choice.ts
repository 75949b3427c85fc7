/** Which candidates of a catalogue a run takes: all, those with certain names, or every Nth; and with how many random seeds. */
import { parseArgs } from 'node:util';

export interface Choice {
  /** Parts of names; all if there is none. */
  readonly names: readonly string[];
  readonly every: number;
  /** How many seeds each candidate is tried with, from 1 on. */
  readonly seeds: number;
}

/** @returns the choice that the arguments of this process make: `[--every N] [--seeds N] [NAME...]`. @throws RangeError if an N is no whole number of 1 or more. */
export function readChoice(): Choice {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { every: { type: 'string', default: '1' }, seeds: { type: 'string', default: '1' } },
  });
  const numberOf = (name: 'every' | 'seeds'): number => {
    const number = Number(values[name]);
    if (!Number.isInteger(number) || number < 1)
      throw new RangeError(`--${name} takes a whole number of 1 or more, not ${values[name]}.`);
    return number;
  };
  return { names: positionals, every: numberOf('every'), seeds: numberOf('seeds') };
}

/** @returns the candidates of a choice, in their order. */
export const chosenOf = <T extends { readonly name: string }>(
  candidates: readonly T[],
  { names, every }: Choice,
): readonly T[] =>
  candidates
    .filter(({ name }) => names.length === 0 || names.some((it) => name.includes(it)))
    .filter((_, at) => at % every === 0);

/** Whether a choice takes everything, so that what no fault breaks first can be told. */
export const isWhole = ({ names, every }: Choice): boolean => names.length === 0 && every === 1;

/** Which candidates of a catalogue a run takes: all, those with certain names, or every Nth. */
import { parseArgs } from 'node:util';

export interface Choice {
  /** Parts of names; all if there is none. */
  readonly names: readonly string[];
  readonly every: number;
}

/** @returns the choice that the arguments of this process make: `[--every N] [NAME...]`. @throws RangeError if N is no whole number of 1 or more. */
export function readChoice(): Choice {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { every: { type: 'string', default: '1' } },
  });
  const every = Number(values.every);
  if (!Number.isInteger(every) || every < 1)
    throw new RangeError(`--every takes a whole number of 1 or more, not ${values.every}.`);
  return { names: positionals, every };
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

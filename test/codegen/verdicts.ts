/**
 * The verdicts on what clients of the matrix do wrong: whose fault each failure of `rollcall examine` is, and why. A failure
 * without a verdict and a verdict without a failure make a row fail, so that this file is also the baseline of the scoreboard.
 */

/** Who has to change something: the generator, the contract, or the driver that calls the client. */
export type Fault = 'generator' | 'contract' | 'driver';

export interface Verdict {
  /** The ids of the rules that fail for this reason. */
  readonly rules: readonly string[];
  readonly fault: Fault;
  /** A sentence. */
  readonly reason: string;
}

/** By the name of the row. */
export const VERDICTS: Readonly<Record<string, readonly Verdict[]>> = {};

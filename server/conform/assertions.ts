/** How a rule ends that fails, or that cannot be tried. */
import type { Exchange } from './session.ts';

/** An implementation does not do what the contract says. */
export class Failure extends Error {
  readonly request: string;
  readonly expected: string;
  readonly actual: string;

  constructor({ request }: Pick<Exchange, 'request'>, expected: string, actual: string) {
    super(`${request}: expected ${expected}, got ${actual}`);
    this.request = request;
    this.expected = expected;
    this.actual = actual;
  }
}

/** A rule, or a part of it, could not be tried. The message says why. */
export class Skipped extends Error {
  /** The records that the account lacks, as a noun, where that is why. */
  readonly needs: readonly string[];

  constructor(message: string, needs: readonly string[] = []) {
    super(message);
    this.needs = needs;
  }
}

/** @throws Skipped that says which records the account lacks. */
export function demandRecords(needs: readonly string[]): void {
  if (needs.length > 0) throw new Skipped(`the account needs ${needs.join('; ')}`, needs);
}

/** @returns a response in one line. */
export const summary = ({ status, text }: Exchange): string => `${String(status)} ${text}`.trimEnd();

/**
 * @param actual what the response was instead of `expected`; the response itself by default.
 * @throws Failure unless `condition` is true.
 */
export function assertThat(exchange: Exchange, condition: boolean, expected: string, actual = summary(exchange)): void {
  if (!condition) throw new Failure(exchange, expected, actual);
}

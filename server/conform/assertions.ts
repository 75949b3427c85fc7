/** How a rule ends that fails, or that has to be skipped. */
import type { Exchange } from './exchange.ts';

/** An implementation does not do what the contract says. */
export class Failure extends Error {
  readonly request: string;
  readonly expected: string;
  readonly actual: string;

  constructor(exchange: Exchange, expected: string, actual: string = summary(exchange)) {
    super(`${exchange.request}: expected ${expected}, got ${actual}`);
    this.request = exchange.request;
    this.expected = expected;
    this.actual = actual;
  }
}

/** The account lacks the records that a rule needs. The message says which. */
export class Skipped extends Error {}

const MAX_TEXT_LENGTH = 200;

/** @returns a response in one line. */
export function summary({ status, text }: Exchange): string {
  return `${String(status)} ${text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text}`.trimEnd();
}

/**
 * @param actual what the response was instead of `expected`; the start of it by default.
 * @throws Failure unless `condition` is true.
 */
export function assertThat(exchange: Exchange, condition: boolean, expected: string, actual?: string): void {
  if (!condition) throw new Failure(exchange, expected, actual);
}

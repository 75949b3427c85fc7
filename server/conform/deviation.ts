/** How a rule ends that does not hold, or cannot be tried. */
import type { Answer } from './probe.ts';

/** An implementation does not do as the contract says. */
export class Deviation extends Error {
  readonly asked: string;
  readonly expected: string;
  readonly came: string;

  constructor(answer: Answer, expected: string, came: string = summary(answer)) {
    super(`${answer.asked}: expected ${expected}, but ${came} came`);
    this.asked = answer.asked;
    this.expected = expected;
    this.came = came;
  }
}

/** The account does not hold what a rule needs to be tried on. */
export class Untried extends Error {}

const MAX_SHOWN = 200;

/** @returns an answer in a line. */
export function summary({ status, text }: Answer): string {
  return `${String(status)} ${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}`.trimEnd();
}

/** @throws Deviation unless `holds`. */
export function demand(answer: Answer, holds: boolean, expected: string, came?: string): void {
  if (!holds) throw new Deviation(answer, expected, came);
}

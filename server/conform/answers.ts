/** Judges every answer of a run as it comes, and keeps of each rule the first answer that breaks it. */
import type { Contract, Operation } from '../contract/document.ts';
import { answerRules } from './answer-rules.ts';
import type { AnswerRule } from './answer-rules.ts';
import { recordRule } from './record-rules.ts';
import type { Exchange } from './session.ts';

/** What came of a rule over all answers. */
export interface Tally {
  readonly rule: AnswerRule;
  /** How many answers it says something of. */
  judged: number;
  broken: number;
  /** The first answer that breaks it, and how. */
  first: { readonly request: string; readonly actual: string } | undefined;
}

export interface Answers {
  /** Judges an answer. */
  readonly see: (exchange: Exchange, operation: Operation) => void;
  /** @returns the rule that an answer breaks without which its body cannot be read. */
  readonly brokenBy: (exchange: Exchange) => string | undefined;
  /** @returns the rule of records that an answer breaks. */
  readonly recordsBrokenBy: (exchange: Exchange) => string | undefined;
  readonly tallies: readonly Tally[];
}

// HEAD has no body, and rules of its own; the contract declares no answer to OPTIONS.
const NOT_JUDGED: readonly string[] = ['HEAD', 'OPTIONS'];

export function createAnswers(contract: Contract): Answers {
  const bodies = new WeakMap<Exchange, string>();
  const ofRecords = recordRule(contract, (exchange) => !bodies.has(exchange));
  const withWrongRecords = new WeakSet<Exchange>();
  const rules = [...answerRules(contract), ofRecords];
  const tallies = rules.map((rule): Tally => ({ rule, judged: 0, broken: 0, first: undefined }));

  return {
    tallies,
    brokenBy: (exchange) => bodies.get(exchange),
    recordsBrokenBy: (exchange) => (withWrongRecords.has(exchange) ? ofRecords.id : undefined),
    see: (exchange, operation) => {
      if (NOT_JUDGED.includes(exchange.method)) return;
      const declared = { operation, response: operation.responses.get(exchange.status) };
      for (const tally of tallies) {
        const actual = tally.rule.check(exchange, declared);
        if (actual === null) continue;
        tally.judged += 1;
        if (actual === undefined) continue;
        tally.broken += 1;
        tally.first ??= { request: exchange.request, actual };
        if (tally.rule === ofRecords) withWrongRecords.add(exchange);
        const isUnreadable = tally.rule.isOfBody === true || exchange.body === undefined;
        if (isUnreadable && !bodies.has(exchange)) bodies.set(exchange, tally.rule.id);
      }
    },
  };
}

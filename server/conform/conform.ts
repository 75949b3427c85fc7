/** Tests every rule of the contract on any implementation of it. */
import { COLLECTIONS, filterOf, operationsOf } from '../contract/collections.ts';
import type { Contract } from '../contract/document.ts';
import type { OperationId } from '../contract/types.ts';
import { Failure, Skipped } from './assertions.ts';
import { COMMON_RULES } from './common-rules.ts';
import { CURSOR_RULES } from './cursor-rules.ts';
import type { Server } from './exchange.ts';
import { filterRules } from './filter-rules.ts';
import { LIST_RULES } from './list-rules.ts';
import { LOOKUP_RULES } from './lookup-rules.ts';
import { RECORD_RULES } from './record-rules.ts';
import type { Rule } from './rule.ts';
import { Subject } from './subject.ts';

type Outcome =
  | { readonly outcome: 'passed' }
  | { readonly outcome: 'failed'; readonly request: string; readonly expected: string; readonly actual: string }
  | { readonly outcome: 'skipped'; readonly reason: string };

/** What became of a rule, by its `id` and `title` (see `Rule`), for one operation. */
export type Result = Outcome & {
  readonly operation: OperationId;
  readonly rule: string;
  readonly title: string;
};

const SHARED_RULES = [...RECORD_RULES, ...COMMON_RULES];

/** @yields the result of each rule for each operation it applies to, as soon as it is known. */
export async function* conform(contract: Contract, server: Server): AsyncGenerator<Result> {
  for (const collection of COLLECTIONS) {
    const { list, lookup } = operationsOf(collection);
    const lists = new Subject(contract, server, collection, list);
    yield* run(lists, [...LIST_RULES, ...CURSOR_RULES, ...filterRules(filterOf(collection)), ...SHARED_RULES]);
    if (lookup === undefined) continue;
    yield* run(new Subject(contract, server, collection, lookup, lists), [...LOOKUP_RULES, ...SHARED_RULES]);
  }
}

async function* run(subject: Subject, rules: readonly Rule[]): AsyncGenerator<Result> {
  for (const rule of rules) {
    yield { operation: subject.operation.id, rule: rule.id, title: rule.title, ...(await outcomeOf(rule, subject)) };
  }
}

async function outcomeOf(rule: Rule, subject: Subject): Promise<Outcome> {
  try {
    await rule.check(subject);
    return { outcome: 'passed' };
  } catch (error) {
    if (error instanceof Skipped) return { outcome: 'skipped', reason: error.message };
    if (error instanceof Failure) {
      const { request, expected, actual } = error;
      return { outcome: 'failed', request, expected, actual };
    }
    const actual = error instanceof Error ? `none: ${error.message}` : String(error);
    return { outcome: 'failed', request: subject.path(), expected: 'an answer', actual };
  }
}

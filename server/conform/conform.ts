/** Tries every rule of the contract on an implementation of it, whoever's it is. */
import type { OperationId } from '../contract/types.ts';
import type { Contract } from '../contract/document.ts';
import { COMMON_RULES } from './common-rules.ts';
import { Deviation, Untried } from './deviation.ts';
import { LIST_RULES } from './list-rules.ts';
import { LOOKUP_RULES } from './lookup-rules.ts';
import type { Target } from './probe.ts';
import type { Rule } from './rules.ts';
import { Subject } from './subject.ts';

export interface Result {
  readonly operation: OperationId;
  /** The rule's id and title, see `Rule`. */
  readonly rule: string;
  readonly title: string;
  readonly outcome: 'holds' | 'broken' | 'untried';
  /** Why it could not be tried. */
  readonly reason?: string;
  /** What was asked, was expected and came, where it is broken. */
  readonly asked?: string;
  readonly expected?: string;
  readonly came?: string;
}

/** @yields the result of each rule for each operation it applies to, as soon as it is known. */
export async function* conform(contract: Contract, target: Target): AsyncGenerator<Result> {
  const lists = new Map<string, Subject>();
  for (const operation of contract.operations) {
    const { id, route, parameters } = operation;
    const isLookup = parameters.some((it) => it.in === 'path');
    const subject = new Subject(operation, contract, target, lists.get(route.replace(/\/:\w+$/, '')));
    if (!isLookup) lists.set(route, subject);

    const hasFilter = subject.parameter('status') !== undefined;
    const own = isLookup ? LOOKUP_RULES : LIST_RULES.filter((it) => hasFilter || !it.id.startsWith('list.filter'));
    for (const rule of [...own, ...COMMON_RULES])
      yield { operation: id, rule: rule.id, title: rule.title, ...(await tried(rule, subject)) };
  }
}

async function tried(rule: Rule, subject: Subject): Promise<Omit<Result, 'operation' | 'rule' | 'title'>> {
  try {
    await rule.check(subject);
    return { outcome: 'holds' };
  } catch (error) {
    if (error instanceof Untried) return { outcome: 'untried', reason: error.message };
    if (error instanceof Deviation)
      return { outcome: 'broken', asked: error.asked, expected: error.expected, came: error.came };
    const came = error instanceof Error ? `none: ${error.message}` : String(error);
    return { outcome: 'broken', asked: subject.path(), expected: 'an answer', came };
  }
}

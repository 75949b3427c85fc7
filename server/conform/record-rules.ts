/** The rule of records: what the contract says of them in words, because a schema cannot. */
import { COLLECTIONS, operationsOf } from '../contract/collections.ts';
import type { Collection, Resources } from '../contract/collections.ts';
import type { Contract } from '../contract/document.ts';
import { recordRules } from '../contract/record-rules.ts';
import type { RecordRules } from '../contract/record-rules.ts';
import type { OperationId } from '../contract/types.ts';
import type { AnswerRule } from './answer-rules.ts';

/** @returns the rule of the records in every answer. An answer that breaks its schema is not asked. */
export function recordRule(
  contract: Contract,
  isSchemaKept: (exchange: Parameters<AnswerRule['check']>[0]) => boolean,
): AnswerRule {
  const rules = new Map<OperationId, RecordRules<Collection>>();
  for (const collection of COLLECTIONS) {
    const { list, get } = operationsOf(collection);
    const ofRecords = recordRules(contract, collection);
    for (const operation of [list, get]) if (operation !== undefined) rules.set(operation, ofRecords);
  }
  return {
    id: 'record.rules',
    title: 'texts, dates and properties that depend on one another are as the contract says',
    check: (exchange, { operation }) => {
      const check = rules.get(operation.id);
      if (check === undefined || exchange.status !== 200 || !isSchemaKept(exchange)) return null;
      for (const item of itemsOf(exchange.body)) {
        const [violation] = check(item);
        if (violation !== undefined) return `${violation.where} ${violation.what}: ${JSON.stringify(item)}`;
      }
      return undefined;
    },
  };
}

/** @returns the records of a list or a lookup whose schema has been checked. */
function itemsOf(body: unknown): readonly Resources[Collection][] {
  const found = body as { readonly data?: readonly Resources[Collection][] } & Resources[Collection];
  return found.data ?? [found];
}

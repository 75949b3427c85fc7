/** What a rule of every response is. */
import type { Operation, ResponseObject, Schema } from '../../contract/document.ts';
import { compileOpen } from '../../contract/schema.ts';
import { own } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import type { CheckedResponse } from './checked-session.ts';

export interface ResponseRule {
  readonly id: string;
  readonly title: string;
  /** What to change where it fails. */
  readonly change: string;
  /** What a response has that satisfies the rule; the title by default. */
  readonly expected?: string;
  /** Whether other rules can read the body only if this one holds. */
  readonly isOfBody?: true;
  /** Whether it applies to responses to HEAD, which have no body. */
  readonly isOfHead?: true;
  /** @returns how the response breaks the rule; `undefined` if it does not; `null` if the rule does not apply to it. */
  readonly check: (response: CheckedResponse, declared: Declared) => Text | null | undefined;
}
export interface Declared {
  readonly operation: Operation;
  /** The response that the operation declares for the status, if any. */
  readonly declaredResponse: ResponseObject | undefined;
}

const compiled = new WeakMap<Schema, ReturnType<typeof compileOpen>>();
/** @returns the first violation of a schema by a value; undocumented properties are allowed. */
export function violationOf(schema: Schema, value: unknown): Text | undefined {
  const check = compiled.get(schema) ?? compileOpen(schema);
  compiled.set(schema, check);
  const [violation] = check(value);
  // Its words are those of the contract: no schema says anything of other properties.
  return violation && own(violation.where === 'record' ? violation.what : `${violation.where} ${violation.what}`);
}

/** Whether a path is one of an operation. */
export const isPathOf = ({ path: template }: Operation, path: string): boolean =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);

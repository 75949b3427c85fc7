/** What the answers of an operation have in common, and which examples of them are its own. */
import type { Answer, Contract, Example, Operation } from './contract.ts';

/** The parts of the contract that several answers carry, and which: said once, instead of at each. */
export function carriersOf(header: string, answers: readonly Answer[]): string {
  const [carrying, others] = [true, false].map((is) =>
    [...new Set(answers.filter((it) => it.headers.includes(header) === is).map((it) => it.status))].sort(),
  );
  if (others?.length === 0) return 'every answer';
  if ((others?.length ?? 0) === 1 && (carrying?.length ?? 0) > 1) return `every answer but ${others?.join() ?? ''}`;
  return carrying?.join(', ') ?? '';
}

/**
 * An error's examples are shared by all operations, and some speak of parameters that not all of them have.
 * @returns those that name no parameter, and no value of one, that the operation lacks.
 */
export function examplesOf(contract: Contract, operation: Operation, answer: Answer): readonly Example[] {
  const own = namesOf(contract, operation);
  const foreign = new Set(
    contract.operations.flatMap((it) => [...namesOf(contract, it)]).filter((name) => !own.has(name)),
  );
  const isOwn = ({ value }: Example): boolean =>
    [...JSON.stringify(value).matchAll(/`([^`]+)`/g)].every(([, name = '']) => !foreign.has(name));
  return answer.problems.length === 0 ? answer.examples : answer.examples.filter(isOwn);
}

/** The names of its parameters, and the values of those that have a list of them. */
function namesOf(contract: Contract, { parameters }: Operation): ReadonlySet<unknown> {
  return new Set(parameters.flatMap(({ name, schema }) => [name, ...(contract.schemaOf(schema).enum ?? [])]));
}

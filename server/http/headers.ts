/** The headers that the contract has for an answer, with the values it gives them. */
import type { Contract, HeaderObject, Operation } from '../contract/document.ts';
import type { ProblemError } from '../contract/problems.ts';

export type Headers = Readonly<Record<string, string>>;

/**
 * @param operation whose answers they are; without one, what all operations with this status share.
 * @returns the headers of every answer with this status that are known before it is made.
 */
export function headersOfStatus(contract: Contract, status: number, operation?: Operation): Headers {
  if (operation !== undefined) return known(contract, operation, status);
  const [first = {}, ...others] = contract.operations
    .filter((it) => it.responses.has(status))
    .map((it) => known(contract, it, status));
  return Object.fromEntries(Object.entries(first).filter(([name, value]) => others.every((it) => it[name] === value)));
}

function known({ headers }: Contract, operation: Operation, status: number): Headers {
  // What leaves this server is the contract's own example; intermediaries may rightly add to it.
  const examples: ReadonlySet<HeaderObject> = new Set([headers.CacheControl, headers.Vary]);
  const declared = Object.entries(operation.responses.get(status)?.headers ?? {});
  return Object.fromEntries(
    declared.flatMap(([name, header]) => {
      const [value, ...others] = examples.has(header) ? [header.example] : (header.schema.enum ?? []);
      return value === undefined || others.length > 0 ? [] : [[name, String(value)]];
    }),
  );
}

/** @returns the headers of an error, whose value the contract gives by the error's name or the error itself has. */
export function headersOfProblem({ headers }: Contract, { problem, retryAfter }: ProblemError): Headers {
  const challenge = headers.WwwAuthenticate.examples?.[problem]?.value;
  return {
    ...(challenge === undefined ? {} : { 'WWW-Authenticate': challenge }),
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
  };
}

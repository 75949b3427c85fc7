/** Answers against what the contract declares for their operation: status, headers and body, and nothing else. */
import { compile } from '../contract/schema.ts';
import type { Operation, Schema } from '../contract/document.ts';

export interface DeclaredAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

const compiled = new WeakMap<Schema, ReturnType<typeof compile>>();
const faultsOf = (schema: Schema, value: unknown): string[] => {
  const check = compiled.get(schema) ?? compile(schema);
  compiled.set(schema, check);
  return check(value).map(({ where, what }) => (where === 'record' ? what : `${where} ${what}`));
};

/** @returns how an answer differs from what the contract declares; empty if it does not. */
export function undeclared(operation: Operation, { status, headers, text }: DeclaredAnswer): string[] {
  const response = operation.responses.get(status);
  if (response === undefined) return [`status ${String(status)} is not declared`];

  const faults: string[] = [];
  for (const [name, { schema, required = false }] of Object.entries(response.headers ?? {})) {
    const value = headers.get(name.toLowerCase());
    if (value === undefined) {
      if (required) faults.push(`header ${name} is missing`);
      continue;
    }
    const typed = schema.type === 'integer' ? Number(value) : value;
    faults.push(...faultsOf(schema, typed).map((it) => `header ${name}: ${it}`));
  }

  const media = response.content?.['application/json'];
  if (media === undefined) return text === '' ? faults : [...faults, 'has a body'];
  if (!/^application\/json *(;|$)/.test(headers.get('content-type') ?? '')) {
    return [...faults, `content-type is ${headers.get('content-type') ?? 'missing'}, not application/json`];
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return [...faults, 'the body is not JSON'];
  }
  faults.push(...faultsOf(media.schema, body).map((it) => `body: ${it}`));
  // An error says its status twice, and both are one.
  if (status >= 400 && (body as { statusCode?: unknown } | null)?.statusCode !== status) {
    faults.push(`body: /statusCode is not ${String(status)}`);
  }
  return faults;
}

/** Responses against what the contract declares for their operation: status, headers and body, and nothing else. */
import { compile } from '../../contract/schema.ts';
import type { Operation, Schema } from '../../contract/document.ts';

export interface Response {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

const compiled = new WeakMap<Schema, ReturnType<typeof compile>>();
function violationsOf(schema: Schema, value: unknown): string[] {
  const check = compiled.get(schema) ?? compile(schema);
  compiled.set(schema, check);
  return check(value).map(({ where, what }) => (where === 'record' ? what : `${where} ${what}`));
}

/** @returns how a response differs from what the contract declares; empty if it does not. */
export function undeclared(operation: Operation, { status, headers, text }: Response): string[] {
  const declared = operation.responses.get(status);
  if (declared === undefined) return [`status ${String(status)} is not declared`];

  const violations: string[] = [];
  for (const [name, { schema, required = false }] of Object.entries(declared.headers ?? {})) {
    const value = headers.get(name.toLowerCase());
    if (value === undefined) {
      if (required) violations.push(`header ${name} is missing`);
      continue;
    }
    const typed = schema.type === 'integer' ? Number(value) : value;
    violations.push(...violationsOf(schema, typed).map((it) => `header ${name}: ${it}`));
  }

  const media = declared.content?.['application/json'];
  if (media === undefined) return text === '' ? violations : [...violations, 'has a body'];
  if (!/^application\/json *(;|$)/.test(headers.get('content-type') ?? '')) {
    return [...violations, `content-type is ${headers.get('content-type') ?? 'missing'}, not application/json`];
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return [...violations, 'the body is not JSON'];
  }
  violations.push(...violationsOf(media.schema, body).map((it) => `body: ${it}`));
  // A schema cannot say that the status in the body is the status of the response.
  if (status >= 400 && (body as { statusCode?: unknown } | null)?.statusCode !== status) {
    violations.push(`body: /statusCode is not ${String(status)}`);
  }
  return violations;
}

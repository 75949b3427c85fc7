/** Rules of every response, whatever the request was. Each checks one property, so that one fault breaks one rule. */
import { COLLECTIONS, operationsOf } from '../contract/collections.ts';
import type { Collection, Resources } from '../contract/collections.ts';
import type { Contract, HeaderObject, Operation, ResponseObject, Schema } from '../contract/document.ts';
import { recordRules } from '../contract/record-rules.ts';
import type { RecordRules } from '../contract/record-rules.ts';
import { compileOpen } from '../contract/schema.ts';
import type { OperationId } from '../contract/types.ts';
import { canonical } from './records.ts';
import type { Exchange } from './session.ts';

/** The result of a rule over all responses. */
export interface Tally {
  readonly rule: ResponseRule;
  /** The number of responses that the rule applies to, and of those that break it. */
  checked: number;
  broken: number;
  /** The first response that breaks it, and how. */
  first: { readonly request: string; readonly actual: string } | undefined;
}

export interface ResponseChecks {
  /** Checks a response against every rule. */
  readonly check: (exchange: Exchange, operation: Operation) => void;
  /** @returns the id of the broken rule because of which other rules cannot read the body; `undefined` if there is none. */
  readonly brokenBy: (exchange: Exchange) => string | undefined;
  /** @returns the id of record.constraints if a response breaks it. */
  readonly recordsBrokenBy: (exchange: Exchange) => string | undefined;
  readonly tallies: readonly Tally[];
}

export function createResponseChecks(contract: Contract): ResponseChecks {
  const unreadable = new WeakMap<Exchange, string>();
  const ofRecords = recordRule(contract, (exchange) => !unreadable.has(exchange));
  const withWrongRecords = new WeakSet<Exchange>();
  const rules = [...BODY_RULES, ...headerRules(contract), ofRecords];
  const tallies = rules.map((rule): Tally => ({ rule, checked: 0, broken: 0, first: undefined }));

  return {
    tallies,
    brokenBy: (exchange) => unreadable.get(exchange),
    recordsBrokenBy: (exchange) => (withWrongRecords.has(exchange) ? ofRecords.id : undefined),
    check: (exchange, operation) => {
      if (exchange.method === 'OPTIONS') return; // The contract declares no response to it.
      const declared = { operation, response: operation.responses.get(exchange.status) };
      for (const tally of tallies) {
        if (exchange.method === 'HEAD' && tally.rule.isOfHead !== true) continue;
        const actual = tally.rule.check(exchange, declared);
        if (actual === null) continue;
        tally.checked += 1;
        if (actual === undefined) continue;
        tally.broken += 1;
        tally.first ??= { request: exchange.request, actual };
        if (tally.rule === ofRecords) withWrongRecords.add(exchange);
        const isUnreadable = tally.rule.isOfBody === true || exchange.body === undefined;
        if (isUnreadable && !unreadable.has(exchange)) unreadable.set(exchange, tally.rule.id);
      }
    },
  };
}

export interface ResponseRule {
  readonly id: string;
  readonly title: string;
  /** Whether other rules can read the body only if this one holds. */
  readonly isOfBody?: true;
  /** Whether it applies to responses to HEAD, which have no body. */
  readonly isOfHead?: true;
  /** @returns how the response breaks the rule; `undefined` if it does not; `null` if the rule does not apply to it. */
  readonly check: (exchange: Exchange, declared: Declared) => string | null | undefined;
}
export interface Declared {
  readonly operation: Operation;
  /** The response that the operation declares for the status, if any. */
  readonly response: ResponseObject | undefined;
}

const JSON_TYPE = 'application/json';

const compiled = new WeakMap<Schema, ReturnType<typeof compileOpen>>();
/** @returns the first violation of a schema by a value; undocumented properties are allowed. */
function violationOf(schema: Schema, value: unknown): string | undefined {
  const check = compiled.get(schema) ?? compileOpen(schema);
  compiled.set(schema, check);
  const [violation] = check(value);
  return violation && (violation.where === 'record' ? violation.what : `${violation.where} ${violation.what}`);
}

function headerViolation(name: string, { schema, required }: HeaderObject, { headers }: Exchange): string | undefined {
  const value = headers.get(name.toLowerCase());
  if (value === undefined) return required === true ? `no ${name}` : undefined;
  const wrong = violationOf(schema, schema.type === 'integer' && /^\d+$/.test(value) ? Number(value) : value);
  return wrong && `${name}: ${value}, which ${wrong}`;
}

const BODY_RULES: readonly ResponseRule[] = [
  {
    id: 'response.status',
    title: 'a status that the contract declares',
    isOfBody: true,
    isOfHead: true,
    check: ({ status, text }, { response }) =>
      response === undefined ? `status ${String(status)}, which is not declared: ${text}` : undefined,
  },
  {
    id: 'response.content_type',
    title: `bodies are JSON, sent as ${JSON_TYPE} without parameters`,
    check: ({ headers }, { response }) => {
      if (response?.content?.[JSON_TYPE] === undefined) return null;
      const type = headers.get('content-type');
      return type === JSON_TYPE ? undefined : `Content-Type: ${type ?? 'none'}`;
    },
  },
  {
    id: 'response.encoding',
    title: 'bodies are UTF-8, without a byte order mark',
    isOfBody: true,
    check: ({ isUtf8, text }) => {
      if (text === '') return null;
      if (!isUtf8) return `bytes that are not UTF-8: ${text}`;
      return text.startsWith('\ufeff') ? 'a byte order mark at the beginning' : undefined;
    },
  },
  {
    id: 'response.schema',
    title: 'every body matches its schema; it may have more properties than are documented',
    isOfBody: true,
    check: ({ body, text, headers }, { response }) => {
      const schema = response?.content?.[JSON_TYPE]?.schema;
      if (schema === undefined) return null;
      if (body !== undefined) return violationOf(schema, body);
      return headers.get('content-type')?.includes('json') === true ? `not JSON: ${text}` : null;
    },
  },
  {
    id: 'response.integers',
    title: 'an integer is written in plain digits, without a fraction and an exponent',
    check: ({ text, body }, { response }) => {
      const schema = response?.content?.[JSON_TYPE]?.schema;
      if (schema === undefined || body === undefined) return null;
      const names = integersOf(schema);
      let found: string | undefined;
      JSON.parse(text, function (this: unknown, name: string, value: unknown, context?: { readonly source?: string }) {
        const { source } = context ?? {};
        if (typeof value === 'number' && source !== undefined && names.has(name) && !/^-?\d+$/.test(source))
          found ??= `${name}: ${source}`;
        return value;
      });
      return found;
    },
  },
  {
    id: 'response.error_name',
    title: 'the name of an error is one of its status',
    isOfBody: true,
    check: ({ body }, { response }) => {
      const names: readonly string[] | undefined = response?.['x-problem-names'];
      if (names === undefined || typeof body !== 'object' || body === null || !('name' in body)) return null;
      const { name } = body;
      return typeof name !== 'string' || names.includes(name) ? undefined : `name ${name}, not ${names.join(' or ')}`;
    },
  },
  {
    id: 'response.error_status_code',
    title: 'the statusCode of an error is its status',
    check: ({ status, body }, { response }) => {
      if (status < 400 || response === undefined || typeof body !== 'object' || body === null) return null;
      const code = 'statusCode' in body ? body.statusCode : undefined;
      return typeof code !== 'number' || code === status
        ? undefined
        : `statusCode ${String(code)} with ${String(status)}`;
    },
  },
  {
    id: 'response.error_message',
    title: 'the message of a validation error names the parameter',
    check: ({ status, body, mentions }) => {
      if (status !== 422 || mentions.length === 0 || typeof body !== 'object' || body === null) return null;
      const message = 'message' in body ? body.message : undefined;
      if (typeof message !== 'string') return null;
      const missing = mentions.filter((it) => !isNamedIn(message.toLowerCase(), it.toLowerCase()));
      return missing.length === 0 ? undefined : `a message without ${missing.join(' and ')}: ${message}`;
    },
  },
];

/** Whether a text has a name as a word of its own: `invalid` does not have `id`. */
function isNamedIn(text: string, name: string): boolean {
  const isLetter = (at: number): boolean => /[a-z0-9_]/.test(text.charAt(at));
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!isLetter(at - 1) && !isLetter(at + name.length)) return true;
  }
  return false;
}

/** @returns the names of the integers in a schema. None is also the name of another property. */
function integersOf(schema: Schema): ReadonlySet<string> {
  const { properties = {}, items } = schema;
  const own = Object.entries(properties).flatMap(([name, it]) =>
    it.type === 'integer' ? [name] : [...integersOf(it)],
  );
  return new Set([...own, ...(items === undefined ? [] : integersOf(items))]);
}

/** @returns a rule for each required header, one for the rate-limit headers, and one for the other headers. */
function headerRules({ operations }: Contract): readonly ResponseRule[] {
  const declared = operations
    .flatMap((it) => [...it.responses.values()])
    .flatMap((it) => Object.entries(it.headers ?? {}));
  const headers = new Map(declared);
  const alwaysSent = [...headers].filter(([name, { required }]) => required === true && name !== RETRY_AFTER);
  const optional = [...headers].filter(([, { required }]) => required !== true);
  const ofLimits = optional.filter(([name]) => name.startsWith(RATE_LIMIT));
  const others = optional.filter((it) => !ofLimits.includes(it));
  return [
    ...alwaysSent.map(([name]): ResponseRule => ({
      id: `header.${name.toLowerCase().replaceAll('-', '_')}`,
      title: `${name} is sent wherever the contract has it, and matches its schema`,
      isOfHead: true,
      check: (exchange, { response }) => {
        const header = response?.headers?.[name];
        return header === undefined ? null : headerViolation(name, header, exchange);
      },
    })),
    rateLimitRule(ofLimits),
    identityRule(),
    uniqueIdRule(),
    {
      id: 'header.optional',
      title: 'the other headers that the contract declares match their schemas where they are sent',
      check: (exchange, { response }) =>
        response &&
        others.map(([name, header]) => headerViolation(name, header, exchange)).find((it) => it !== undefined),
    },
  ];
}

const RETRY_AFTER = 'Retry-After';
const RATE_LIMIT = 'RateLimit-';

function rateLimitRule(limits: readonly (readonly [string, HeaderObject])[]): ResponseRule {
  return {
    id: 'header.rate_limit',
    title: 'rate-limit headers come all together or not at all; a 429 or 503 has Retry-After',
    check: (exchange, { response }) => {
      if (response === undefined) return null;
      const present = limits.filter(([name]) => exchange.headers.has(name.toLowerCase()));
      if (present.length > 0 && present.length < limits.length) {
        const missing = limits.filter((it) => !present.includes(it));
        return `${present.map(([name]) => name).join(', ')} without ${missing.map(([name]) => name).join(', ')}`;
      }
      const retryAfter = response.headers?.[RETRY_AFTER];
      const all = retryAfter === undefined ? present : [...present, [RETRY_AFTER, retryAfter] as const];
      const wrong = all.map(([name, header]) => headerViolation(name, header, exchange)).find((it) => it !== undefined);
      return wrong ?? (present.length > 0 ? limitsViolation(exchange) : undefined);
    },
  };
}

/** @returns how the rate-limit headers of a response contradict one another. */
function limitsViolation({ headers }: Exchange): string | undefined {
  const number = (name: string): number => Number(headers.get(`ratelimit-${name}`));
  const [limit, remaining, reset] = [number('limit'), number('remaining'), number('reset')];
  const [, quota, window] = /^(\d+);w=(\d+)$/.exec(headers.get('ratelimit-policy') ?? '') ?? [];
  if (remaining > limit) return `RateLimit-Remaining ${String(remaining)} of RateLimit-Limit ${String(limit)}`;
  if (quota !== undefined && Number(quota) !== limit)
    return `RateLimit-Limit ${String(limit)} with RateLimit-Policy ${String(headers.get('ratelimit-policy'))}`;
  if (window !== undefined && reset > Number(window))
    return `RateLimit-Reset ${String(reset)} in a window of ${window} s`;
  return undefined;
}

/** @returns the rule of tags: they tell the responses of an operation to a key from one another. */
function identityRule(): ResponseRule {
  // The body of each tag, by operation and key; the tag of each body, by request.
  const bodies = new Map<string, string>();
  const tags = new Map<string, string>();
  return {
    id: 'header.etag_identity',
    title: 'different bodies have different ETags; of the same request, equal bodies have the same one',
    check: ({ status, headers, text, body, source: { key, path } }, { operation }) => {
      const tag = headers.get('etag')?.replace(/^W\//, '');
      if (status !== 200 || tag === undefined || body === undefined) return null;
      const coding = headers.get('content-encoding') ?? '';
      const value = canonical(body);
      const [ofTag, ofBody] = [`${operation.id} ${key} ${tag}`, `${key} ${path} ${coding} ${text}`];
      const [known, knownTag] = [bodies.get(ofTag) ?? value, tags.get(ofBody) ?? tag];
      bodies.set(ofTag, value);
      tags.set(ofBody, tag);
      if (known !== value) return `ETag: ${tag}, as a different body before`;
      return knownTag === tag ? undefined : `ETag: ${tag}, but ${knownTag} for the same body before`;
    },
  };
}

/** @returns the rule that each request without an id gets its own. */
function uniqueIdRule(): ResponseRule {
  const seen = new Set<string>();
  return {
    id: 'http.unique_request_id',
    title: 'X-Request-Id: every request without one gets its own',
    isOfHead: true,
    check: ({ headers, source }) => {
      const id = headers.get('x-request-id');
      if (id === undefined || source.requestId !== undefined) return null;
      if (seen.has(id)) return `X-Request-Id: ${id} again`;
      seen.add(id);
      return undefined;
    },
  };
}

/** @returns the rule of the constraints that a schema cannot express. It does not apply to a body that breaks its schema. */
function recordRule(contract: Contract, isReadable: (exchange: Exchange) => boolean): ResponseRule {
  const rules = new Map<OperationId, RecordRules<Collection>>();
  for (const collection of COLLECTIONS) {
    const { list, get } = operationsOf(collection);
    const ofRecords = recordRules(contract, collection);
    for (const operation of [list, get]) if (operation !== undefined) rules.set(operation, ofRecords);
  }
  return {
    id: 'record.constraints',
    title: 'texts, dates and properties that depend on one another are as the contract says',
    check: (exchange, { operation }) => {
      const check = rules.get(operation.id);
      if (check === undefined || exchange.status !== 200 || !isReadable(exchange)) return null;
      for (const item of itemsOf(exchange.body)) {
        const [violation] = check(item);
        if (violation !== undefined) return `${violation.where} ${violation.what}: ${JSON.stringify(item)}`;
      }
      return undefined;
    },
  };
}

/** @returns the records of a body whose schema has been checked: the items of a list, or the one retrieved item. */
function itemsOf(body: unknown): readonly Resources[Collection][] {
  const found = body as { readonly data?: readonly Resources[Collection][] } & Resources[Collection];
  return found.data ?? [found];
}

/** Rules of every response, whatever the request was. Each checks one property of it, so that one fault breaks one rule. */
import { COLLECTIONS, operationsOf } from '../contract/collections.ts';
import type { Collection, Resources } from '../contract/collections.ts';
import type { Contract, HeaderObject, Operation, ResponseObject, Schema } from '../contract/document.ts';
import { recordRules } from '../contract/record-rules.ts';
import type { RecordRules } from '../contract/record-rules.ts';
import { compileOpen } from '../contract/schema.ts';
import type { OperationId } from '../contract/types.ts';
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

export interface AnswerRule {
  readonly id: string;
  readonly title: string;
  /** Whether other rules can judge the answer's body only if this one holds. */
  readonly isOfBody?: true;
  /** @returns what breaks the rule; `undefined` if nothing does; `null` if the rule says nothing of this answer. */
  readonly check: (exchange: Exchange, declared: Declared) => string | null | undefined;
}
export interface Declared {
  readonly operation: Operation;
  /** What the operation declares for the status; `undefined` if nothing. */
  readonly response: ResponseObject | undefined;
}

const JSON_TYPE = 'application/json';

const compiled = new WeakMap<Schema, ReturnType<typeof compileOpen>>();
/** @returns the first way in which a value does not fit a schema, more properties than documented aside. */
function misfit(schema: Schema, value: unknown): string | undefined {
  const check = compiled.get(schema) ?? compileOpen(schema);
  compiled.set(schema, check);
  const [violation] = check(value);
  return violation && (violation.where === 'record' ? violation.what : `${violation.where} ${violation.what}`);
}

function headerMisfit(name: string, { schema, required }: HeaderObject, { headers }: Exchange): string | undefined {
  const value = headers.get(name.toLowerCase());
  if (value === undefined) return required === true ? `no ${name}` : undefined;
  const wrong = misfit(schema, schema.type === 'integer' && /^\d+$/.test(value) ? Number(value) : value);
  return wrong && `${name}: ${value}, which ${wrong}`;
}

const BODY_RULES: readonly AnswerRule[] = [
  {
    id: 'answer.status',
    title: 'a status that the contract declares',
    isOfBody: true,
    check: ({ status }, { response }) =>
      response === undefined ? `status ${String(status)}, which is not declared` : undefined,
  },
  {
    id: 'answer.content-type',
    title: `bodies are JSON, sent as ${JSON_TYPE} without parameters`,
    check: ({ headers }, { response }) => {
      if (response?.content?.[JSON_TYPE] === undefined) return null;
      const type = headers.get('content-type');
      return type === JSON_TYPE ? undefined : `Content-Type: ${type ?? 'none'}`;
    },
  },
  {
    id: 'answer.schema',
    title: 'every body fits its schema; it may have more properties than are documented',
    isOfBody: true,
    check: ({ body, text, headers }, { response }) => {
      const schema = response?.content?.[JSON_TYPE]?.schema;
      if (schema === undefined) return null;
      if (body !== undefined) return misfit(schema, body);
      return headers.get('content-type')?.includes('json') === true ? `what is not JSON: ${text}` : null;
    },
  },
  {
    id: 'answer.status-code',
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
    id: 'answer.message',
    title: 'the message of a refusal names the parameter',
    check: ({ status, body, mentions }) => {
      if (status !== 422 || mentions.length === 0 || typeof body !== 'object' || body === null) return null;
      const message = 'message' in body ? body.message : undefined;
      if (typeof message !== 'string') return null;
      const missing = mentions.filter((it) => !message.toLowerCase().includes(it.toLowerCase()));
      return missing.length === 0 ? undefined : `a message without ${missing.join(' and ')}: ${message}`;
    },
  },
];

/** @returns a rule for each header that is always sent, and one for those of rate limits. */
function headerRules({ operations }: Contract): readonly AnswerRule[] {
  const declared = operations
    .flatMap((it) => [...it.responses.values()])
    .flatMap((it) => Object.entries(it.headers ?? {}));
  const headers = new Map(declared);
  const ofEveryAnswer = [...headers].filter(([name, { required }]) => required === true && name !== RETRY_AFTER);
  const optional = [...headers].filter(([, { required }]) => required !== true);
  const ofLimits = optional.filter(([name]) => name.startsWith(RATE_LIMIT));
  const others = optional.filter((it) => !ofLimits.includes(it));
  return [
    ...ofEveryAnswer.map(([name]): AnswerRule => ({
      id: `header.${name.toLowerCase()}`,
      title: `${name} is sent wherever the contract has it, and fits its schema`,
      check: (exchange, { response }) => {
        const header = response?.headers?.[name];
        return header === undefined ? null : headerMisfit(name, header, exchange);
      },
    })),
    rateLimitRule(ofLimits),
    {
      id: 'header.optional',
      title: 'the other headers that the contract declares fit their schemas where they are sent',
      check: (exchange, { response }) =>
        response && others.map(([name, header]) => headerMisfit(name, header, exchange)).find((it) => it !== undefined),
    },
  ];
}

const RETRY_AFTER = 'Retry-After';
const RATE_LIMIT = 'RateLimit-';

function rateLimitRule(limits: readonly (readonly [string, HeaderObject])[]): AnswerRule {
  return {
    id: 'header.rate-limit',
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
      return all.map(([name, header]) => headerMisfit(name, header, exchange)).find((it) => it !== undefined);
    },
  };
}

/** @returns the rules of every answer, but those of the records in it. */
const answerRules = (contract: Contract): readonly AnswerRule[] => [...BODY_RULES, ...headerRules(contract)];

/** @returns the rule of the records in every answer. An answer that breaks its schema is not asked. */
function recordRule(
  contract: Contract,
  isSchemaKept: (exchange: Parameters<AnswerRule['check']>[0]) => boolean,
): AnswerRule {
  const rules = new Map<OperationId, RecordRules<Collection>>();
  for (const collection of COLLECTIONS) {
    const { list, lookup } = operationsOf(collection);
    const ofRecords = recordRules(contract, collection);
    for (const operation of [list, lookup]) if (operation !== undefined) rules.set(operation, ofRecords);
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

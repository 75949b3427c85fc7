/** Rules of every answer, whatever it was asked for: each looks at one thing of it, so that one fault breaks one rule. */
import type { Contract, HeaderObject, Operation, ResponseObject } from '../contract/document.ts';
import { compileOpen } from '../contract/schema.ts';
import type { Schema } from '../contract/document.ts';
import type { Exchange } from './session.ts';

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
export const answerRules = (contract: Contract): readonly AnswerRule[] => [...BODY_RULES, ...headerRules(contract)];

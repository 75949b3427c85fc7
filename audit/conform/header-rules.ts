/** Rules of the headers of every response. */
import type { Contract, HeaderObject } from '../../contract/document.ts';
import { canonical } from './records.ts';
import { violationOf } from './response-rule.ts';
import type { ResponseRule } from './response-rule.ts';
import type { Exchange } from './session.ts';

/** @returns a rule for each required header, one for the rate-limit headers, and one for the other headers. */
export function headerRules({ operations }: Contract): readonly ResponseRule[] {
  const declared = operations
    .flatMap((it) => [...it.responses.values()])
    .flatMap((it) => Object.entries(it.headers ?? {}));
  const headers = new Map(declared);
  const alwaysSent = [...headers].filter(([name, { required }]) => required === true && name !== RETRY_AFTER);
  const optional = [...headers].filter(([, { required }]) => required !== true);
  const ofLimits = optional.filter(([name]) => name.startsWith(RATE_LIMIT));
  const others = optional.filter((it) => !ofLimits.includes(it));
  return [
    ...alwaysSent.map(([name, declaration]): ResponseRule => ({
      id: `header.${name.toLowerCase().replaceAll('-', '_')}`,
      title: `${name} is sent wherever the contract requires it, and matches its schema`,
      expected: exampleOf([[name, declaration]]),
      isOfHead: true,
      check: (exchange, { response }) => {
        const header = response?.headers?.[name];
        return header === undefined ? null : headerViolation(name, header, exchange);
      },
    })),
    {
      ...rateLimitRule(ofLimits),
      expected: exampleOf([...ofLimits, ...[...headers].filter(([it]) => it === RETRY_AFTER)]),
    },
    identityRule(),
    uniqueIdRule(),
    {
      id: 'header.optional',
      title: 'optional headers match their schemas when they are sent',
      expected: exampleOf(others),
      check: (exchange, { response }) =>
        response &&
        others.map(([name, header]) => headerViolation(name, header, exchange)).find((it) => it !== undefined),
    },
  ];
}

/** @returns a value of each header: the contract's example, or the only value that it allows. */
const exampleOf = (headers: readonly (readonly [string, HeaderObject])[]): string =>
  `for example ${headers
    .map(([name, { example, examples = {}, schema }]) => {
      return `${name}: ${String(example ?? Object.values(examples)[0]?.value ?? schema.enum?.[0])}`;
    })
    .join('; ')}`;

const RETRY_AFTER = 'Retry-After';
const RATE_LIMIT = 'RateLimit-';

function rateLimitRule(limits: readonly (readonly [string, HeaderObject])[]): ResponseRule {
  return {
    id: 'header.rate_limit',
    title: 'rate limit headers are sent all together or not at all; a 429 or 503 has Retry-After',
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
  if (remaining > limit) return `RateLimit-Remaining ${String(remaining)} exceeds RateLimit-Limit ${String(limit)}`;
  if (quota !== undefined && Number(quota) !== limit)
    return `RateLimit-Limit ${String(limit)} does not match RateLimit-Policy ${String(headers.get('ratelimit-policy'))}`;
  if (window !== undefined && reset > Number(window))
    return `RateLimit-Reset ${String(reset)} exceeds the window of ${window} s`;
  return undefined;
}

/** @returns the rule of tags: they distinguish the responses of an operation to a key. */
function identityRule(): ResponseRule {
  // The body of each tag, by operation and key; the tag of each body, by request.
  const bodies = new Map<string, string>();
  const tags = new Map<string, string>();
  return {
    id: 'header.etag_identity',
    title: 'different bodies have different ETags; equal bodies of the same request have the same ETag',
    check: ({ status, headers, text, body, source: { key, path } }, { operation }) => {
      const tag = headers.get('etag')?.replace(/^W\//, '');
      if (status !== 200 || tag === undefined || body === undefined) return null;
      const coding = headers.get('content-encoding') ?? '';
      const value = canonical(body);
      const [ofTag, ofBody] = [`${operation.id} ${key} ${tag}`, `${key} ${path} ${coding} ${text}`];
      const [known, knownTag] = [bodies.get(ofTag) ?? value, tags.get(ofBody) ?? tag];
      bodies.set(ofTag, value);
      tags.set(ofBody, tag);
      if (known !== value) return `ETag: ${tag}, also sent with a different body`;
      return knownTag === tag ? undefined : `ETag: ${tag}, but ${knownTag} was sent with the same body`;
    },
  };
}

/** @returns the rule that each request without an id gets a unique one. */
function uniqueIdRule(): ResponseRule {
  const seen = new Set<string>();
  return {
    id: 'http.unique_request_id',
    title: 'a request without an X-Request-Id gets a unique one',
    isOfHead: true,
    check: ({ headers, source }) => {
      const id = headers.get('x-request-id');
      if (id === undefined || source.requestId !== undefined) return null;
      if (seen.has(id)) return `X-Request-Id: ${id}, already sent with another response`;
      seen.add(id);
      return undefined;
    },
  };
}

function headerViolation(
  name: string,
  { schema, required }: HeaderObject,
  { headers, status }: Exchange,
): string | undefined {
  const value = headers.get(name.toLowerCase());
  if (value === undefined) return required === true ? `no ${name} with ${String(status)}` : undefined;
  const wrong = violationOf(schema, schema.type === 'integer' && /^\d+$/.test(value) ? Number(value) : value);
  return wrong && `${name}: ${value}, which ${wrong}`;
}

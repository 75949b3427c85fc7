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
      change: `Send it with every status for which the contract requires it, ${exampleOf([[name, declaration]])}.`,
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
    limitCoverageRule(ofLimits.map(([name]) => name)),
    repeatedRule(),
    identityRule(),
    uniqueIdRule(),
    {
      id: 'header.optional',
      title: 'optional headers match their schemas when they are sent',
      change: 'Send the header as the contract has it, or not at all.',
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
    .flatMap(([name, { example, examples = {}, schema }]) => {
      const value = example ?? Object.values(examples)[0]?.value ?? schema.enum?.[0];
      return value === undefined ? [] : `${name}: ${String(value)}`;
    })
    .join('; ')}`;

const RETRY_AFTER = 'Retry-After';
const RATE_LIMIT = 'RateLimit-';

function rateLimitRule(limits: readonly (readonly [string, HeaderObject])[]): ResponseRule {
  return {
    id: 'header.rate_limit',
    title: 'rate limit headers are sent all together or not at all; a 429 or 503 has Retry-After',
    change: 'Send all rate limit headers together, as whole numbers that agree; Retry-After with a 429 and a 503.',
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

/** @returns the rule that a server with rate limits tells them in every response to a read of an API path. */
function limitCoverageRule(names: readonly string[]): ResponseRule {
  let first: string | undefined;
  return {
    id: 'header.rate_limit_coverage',
    title: 'if a 200 has the rate limit headers, so has every other response to GET or HEAD of an API path',
    change: 'Add the rate limit headers where responses are sent, so that errors, 304 and HEAD have them.',
    isOfHead: true,
    check: ({ status, method, headers, request, source: { path } }, { operation, response }) => {
      const isLimited = names.some((it) => headers.has(it.toLowerCase()));
      if (isLimited && status === 200) first ??= request;
      const isRead = (method === 'GET' || method === 'HEAD') && isPathOf(operation.path, path);
      if (response === undefined || !isRead) return null;
      return isLimited || first === undefined
        ? undefined
        : `${String(status)} without ${names.join(', ')}, which ${first} has`;
    },
  };
}

/** Whether a target has the path of an operation. */
function isPathOf(template: string, target: string): boolean {
  const [path = ''] = target.replace(/^\/+/, '/').split(/[?#]/);
  const [of, is] = [template.split('/'), path.split('/')];
  return of.length === is.length && of.every((it, at) => it === is[at] || (it.startsWith('{') && is[at] !== ''));
}

// Headers with one value, of which HTTP clients drop all lines but one: each client another. Those that they join break their schemas.
const SINGLE = ['content-type', 'content-length', 'etag', 'location', 'retry-after'];

function repeatedRule(): ResponseRule {
  return {
    id: 'header.repeated',
    title: 'a header that has one value is sent once',
    change: 'Set the header once: replace the value that a framework or proxy has set, instead of adding another.',
    isOfHead: true,
    check: ({ repeated }) => {
      const [found] = SINGLE.filter((it) => repeated.has(it));
      return found && `${found} on several lines: ${(repeated.get(found) ?? []).join(' and ')}`;
    },
  };
}

/** @returns the rule of tags: they distinguish the responses of an operation to a key. */
function identityRule(): ResponseRule {
  // The body of each tag, by operation and key; the tag of each body, by request.
  const bodies = new Map<string, string>();
  const tags = new Map<string, string>();
  return {
    id: 'header.etag_identity',
    title: 'different bodies have different ETags; equal bodies of the same request have the same ETag',
    change: 'Compute the ETag from everything in the body, and from nothing else.',
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
  const seen = new Map<string, string>();
  return {
    id: 'http.unique_request_id',
    title: 'a request without an X-Request-Id gets a unique one',
    change:
      'Make a new id for each response; let no cache serve responses (Cache-Control: private, no-cache, and Vary: Authorization).',
    isOfHead: true,
    check: ({ headers, source, request }) => {
      const id = headers.get('x-request-id');
      if (id === undefined || source.requestId !== undefined) return null;
      const other = seen.get(id);
      if (other !== undefined)
        return `X-Request-Id: ${id}, as in the response to ${other}: this may be its copy from a cache`;
      seen.set(id, request);
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
  return wrong && `${name}: ${value}, which ${wrongDirective(name, value) ?? wrong}`;
}

/** @returns what is wrong with a list of directives, in words: its pattern has a line of them. `undefined` for other headers. */
function wrongDirective(name: string, value: string): string | undefined {
  const names = value.split(',').map((it) => it.trim().toLowerCase());
  if (name === 'Vary') return names.includes('*') ? 'must not be *' : 'must name Authorization';
  if (name !== 'Cache-Control') return undefined;
  const [shared] = names.filter((it) => /^(?:public|s-maxage)\b/.test(it));
  if (shared !== undefined) return `must not have ${shared}, which lets other clients have the response`;
  return names.includes('no-cache') || names.includes('no-store')
    ? 'has a directive that is not known here; send private, no-cache'
    : 'lacks no-cache (or no-store): without it a cache reuses the response';
}

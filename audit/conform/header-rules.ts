/** Rules of the headers of every response. */
import type { Contract, HeaderObject } from '../../contract/document.ts';
import { LONG, joined, own, quote, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { opaque } from '../session/client.ts';
import { canonical } from './records.ts';
import { isPathOf, violationOf } from './response-rule.ts';
import type { ResponseRule } from './response-rule.ts';
import type { CheckedResponse } from './checked-session.ts';

type Header = readonly [name: string, declaration: HeaderObject];

const RETRY_AFTER = 'Retry-After';
const RATE_LIMIT = 'RateLimit-';
// Fewer ids in succession may have the time in milliseconds, and be sent one millisecond after the other.
const MAX_STEPS = 100;
// Headers with one value, of which HTTP clients drop all lines but one: each client another. Those that they join break their schemas.
const SINGLE = ['content-type', 'content-length', 'etag', 'location', 'retry-after'];

/** @returns a rule for each required header, one for the optional ones, and those of several headers or responses. */
export function headerRules({ operations, problemStatus }: Contract): readonly ResponseRule[] {
  const { rate_limit_exceeded, service_unavailable, validation_error } = problemStatus;
  const responses = operations.flatMap((operation) => [...operation.responses.values()]);
  const declared = [...new Map(responses.flatMap(({ headers }) => Object.entries(headers ?? {})))];
  const retryAfter = declared.filter(([name]) => name === RETRY_AFTER);
  const limits = declared.filter(([name, { required }]) => required !== true && name.startsWith(RATE_LIMIT));
  const others = declared.filter((header) => ![...limits, ...retryAfter].includes(header));
  const optional = others.filter(([, { required }]) => required !== true);
  const ofIds = declared.find(([name]) => name === 'X-Request-Id')?.[1].schema ?? {};
  const limitNames = limits.map(([name]) => name);
  // The first 200 with limits; the body of each tag, by operation and key; the tag of each body, by request; the request of each id.
  let limited: Text | undefined;
  const [bodies, tags, ids] = [new Map<string, string>(), new Map<string, string>(), new Map<string, Text>()];
  // The number in the last id, how many responses have come since, and how often it has been that of the next one.
  const counter = { last: [] as readonly bigint[], since: 0, steps: 0 };
  return [
    ...others
      .filter((header) => !optional.includes(header))
      .map(([name, header]): ResponseRule => ({
        id: `header.${name.toLowerCase().replaceAll('-', '_')}`,
        title: `${name} is sent wherever the contract requires it, and matches its schema`,
        change: `Send it once, with every status for which the contract requires it and with a value of its form, ${exampleOf([[name, header]])}.`,
        expected: exampleOf([[name, header]]),
        isOfHead: true,
        check: (response, { declaredResponse }) => {
          const header = declaredResponse?.headers?.[name];
          return header === undefined ? null : headerViolation([[name, header]], response);
        },
      })),
    {
      id: 'header.rate_limit',
      title: 'rate limit headers are sent all together or not at all; a 429 or 503 has Retry-After',
      change: 'Send all rate limit headers together, as whole numbers that agree; Retry-After with a 429 and a 503.',
      expected: exampleOf([...limits, ...retryAfter]),
      check: (response, { declaredResponse }) => {
        if (declaredResponse === undefined) return null;
        const present = limitNames.filter((name) => response.headers.has(name.toLowerCase()));
        const missing = limitNames.filter((name) => !present.includes(name));
        if (present.length > 0 && missing.length > 0)
          return say`${own(present.join(', '))} without ${own(missing.join(', '))}`;
        const after = retryAfter.filter(([name]) => declaredResponse.headers?.[name] !== undefined);
        return headerViolation([...limits, ...after], response) ?? limitsViolation(response);
      },
    },
    {
      id: 'header.rate_limit_coverage',
      title: 'every response to GET or HEAD of an API path has the rate limit headers, if a 200 has them',
      change: 'Add the rate limit headers where responses are sent, so that errors, 304 and HEAD have them.',
      isOfHead: true,
      check: ({ status, method, headers, request, source: { path } }, { operation, declaredResponse }) => {
        const isLimited = limitNames.some((name) => headers.has(name.toLowerCase()));
        if (isLimited && status === 200) limited ??= request;
        const [asked = ''] = path.replace(/^\/+/, '/').split(/[?#]/);
        if (declaredResponse === undefined || !['GET', 'HEAD'].includes(method) || !isPathOf(operation, asked))
          return null;
        if (isLimited || limited === undefined) return undefined;
        return say`${status} without ${own(limitNames.join(', '))}, which ${limited} has`;
      },
    },
    {
      id: 'header.repeated',
      title: 'a header that has one value is sent once',
      change: 'Set the header once: replace the value that a framework or proxy has set, instead of adding another.',
      isOfHead: true,
      check: ({ repeated }) => {
        const found = SINGLE.find((name) => repeated.has(name));
        if (found === undefined) return undefined;
        const values = (repeated.get(found) ?? []).map((value) => quote(value, LONG));
        return say`${own(found)} on several lines: ${joined(values, ' and ')}`;
      },
    },
    {
      id: 'header.etag_identity',
      title: 'different bodies have different ETags; equal bodies of the same request have the same ETag',
      change: 'Compute the ETag from the whole body, and only from the body.',
      check: ({ status, headers, text, body, source: { key, path } }, { operation }) => {
        if (status !== 200 || !headers.has('etag') || body === undefined) return null;
        const [tag, value] = [opaque(headers.get('etag')), canonical(body)];
        const ofTag = `${operation.id} ${key} ${tag}`;
        const ofBody = `${key} ${path} ${headers.get('content-encoding') ?? ''} ${text}`;
        const [known, knownTag] = [bodies.get(ofTag) ?? value, tags.get(ofBody) ?? tag];
        bodies.set(ofTag, value);
        tags.set(ofBody, tag);
        if (known !== value) return say`ETag: ${quote(tag)}, also sent with a different body`;
        return knownTag === tag
          ? undefined
          : say`ETag: ${quote(tag)}, but ${quote(knownTag)} was sent with the same body`;
      },
    },
    {
      id: 'http.kept_request_id',
      title: 'a valid X-Request-Id is returned unchanged with every status, if the response is not that of a proxy',
      change:
        'Set the X-Request-Id before a request is routed, so that errors, 304 and HEAD have it; let no cache serve responses.',
      isOfHead: true,
      check: ({ status, headers, text, body, mentions, source: { requestId } }) => {
        const id = headers.get('x-request-id');
        // Proxies reject what is malformed, too much or too early, and are not to know the id: only the server names a parameter.
        const isNamed = mentions.length > 0 && mentions.every((name) => text.includes(name));
        const isOfServer = status !== validation_error || isNamed;
        if ([rate_limit_exceeded, service_unavailable].includes(status) || !isOfServer) return null;
        if (status >= 400 && text !== '' && body === undefined) return null;
        if (id === undefined || requestId === undefined || violationOf(ofIds, requestId) !== undefined) return null;
        return id === requestId ? undefined : say`X-Request-Id: ${quote(id)}, although ${quote(requestId)} was sent`;
      },
    },
    {
      id: 'http.unique_request_id',
      title: 'a request without an X-Request-Id gets a unique one, which is not a counter',
      change:
        'Make a new id at random for each response; let no cache serve responses (Cache-Control: private, no-cache, and Vary: Authorization).',
      isOfHead: true,
      check: ({ headers, source, request }) => {
        const id = headers.get('x-request-id');
        counter.since += 1;
        if (id === undefined || source.requestId !== undefined) return null;
        const other = ids.get(id);
        ids.set(id, other ?? request);
        const numbers = numbersIn(id);
        // A server counts all requests, or those without an id.
        const next = [1n, BigInt(counter.since)];
        const isNext = numbers.some((number, at) => next.includes(number - (counter.last[at] ?? number)));
        counter.steps = isNext ? counter.steps + 1 : 0;
        [counter.last, counter.since] = [numbers, 0];
        if (counter.steps >= MAX_STEPS) return say`X-Request-Id: ${quote(id)}, one more than in the response before it`;
        return (
          other && say`X-Request-Id: ${quote(id)}, as in the response to ${other}: this may be its copy from a cache`
        );
      },
    },
    {
      id: 'header.optional',
      title: 'optional headers match their schemas when they are sent',
      change: 'Send the header as the contract has it, or not at all.',
      expected: exampleOf(optional),
      check: (response, { declaredResponse }) => declaredResponse && headerViolation(optional, response),
    },
  ];
}

/** @returns the numbers in an id, each read as decimal, if it is, and as hexadecimal. */
const numbersIn = (id: string): readonly bigint[] =>
  (id.match(/(?<![0-9a-f])[0-9a-f]+(?![0-9a-f])/gi) ?? []).flatMap((digits) => [
    BigInt(/^\d+$/.test(digits) ? digits : `0x${digits}`),
    BigInt(`0x${digits}`),
  ]);

/** @returns a value of each header: the contract's example, or the only value that it allows. */
const exampleOf = (headers: readonly Header[]): string =>
  `for example ${headers
    .flatMap(([name, { example, examples = {}, schema }]) => {
      const value = example ?? Object.values(examples)[0]?.value ?? schema.enum?.[0];
      return value === undefined ? [] : `${name}: ${String(value)}`;
    })
    .join('; ')}`;

/** @returns how the rate-limit headers of a response contradict one another. Without them, no number is greater than another. */
function limitsViolation({ headers }: CheckedResponse): Text | undefined {
  const number = (name: string): number => Number(headers.get(`ratelimit-${name}`));
  const value = (count: number): Text => quote(String(count));
  const [limit, remaining, reset] = [number('limit'), number('remaining'), number('reset')];
  const policy = headers.get('ratelimit-policy') ?? '';
  const [, quota, window] = /^(\d+);w=(\d+)$/.exec(policy) ?? [];
  if (remaining > limit) return say`RateLimit-Remaining ${value(remaining)} exceeds RateLimit-Limit ${value(limit)}`;
  if (quota !== undefined && Number(quota) !== limit)
    return say`RateLimit-Limit ${value(limit)} does not match RateLimit-Policy ${quote(policy)}`;
  if (reset > Number(window))
    return say`RateLimit-Reset ${value(reset)} exceeds the window of ${quote(String(window))} s`;
  return undefined;
}

/** @returns how a response breaks the declaration of the first header that it breaks. */
function headerViolation(all: readonly Header[], { headers, status }: CheckedResponse): Text | undefined {
  for (const [name, { schema, required }] of all) {
    const value = headers.get(name.toLowerCase());
    if (value === undefined && required === true) return say`no ${own(name)} with ${status}`;
    if (value === undefined) continue;
    const wrong = violationOf(schema, schema.type === 'integer' && /^\d+$/.test(value) ? Number(value) : value);
    if (wrong !== undefined)
      return say`${own(name)}: ${quote(value, LONG)}, which ${wrongDirective(name, value) ?? wrong}`;
  }
  return undefined;
}

/** @returns what is wrong with a list of directives, in words: its pattern has a line of them. `undefined` for other headers. */
function wrongDirective(name: string, value: string): Text | undefined {
  const names = value.split(',').map((part) => part.trim().toLowerCase());
  if (name === 'Vary') return names.includes('*') ? say`must not be *` : say`must name Authorization`;
  if (name !== 'Cache-Control') return undefined;
  const shared = names.find((directive) => /^(?:public|s-maxage)\b/.test(directive));
  if (shared !== undefined) return say`must not have ${quote(shared)}, which lets other clients have the response`;
  return names.includes('no-cache') || names.includes('no-store')
    ? say`has a directive that is not known here; send private, no-cache`
    : say`lacks no-cache (or no-store): without it a cache reuses the response`;
}

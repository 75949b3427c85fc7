/** What the contract says of responses: true to its own examples, complete, and the same for people and programs. */
import { describe, expect, test } from '@jest/globals';
import { loadContract } from '../../contract/document.ts';
import { compile } from '../../contract/schema.ts';
import {
  common,
  dereferenced,
  document,
  examplesOf,
  guide,
  isNode,
  operations,
  responses,
} from '../support/written-contract.ts';

test('every example is valid, and has no property that its schema does not document', () => {
  const examples = dereferenced.flatMap(([path, node]) => {
    const schema = isNode(node['schema']) ? node['schema'] : 'type' in node || 'oneOf' in node ? node : undefined;
    return schema === undefined ? [] : examplesOf(node).map((value) => ({ path, violations: compile(schema)(value) }));
  });
  expect(examples.length).toBeGreaterThan(100);
  expect(examples.filter((it) => it.violations.length > 0)).toEqual([]);
});

describe('every declared answer', () => {
  const EACH = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy'];
  /** What only some have. */
  const OWN: Readonly<Record<number, readonly string[]>> = {
    ...{ 200: ['ETag'], 304: ['ETag'], 401: ['WWW-Authenticate'], 429: ['Retry-After'], 503: ['Retry-After'] },
  };

  test.each(responses)('%s %s has its headers, and an example of its body', (_, status, { headers, content }) => {
    // Those that a program reads. The guide has the others: two testers cannot use what they need to check all of them.
    const required = Object.entries(headers).map(([name, it]) => [name, it.required]);
    const expected = [...EACH, ...(OWN[status] ?? [])].map((name) => [name, !name.startsWith('RateLimit-')]);
    expect(required).toEqual(expected);
    expect(content === undefined).toBe(status === 304);
    if (content !== undefined) expect(examplesOf(content['application/json'])).not.toEqual([]);
  });

  test.each(operations)('$operationId declares all that a GET may get', ({ responses }) => {
    expect(Object.keys(responses)).toEqual(['200', '304', '401', '404', '422', '429', '500', '503']);
  });
});

test('the guide says what no operation declares: headers with the value that is sent, and the answer to other methods', () => {
  const { headers, bodyHeaders, responses: others } = common;
  const [status, ...more] = Object.keys(others);
  expect([status, more]).toEqual(['405', []]);
  for (const [name, { example, schema }] of Object.entries({ ...headers, ...bodyHeaders, ...others[405]?.headers })) {
    const value = example ?? schema.enum?.[0];
    const isFixed = name !== 'X-Request-Id' && !name.startsWith('RateLimit-') && value !== undefined;
    expect(guide).toContain(isFixed ? `\`${name}: ${String(value)}\`` : `\`${name}\``);
  }
  const { pattern, maxLength } = document.components.headers['RequestId']?.schema ?? {};
  const [, length, symbols] = /: 1 to (\d+) ASCII letters, digits or characters of\s+`(.*)`\./.exec(guide) ?? [];
  expect([Number(length), `^[A-Za-z0-9${String(symbols)}]+$`]).toEqual([maxLength, pattern]);
});

describe('errors', () => {
  const { problemStatus } = loadContract();
  const others = Object.entries(common.responses).map(([status, it]) => ['x-common', Number(status), it] as const);

  test('each name belongs to one status', () => {
    expect(problemStatus).toEqual({
      ...{ validation_error: 422, missing_api_key: 401, invalid_api_key: 401, not_found: 404, method_not_allowed: 405 },
      ...{ rate_limit_exceeded: 429, application_error: 500, service_unavailable: 503 },
    });
  });

  test.each([...responses, ...others])(
    '%s %s says which names it has, and has an example of each',
    (_, status, response) => {
      const own = response['x-problem-names'];
      expect(own !== undefined).toBe(status >= 400);
      if (own === undefined) return;
      const examples = examplesOf(response.content?.['application/json']) as { name: string; statusCode: number }[];
      expect([...new Set(examples.map(({ name }) => name))].toSorted()).toEqual(own.toSorted());
      expect(new Set(examples.map(({ statusCode }) => statusCode))).toEqual(new Set([status]));
    },
  );

  test('a challenge is shown for each name of its answer', () => {
    for (const [, , { headers, 'x-problem-names': names }] of responses) {
      const challenge = headers['WWW-Authenticate'];
      if (challenge !== undefined) expect(Object.keys(challenge.examples ?? {})).toEqual(names);
    }
  });

  test('the table for people says the same', () => {
    const rows = [...guide.matchAll(/^\| `(\w+)` \| (\d+) \| \S.* \|$/gm)];
    expect(rows.map(([, name, status]) => [name, Number(status)]).toSorted()).toEqual(
      Object.entries(problemStatus).toSorted(),
    );
  });
});

test('limits are those of the guide, and what is said of each is what its schema has', () => {
  const limits = operations.flatMap(({ operationId, parameters }) =>
    parameters.filter(({ name }) => name === 'limit').map((it) => ({ operationId, ...it })),
  );
  const defaults = limits.map(({ operationId, schema }) => [operationId, schema.default]);
  expect(Object.fromEntries(defaults)).toMatchObject({
    ...{ listAutomations: 20, listContactProperties: 20, listContactImports: 10 },
  });
  expect(guide).toMatch(/: 1 to 100, .*The default is 20, or 10 for contact imports\./s);
  for (const { schema, description } of limits) {
    expect(schema).toMatchObject({ minimum: 1, maximum: 100 });
    expect(description).toMatch(new RegExp(`: 1 to 100, .* The default is ${String(schema.default)}[.,]`, 's'));
  }
});

/** Rules of requests: paths, methods, parameters, and input that is ignored. */
import { UNKNOWN_ID, assertThat, canonical } from './assertions.ts';
import type { Rule } from './rule.ts';
import type { Request } from './session.ts';
import type { Target } from './target.ts';

const OTHER_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];

export const REQUEST_RULES: readonly Rule[] = [
  {
    id: 'request.exact_path',
    title: 'a trailing slash or another case: 404 not_found',
    check: async (target) => {
      const lower = target.path();
      const upper = target.operation.path.replace(/^\/(.)/, (it) => it.toUpperCase());
      for (const path of [`${lower}/`, upper.replaceAll(/\{\w+\}/g, UNKNOWN_ID)]) {
        await target.assertProblem({ path }, 'not_found');
      }
    },
  },
  {
    id: 'request.unknown_path',
    title: 'an unknown path: 404 not_found',
    check: async (target) => {
      for (const path of [`/nonsense${target.path()}`, `${target.path()}/nonsense/nonsense`]) {
        await target.assertProblem({ path }, 'not_found');
      }
    },
  },
  {
    id: 'request.leading_slashes',
    title: 'several leading slashes count as one',
    check: async (target) => {
      await assertIgnored(target, (path) => ({ path: `/${path}` }));
    },
  },
  {
    id: 'request.ignored_input',
    title: 'a body, Content-Type and Accept are ignored',
    check: async (target) => {
      await assertIgnored(target, (path) => ({ path, headers: { 'content-type': 'application/json' } }));
      await assertIgnored(target, (path) => ({ path, headers: { accept: 'text/html' } }));
      await assertIgnored(target, (path) => ({ path, headers: { 'content-type': 'text/plain' }, body: '{' }));
    },
  },
  {
    id: 'request.unknown_parameter',
    title: 'an unknown parameter is rejected, also beside a known one',
    check: async (target) => {
      const known = queryOf(target).map(([name, value]) => `${name}=${value}&`);
      for (const before of ['', ...known]) {
        const path = `${target.path()}?${before}nonsense=1`;
        await target.assertProblem({ path, mentions: ['nonsense'] }, 'validation_error');
      }
    },
  },
  {
    id: 'request.method_not_allowed',
    title: 'other methods: 405, whether or not there is a key (none is sent)',
    check: async (target) => {
      for (const method of OTHER_METHODS) {
        await target.assertProblem({ method, path: target.path(), authorization: null }, 'method_not_allowed');
      }
    },
  },
];

/** Rules of operations with parameters in the query. */
export const PARAMETER_RULES: readonly Rule[] = [
  {
    id: 'request.repeated_parameter',
    title: 'a repeated parameter is rejected',
    check: async (target) => {
      for (const [name, value] of queryOf(target)) {
        const path = `${target.path()}?${name}=${value}&${name}=${value}`;
        await target.assertProblem({ path, mentions: [name] }, 'validation_error');
      }
    },
  },
  {
    id: 'request.parameter_case',
    title: 'the names of parameters are exact: in another case they are unknown',
    dependsOn: ['request.unknown_parameter'],
    check: async (target) => {
      for (const [name, value] of queryOf(target)) {
        const path = `${target.path()}?${name.toUpperCase()}=${value}`;
        await target.assertProblem({ path, mentions: [name] }, 'validation_error');
      }
    },
  },
];

/** @returns the query parameters, each with a value that is valid alone: after and before exclude each other. */
function queryOf({ operation }: Target): (readonly [name: string, value: string])[] {
  return operation.parameters
    .filter((it) => it.in === 'query')
    .map(({ name, schema }) => [
      name,
      schema.enum?.[0] ?? (schema.type === 'integer' ? String(schema.minimum) : UNKNOWN_ID),
    ]);
}

/** @throws Failure unless a varied request has the same response body as the original. */
async function assertIgnored(target: Target, vary: (path: string) => Omit<Request, 'authorization'>): Promise<void> {
  const path = await target.existingPath();
  const [plain, varied] = [await target.request({ path }), await target.request(vary(path))];
  const isSame = canonical(varied.body ?? null) === canonical(plain.body ?? null);
  assertThat(varied, isSame, `the response of ${plain.request}`);
}

/** Rules of requests: paths, methods, parameters, and input that is ignored. */
import { UNKNOWN_ID, assertThat, canonical } from './assertions.ts';
import type { Rule } from './rule.ts';
import type { Request } from './session.ts';
import type { Subject } from './target.ts';

const OTHER_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];

export const REQUEST_RULES: readonly Rule[] = [
  {
    id: 'path.exact',
    title: 'a trailing slash or another case: 404 not_found',
    check: async (subject) => {
      const path = subject.path();
      const upper = subject.operation.path.replace(/^\/(.)/, (it) => it.toUpperCase());
      for (const target of [`${path}/`, upper.replaceAll(/\{\w+\}/g, UNKNOWN_ID)]) {
        await subject.assertProblem({ target }, 'not_found');
      }
    },
  },
  {
    id: 'path.unknown',
    title: 'an unknown path: 404 not_found',
    check: async (subject) => {
      for (const target of [`/nonsense${subject.path()}`, `${subject.path()}/nonsense/nonsense`]) {
        await subject.assertProblem({ target }, 'not_found');
      }
    },
  },
  {
    id: 'path.slashes',
    title: 'several leading slashes count as one',
    check: async (subject) => {
      await assertIgnored(subject, (target) => ({ target: `/${target}` }));
    },
  },
  {
    id: 'request.ignored',
    title: 'a body, Content-Type and Accept are ignored',
    check: async (subject) => {
      await assertIgnored(subject, (target) => ({ target, headers: { 'content-type': 'application/json' } }));
      await assertIgnored(subject, (target) => ({ target, headers: { accept: 'text/html' } }));
      await assertIgnored(subject, (target) => ({ target, headers: { 'content-type': 'text/plain' }, body: '{' }));
    },
  },
  {
    id: 'parameter.unknown',
    title: 'an unknown parameter is refused, also beside a known one',
    check: async (subject) => {
      const known = queryOf(subject).map(([name, value]) => `${name}=${value}&`);
      for (const before of ['', ...known]) {
        const target = `${subject.path()}?${before}nonsense=1`;
        await subject.assertProblem({ target, mentions: ['nonsense'] }, 'validation_error');
      }
    },
  },
  {
    id: 'method.other',
    title: 'other methods: 405, whether or not there is a key (none is sent)',
    check: async (subject) => {
      for (const method of OTHER_METHODS) {
        await subject.assertProblem({ method, target: subject.path(), authorization: null }, 'method_not_allowed');
      }
    },
  },
];

/** Rules of operations with parameters in the query. */
export const PARAMETER_RULES: readonly Rule[] = [
  {
    id: 'parameter.repeated',
    title: 'a repeated parameter is refused',
    check: async (subject) => {
      for (const [name, value] of queryOf(subject)) {
        const target = `${subject.path()}?${name}=${value}&${name}=${value}`;
        await subject.assertProblem({ target, mentions: [name] }, 'validation_error');
      }
    },
  },
  {
    id: 'parameter.case',
    title: 'the names of parameters are exact: in another case they are unknown',
    buildsOn: ['parameter.unknown'],
    check: async (subject) => {
      for (const [name, value] of queryOf(subject)) {
        const target = `${subject.path()}?${name.toUpperCase()}=${value}`;
        await subject.assertProblem({ target, mentions: [name] }, 'validation_error');
      }
    },
  },
];

/** @returns the parameters of a query, each with a value that it may have; but two cursors do not go together. */
function queryOf({ operation }: Subject): (readonly [name: string, value: string])[] {
  return operation.parameters
    .filter((it) => it.in === 'query')
    .map(({ name, schema }) => [
      name,
      schema.enum?.[0] ?? (schema.type === 'integer' ? String(schema.minimum) : UNKNOWN_ID),
    ]);
}

/** @throws Failure unless a variation of a request has the answer of the request itself. */
async function assertIgnored(
  subject: Subject,
  vary: (target: string) => Omit<Request, 'authorization'>,
): Promise<void> {
  const target = await subject.existingTarget();
  const [plain, varied] = [await subject.request({ target }), await subject.request(vary(target))];
  const isSame = canonical(varied.body ?? null) === canonical(plain.body ?? null);
  assertThat(varied, isSame, `the answer of ${plain.request}`);
}

/** Rules of keys: which are let in, which are not, and when they are looked at. */
import type { Rule } from './rule.ts';
import type { Subject } from './subject.ts';

const WRONG_KEY = 'rollcall_0000000000000000000000000000000000000000';

export const KEY_RULES: readonly Rule[] = [
  {
    id: 'key.missing',
    title: 'without a bearer key: 401 missing_api_key; a key without its scheme is none',
    check: async (subject) => {
      for (const authorization of [null, 'Bearer', 'Basic bearer', 'Basic dXNlcjpwYXNz', subject.key]) {
        await subject.assertProblem({ target: subject.path(), authorization }, 'missing_api_key');
      }
    },
  },
  {
    id: 'key.query',
    title: 'a key in the query lets nobody in',
    buildsOn: ['key.missing'],
    check: async (subject) => {
      const key = encodeURIComponent(subject.key);
      for (const name of ['key', 'api_key', 'apikey', 'token', 'access_token']) {
        const target = `${subject.path()}?${name}=${key}`;
        await subject.assertProblem({ target, authorization: null }, 'missing_api_key');
      }
    },
  },
  {
    id: 'key.scheme',
    title: 'the scheme is Bearer in any case',
    check: async (subject) => {
      const target = await subject.existingTarget();
      for (const scheme of ['bearer', 'BEARER']) {
        await subject.request({ target, authorization: `${scheme} ${subject.key}` });
      }
    },
  },
  {
    id: 'key.invalid',
    title: 'with a wrong key: 401 invalid_api_key',
    check: async (subject) => {
      for (const key of wrongKeys(subject)) {
        await subject.assertProblem({ target: subject.path(), authorization: `Bearer ${key}` }, 'invalid_api_key');
      }
    },
  },
  {
    id: 'key.first',
    title: 'the path is checked before the method, the method before the key, the key before the parameters',
    buildsOn: ['key.missing', 'method.other', 'path.unknown'],
    check: async (subject) => {
      const target = `${subject.path()}?nonsense=1`;
      await subject.assertProblem({ target, authorization: null }, 'missing_api_key');
      await subject.assertProblem({ method: 'POST', target, authorization: null }, 'method_not_allowed');
      const nowhere = `/nonsense${subject.path()}`;
      await subject.assertProblem({ target: nowhere, authorization: null }, 'not_found');
      await subject.assertProblem({ method: 'POST', target: nowhere, authorization: null }, 'not_found');
    },
  },
];

/** One that nobody has, and what is almost the right one. */
function wrongKeys({ key }: Subject): readonly string[] {
  const last = key.endsWith('0') ? '1' : '0';
  return [WRONG_KEY, key.slice(0, -1) || 'x', `${key}0`, `${key.slice(0, -1)}${last}`];
}

/**
 * Request targets: those that the contract allows, and others. Each request chooses what stands at `{0}` and `{1}`, which are
 * ids, and at a choice such as `{a|b}`; so that a scenario has few targets, and many requests that are nearly the same.
 */
import fc from 'fast-check';
import { COLLECTIONS, filterOf, operationsOf } from '../../contract/collections.ts';
import { contract } from '../support/app.ts';
import { filterValues } from './store.ts';

/** Mostly the common value; now and then one of the others. */
export function mostly<T>(common: fc.Arbitrary<T>, ...others: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof({ weight: 14, arbitrary: common }, { weight: 1, arbitrary: fc.constantFrom(...others) });
}

const LISTS = COLLECTIONS.map((it) => ({
  path: contract.operation(operationsOf(it).list).route,
  filters: filterOf(it) === undefined ? [] : [`${String(filterOf(it))}={${filterValues(it).join('|')}}`],
}));
const ITEMS = COLLECTIONS.flatMap((it) => {
  const { get } = operationsOf(it);
  return get === undefined ? [] : [contract.operation(get).route.replace(/:\w+/, '{0}')];
});
const LIMITS = ['limit={1|2|3|100}', 'limit=2'];
const CURSORS = ['{after|before}={0}', 'after={0}'];
const FILTERS = LISTS.flatMap((it) => it.filters);

const item = fc.constantFrom(...ITEMS);
const listFrom = (...cursors: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom(...LISTS).chain(({ path, filters }) =>
    fc
      .tuple(fc.constantFrom('', '', ...LIMITS), fc.constantFrom(...cursors), fc.constantFrom('', '', ...filters))
      .map((parameters) =>
        withQuery(
          path,
          parameters.filter((it) => it !== ''),
        ),
      ),
  );
const list = listFrom('', '', ...CURSORS);

function withQuery(path: string, parameters: readonly unknown[]): string {
  return parameters.length === 0 ? path : `${path}?${parameters.join('&')}`;
}

const odd = (name: string): string[] =>
  ['', '0', '02', '1e1', '+1', '%202', '%31', '101', '9'.repeat(309), 'ENABLED', '%00', '%zz', '\xe9'].map(
    (value) => `${name}=${value}`,
  );
const parameter = fc.oneof(
  mostly(fc.constantFrom(...LIMITS), 'limit', ...odd('limit')),
  mostly(fc.constantFrom(...CURSORS), ...odd('after'), ...odd('before')),
  mostly(fc.constantFrom(...FILTERS), ...odd('status')),
  fc.constantFrom('', '=', 'page=2', 'Limit=2', '__proto__=1', 'a%00=1', 'limit%5B%5D=1', 'l%69mit=2', 'x'.repeat(40)),
);
const path = mostly(
  fc.constantFrom(...LISTS.map((it) => it.path), ...ITEMS),
  ...['/', '/nope', '/openapi.yaml', '/automations/', '/Automations', '/%61utomations', '/contacts/imports/%zz', '*'],
);
const prefix = mostly(fc.constant(''), ...['/', '///', 'http://x', 'http://a[b', 'http://', '1', '\0']);
const fragment = mostly(fc.constant(''), ...['#', '#x', '#?limit=0', '?', '&', '&&', '%', ' ']);
const anything = fc
  .tuple(prefix, path, fc.array(parameter, { maxLength: 3 }), fragment)
  .map(([prefix, path, parameters, fragment]) => `${prefix}${withQuery(path, parameters)}${fragment}`);

// With an id that means nothing beside the one that counts.
const decoy = fc
  .tuple(fc.oneof(item, listFrom(...CURSORS)), fc.constantFrom(['http://{1}', ''], ['', '#{1}']))
  .map(([target, [before, after]]) => `${before}${target}${after}`);

export const target = fc.oneof(
  { weight: 4, arbitrary: list },
  { weight: 2, arbitrary: item },
  { weight: 2, arbitrary: decoy },
  { weight: 3, arbitrary: anything },
);

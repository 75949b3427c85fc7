/** Faults that only the second account meets, and leaks between the accounts. */
import { setImmediate } from 'node:timers/promises';
import { AUTOMATIONS, IMPORTS, PROPERTIES, inList, inPage } from './mutant.ts';
import { mutantsOf, on, only, where, withoutCursor, becomes, reads, isSecond } from './mutant.ts';
import { defaults, drops, isParameter, isUnknown, limits } from './pages.ts';
import type { Change } from './proxy.ts';

/** Changes what the second account gets, in all lists or in one. */
const second = (change: Change, path?: string): Change =>
  where(isSecond, path === undefined ? change : only(path, change));
// Client and proxy are in one thread: after so many turns of its loop, a request that was sent at the same time is there.
const TURNS = 50;
/** Keeps the key of a request for a moment where the next one overwrites it. */
function racing(): Change {
  let last: string | undefined;
  return {
    request: async (request) => {
      last = request.headers['authorization'];
      for (let turn = 0; turn < TURNS; turn += 1) await setImmediate();
      if (last !== undefined) request.headers['authorization'] = last;
      return undefined;
    },
  };
}

export const ACCOUNT_FAULTS = mutantsOf({
  'list.invalid_limit': {
    'the second account: the limit has no bound': second(reads('limit', (it) => (Number(it) > 100 ? '100' : it))),
  },
  'request.unknown_parameter': {
    'the second account: unknown parameters are ignored': second(drops((it) => !isParameter(it))),
  },
  'response.status': {
    'the second account: validation errors are 400': second(on(422, (reply) => (reply.status = 400))),
  },
  'isolation.list': {
    'two requests at the same time are of the account of the later one': racing(),
  },
  'isolation.cursor': {
    'the second account: an unknown cursor is the first page': second(becomes(withoutCursor, isUnknown, () => 1)),
    'the cursor of the other account is the start of its list': second(
      becomes(withoutCursor, (reply, { path, query }, { items }) => {
        return reply.status === 404 && items(path).some(({ id }) => id === query.get('before'));
      }),
    ),
  },
  'list.sampled': {
    'the second account: after is ignored': second(
      becomes(
        withoutCursor,
        ({ status }, { query }) => query.has('after') && status === 200,
        () => 1,
      ),
      PROPERTIES,
    ),
    'the second account: before has the newest automations': second(
      inPage((page, { isBackward, newer, limit }) => {
        if (isBackward) page.data = newer.slice(0, limit);
      }),
      AUTOMATIONS,
    ),
    'the second account: there is always more': second(inList((page) => (page.has_more = true))),
    'the second account: automations have no second page': second(
      inList((page) => (page.has_more = false)),
      AUTOMATIONS,
    ),
    'the second account: the default limit of imports is 20': second(
      defaults('20', () => true),
      IMPORTS,
    ),
    'the second account: the limit is not read': second(
      limits(/^([1-9]\d?|100)$/, () => 20),
      AUTOMATIONS,
    ),
    'the second account: with a cursor the filter is ignored': second(
      inPage((page, { status, items, cursor, limit, isBackward }) => {
        if (status !== null && cursor >= 0 && !isBackward) page.data = items.slice(cursor + 1, cursor + 1 + limit);
      }),
      IMPORTS,
    ),
  },
});

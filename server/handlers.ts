/** The handlers of the contract's operations. */
import { filterOf, singular } from '../contract/collections.ts';
import type { Collection, FilterValue, List, ListParameters, Resources } from '../contract/collections.ts';
import { ProblemError } from '../contract/problems.ts';
import { json } from '../contract/types.ts';
import type { Account, Handlers, Json } from '../contract/types.ts';
import { whenReady } from './store/store.ts';
import type { Cursor, MaybePromise, RecordPage, Records } from './store/store.ts';

/** @returns the handlers of all operations, which read from `store`. What does not match the contract does not compile. */
export const createHandlers = (store: Records): Handlers => ({
  listAutomations: ({ account, query }, send) =>
    whenReady(listPage(store, account, 'automations', query), (body) => send(200, body)),
  listContactProperties: ({ account, query }, send) =>
    whenReady(listPage(store, account, 'contactProperties', query), (body) => send(200, body)),
  listContactImports: ({ account, query }, send) =>
    whenReady(listPage(store, account, 'contactImports', query), (body) => send(200, body)),
  getContactImport: ({ account, path }, send) =>
    whenReady(getRecord(store, account, 'contactImports', path.id), (body) => send(200, body)),
});

/**
 * Reads a page from the store.
 * @param query the query of a list operation, with at most one of the two cursors.
 * @throws ProblemError `not_found` if the account has no record with the id of the cursor.
 */
export function listPage<C extends Collection>(
  store: Records,
  account: Account,
  collection: C,
  query: ListParameters<C>,
): MaybePromise<Json<List<Resources[C]>>> {
  const cursor = cursorOf(query);
  const name = filterOf(collection);
  // A collection has one filter at most, so this is the type of its value.
  const filter = name === undefined ? undefined : (query[name] as FilterValue<C> | undefined);
  return whenReady(store.list(account, collection, { limit: query.limit, cursor, filter }), (page) => {
    if (page !== undefined) return envelope(page);
    throw new ProblemError(
      'not_found',
      `There is no item with the id in \`${String(cursor?.direction)}\`. ` +
        'If the item was removed, continue from the adjacent item on the page that you already have.',
      { parameter: cursor?.direction },
    );
  });
}

function cursorOf({ after, before }: ListParameters<Collection>): Cursor | undefined {
  if (after !== undefined) return { direction: 'after', id: after.toLowerCase() };
  if (before !== undefined) return { direction: 'before', id: before.toLowerCase() };
  return undefined;
}

// The envelope is serialized once for each value of `has_more`. A page consists of stored texts, joined.
const TAIL = ']}';
const head = (has_more: boolean): string =>
  json<List<never>>({ object: 'list', has_more, data: [] }).slice(0, -TAIL.length);
const HEAD_OF_MORE = head(true);
const HEAD_OF_LAST = head(false);

function envelope<C extends Collection>({ items, hasMore }: RecordPage<C>): Json<List<Resources[C]>> {
  const texts: string[] = items.slice();
  // Head and tail are added before the texts are joined: V8 would copy the long text once more if they were added afterwards.
  texts[0] = `${hasMore ? HEAD_OF_MORE : HEAD_OF_LAST}${texts[0] ?? ''}`;
  texts.push(`${texts.pop() ?? ''}${TAIL}`);
  const text = texts.join(',');
  return text as Json<List<Resources[C]>>; // Joined texts of validated records, in the envelope that `head` type-checks.
}

/**
 * Reads a record from the store.
 * @param id in upper or lower case.
 * @throws ProblemError `not_found` if the account has no record with this id.
 */
function getRecord<C extends Collection>(
  store: Records,
  account: Account,
  collection: C,
  id: string,
): MaybePromise<Json<Resources[C]>> {
  return whenReady(store.get(account, collection, id.toLowerCase()), (record) => {
    if (record === undefined)
      throw new ProblemError('not_found', `There is no ${singular(collection)} with this \`id\`.`, { parameter: 'id' });
    return record;
  });
}

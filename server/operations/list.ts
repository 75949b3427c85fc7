/** A page of a collection as the list envelope of the contract. */
import { json } from '../contract.ts';
import type { Json, Schemas } from '../contract.ts';
import { ProblemError } from '../problems.ts';
import type { Account, Collection, ListQuery, Page, StatusOf, Store } from '../store/store.ts';

/** The list schema of each collection. */
interface Lists {
  readonly automations: Schemas['AutomationList'];
  readonly contactProperties: Schemas['ContactPropertyList'];
  readonly contactImports: Schemas['ContactImportList'];
}

/** The query of a list operation, defaults filled in. */
interface ListParameters<C extends Collection> {
  readonly limit: number;
  readonly after?: string;
  readonly before?: string;
  readonly status?: StatusOf<C>;
}

/**
 * Reads a page from the store.
 * @throws ProblemError `validation_error` for both cursors at once, `not_found` for a cursor the account does not have.
 */
export async function listPage<C extends Collection>(
  store: Store,
  account: Account,
  collection: C,
  parameters: ListParameters<C>,
): Promise<Json<Lists[C]>> {
  const cursor = cursorOf(parameters);
  const page = await store.list(account, collection, { limit: parameters.limit, cursor, status: parameters.status });
  if (page === undefined) {
    const name = parameters.after === undefined ? 'before' : 'after';
    throw new ProblemError('not_found', `There is no item with the id given as \`${name}\`.`);
  }
  return envelope(page);
}

function cursorOf({ after, before }: ListParameters<Collection>): ListQuery<Collection>['cursor'] {
  if (after !== undefined && before !== undefined) {
    throw new ProblemError('validation_error', '`after` and `before` cannot be combined: send one of them.');
  }
  if (after !== undefined) return { direction: 'after', id: after.toLowerCase() };
  if (before !== undefined) return { direction: 'before', id: before.toLowerCase() };
  return undefined;
}

// The envelope is written once for each value of has_more; a page is its stored texts, joined.
const head = (hasMore: boolean): string =>
  json({ object: 'list', has_more: hasMore, data: [] } satisfies Schemas['AutomationList']).slice(0, -']}'.length);
const HEAD_OF_MORE = head(true);
const HEAD_OF_LAST = head(false);

function envelope<C extends Collection>({ items, hasMore }: Page<C>): Json<Lists[C]> {
  const text = `${hasMore ? HEAD_OF_MORE : HEAD_OF_LAST}${items.join(',')}]}`;
  return text as Json<Lists[C]>; // Joined texts of checked records, in the envelope that `head` type-checks.
}

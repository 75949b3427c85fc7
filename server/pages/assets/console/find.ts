/** Records by their ids alone: in which collection a record is, and its position in a list whose records cannot be retrieved by id. */
import { Failure, Latest } from './api.ts';
import type { Item, Send } from './api.ts';
import { isId, malformed, WORDS } from './contract.ts';
import type { Collection } from './contract.ts';
import { listTarget, recordTarget } from './links.ts';

/**
 * Finds a record by its id in a list whose records cannot be retrieved by id: it reads a neighbour of the record, and then the page
 * next to that neighbour.
 * @param limit the smallest limit of a page.
 * @param list rejects if there is no record at the cursor.
 * @returns the record, and the query of a page with this record alone; undefined if the list changed between the requests.
 */
export async function find(
  id: string,
  limit: number,
  list: (query: URLSearchParams) => Promise<readonly Item[]>,
): Promise<{ readonly item: Item; readonly query: URLSearchParams } | undefined> {
  const { after, before } = WORDS;
  const page = (cursor: Readonly<Record<string, string>>): URLSearchParams =>
    new URLSearchParams({ [WORDS.limit]: String(limit), ...cursor });
  const [older] = await list(page({ [after]: id }));
  const [newer] = older === undefined ? await list(page({ [before]: id })) : [];
  const query =
    older === undefined ? page(newer === undefined ? {} : { [after]: newer.id }) : page({ [before]: older.id });
  const item = (await list(query)).find((listed) => listed.id === id.toLowerCase());
  return item === undefined ? undefined : { item, query };
}

/** @returns the target of a request that fails with 404 if the collection does not have the record. */
function probeOf(collection: Collection, id: string): string {
  if (collection.retrieval !== undefined) return recordTarget(collection, id);
  const query = { [WORDS.limit]: String(collection.limit.minimum), [WORDS.after]: id };
  return listTarget(collection, new URLSearchParams(query));
}

/**
 * @param get rejects with the failure of a request.
 * @returns the collection that has the record; undefined if none has it.
 * @throws {Failure} if a request fails, and no other collection has the record.
 */
async function locate(
  id: string,
  collections: readonly Collection[],
  get: (target: string) => Promise<unknown>,
): Promise<Collection | undefined> {
  const probe = async (collection: Collection): Promise<Collection> => {
    await get(probeOf(collection, id));
    return collection;
  };
  try {
    return await Promise.any(collections.filter((collection) => isId(collection, id)).map(probe));
  } catch (error) {
    // The type of `errors` is any.
    const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
    if (errors.every((error) => error instanceof Failure && error.status === 404)) return undefined;
    throw errors.find((error) => error instanceof Failure && error.status !== 404) ?? error;
  }
}

interface Surroundings {
  readonly collections: readonly Collection[];
  readonly send: Send;
  readonly changed: () => void;
  readonly found: (collection: Collection, id: string) => void;
  readonly unauthorized: (failure: Failure) => void;
}

/** The state of the field that finds records by their ids. */
export class Finder {
  isSearching = false;
  /** Why there is no result. */
  problem: Failure | string | undefined;
  readonly #searches = new Latest();
  readonly #on: Surroundings;

  constructor(surroundings: Surroundings) {
    this.#on = surroundings;
  }

  /** @param pasted an id, possibly with the quotes and commas of the JSON that it was copied from. */
  find(pasted: string): void {
    const { collections, send, found, unauthorized } = this.#on;
    const id = idIn(pasted);
    this.clear();
    if (id === '') return;
    if (!this.isComplete(pasted)) {
      this.problem = collections[0] === undefined ? 'This is not an id.' : malformed(collections[0]);
      this.#on.changed();
      return;
    }
    this.isSearching = true;
    this.#on.changed();
    const search = async (signal: AbortSignal): Promise<void> => {
      const collection = await locate(id, collections, (target) => send(target, { signal }));
      signal.throwIfAborted();
      this.isSearching = false;
      if (collection === undefined) this.problem = 'Not found in this account.';
      else found(collection, id);
      this.#on.changed();
    };
    void this.#searches.run(search, (error) => {
      this.isSearching = false;
      const failure = error instanceof Failure ? error : new Failure('Console error', String(error));
      if (failure.isUnauthorized) unauthorized(failure);
      else this.problem = failure;
      this.#on.changed();
    });
  }

  /** @returns whether the text is an id that the API can have. */
  isComplete(pasted: string): boolean {
    return this.#on.collections.some((collection) => isId(collection, idIn(pasted)));
  }

  clear(): void {
    this.#searches.stop();
    this.isSearching = false;
    this.problem = undefined;
    this.#on.changed();
  }
}

const idIn = (pasted: string): string => pasted.replace(/^[\s"'`]+|[\s"'`,;]+$/g, '');

/** Valid records: builders that start from the contract's examples, and the steps of a contact import. */
import { createHash } from 'node:crypto';
import { COLLECTIONS, recordSchemaOf } from '../contract/collections.ts';
import type { Collection, Resources } from '../contract/collections.ts';
import { loadContract } from '../contract/document.ts';
import type { Contract } from '../contract/document.ts';
import { fromMicroseconds, toMicroseconds } from '../contract/timestamp.ts';
import type { Schemas } from '../contract/types.ts';
import { Conflict, WrongType, assertInteger, assertKnown } from './assert.ts';

type Build<C extends Collection> = (overrides?: Partial<Resources[C]>) => Resources[C];

export interface BuilderOptions {
  /** Seed of the ids. Builders with the same seed build the same records in the same order. */
  readonly seed?: string | undefined;
}

export interface Builders {
  /** @returns an enabled automation, with the overrides. */
  readonly automation: Build<'automations'>;
  /** @returns a property of type string with a fallback, with the overrides. A property of another type has no fallback. */
  readonly contactProperty: Build<'contactProperties'>;
  /**
   * @returns a completed import with consistent counts, with the overrides. An import that has not ended has no
   *   `completed_at`. A queued import has processed nothing, and one that is in progress or has failed has processed half.
   */
  readonly contactImport: Build<'contactImports'>;
  /** A builder for each collection: `build.automations({ status: 'disabled' })`. */
  readonly build: { readonly [C in Collection]: Build<C> };
}

/** Derives the other properties that an override changes, such as the counts of a queued import. */
type Derive<C extends Collection> = (overrides: Partial<Resources[C]>, example: Resources[C]) => Partial<Resources[C]>;

const STEP_US = 1_000_000n; // Records stay apart even after rounding to seconds.
const BUILDER_OPTIONS: readonly string[] = ['seed'] satisfies (keyof BuilderOptions)[];

const DERIVE: { readonly [C in Collection]?: Derive<C> } = {
  contactProperties: ({ type, fallback_value: fallback }) => {
    if (type !== undefined) return fallback === undefined ? { fallback_value: null } : {};
    return typeof fallback === 'number' ? { type: 'number' } : {};
  },
  contactImports: ({ status = 'completed' }, { counts: { total } }) =>
    status === 'completed'
      ? {}
      : {
          ...(status === 'failed' ? {} : { completed_at: null }),
          counts: unfinishedCounts(status, total),
        },
};

interface AnyRecord {
  readonly created_at: string;
}
type AnyDerive = (overrides: object, example: object) => object;

// Loaded by the first builder of a process, so that importing the kit stays fast.
let contract: ReturnType<typeof loadContract> | undefined;
const exampleOf = (collection: Collection): AnyRecord =>
  structuredClone(recordSchemaOf((contract ??= loadContract()), collection).example) as AnyRecord; // A test validates each example against its schema.

/**
 * @returns builders with a counter. Each record is one second older than the previous record of its collection, so lists
 *   have the records in the order in which they were built. Ids are unique.
 * @throws TypeError for an unknown option.
 */
export function createBuilders(options: BuilderOptions = {}): Builders {
  assertKnown('builder option', Object.keys(options), BUILDER_OPTIONS);
  const { seed = '' } = options;
  const build = Object.fromEntries(
    COLLECTIONS.map((collection) => [collection, builderOf(collection, seed)]),
  ) as unknown as Builders['build']; // There is one for each collection.
  return {
    automation: build.automations,
    contactProperty: build.contactProperties,
    contactImport: build.contactImports,
    build,
  };
}

function builderOf(collection: Collection, seed: string): (overrides?: Partial<AnyRecord>) => AnyRecord {
  const derive = DERIVE[collection] as AnyDerive | undefined; // Only called with records of this collection.
  let count = 0n;
  return (overrides = {}) => {
    const example = exampleOf(collection);
    const dates = shifted(example, overrides.created_at, count * STEP_US);
    const id = idOf(`${seed} ${collection} ${String(count)}`);
    count += 1n;
    return { ...example, ...dates, id, ...derive?.(overrides, example), ...overrides };
  };
}

/** @returns the timestamps of an example, shifted to be `olderUs` older, or so that `created_at` becomes `createdAt`. */
function shifted(example: AnyRecord, createdAt: string | undefined, olderUs: bigint): object {
  const us = toMicroseconds(example.created_at) ?? 0n;
  const byUs = createdAt === undefined ? -olderUs : (toMicroseconds(createdAt) ?? us) - us;
  const instants = Object.entries(example).flatMap(([name, value]: [string, unknown]) => {
    const instant = typeof value === 'string' ? toMicroseconds(value) : undefined;
    return instant === undefined ? [] : [[name, fromMicroseconds(instant + byUs)] as const];
  });
  return Object.fromEntries(instants);
}

/** @returns a UUID that is derived from a text: version 8, which RFC 9562 reserves for custom formats. */
function idOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-');
}

/** The builders without a seed. */
export const { automation, contactProperty, contactImport, build } = createBuilders();

type ContactImport = Schemas['ContactImport'];
type Counts = ContactImport['counts'];

/** Options of `moveImport`. */
export interface Move {
  /** The final status of the import. Default: `completed`. */
  readonly end?: 'completed' | 'failed' | undefined;
  /** The number of its records. Default: 1000. */
  readonly total?: number | undefined;
  /** Whether to move to the end instead of one step. Default: false. */
  readonly toEnd?: boolean | undefined;
}

const DEFAULT_TOTAL = 1000;
const MOVE_OPTIONS: readonly string[] = ['end', 'total', 'toEnd'] satisfies (keyof Move)[];
const ENDS: readonly string[] = ['completed', 'failed'] satisfies Move['end'][];

/** @throws TypeError or RangeError if the options are invalid. */
export function assertMove({ schemas }: Contract, move: object): asserts move is Move {
  assertKnown('option of `moveImport`', Object.keys(move), MOVE_OPTIONS);
  const { end, total, toEnd = false } = move as Partial<Record<keyof Move, unknown>>; // Each is checked here.
  if (end !== undefined) assertKnown('value of `end`', [end], ENDS);
  if (typeof toEnd !== 'boolean') throw new WrongType('`toEnd` must be true or false.');
  const { minimum = 0, maximum = 0 } = schemas.ContactImportCounts.properties?.['total'] ?? {};
  if (total !== undefined) assertInteger('total', total, minimum, maximum);
}

/**
 * @returns the import after the next step, or at its end: `queued`, `in_progress` with half of its records processed, then
 *   `completed` with all of them, or `failed`.
 * @throws RangeError if it has ended.
 */
export function moveImport(record: ContactImport, move: Move): ContactImport {
  const { end = 'completed', total = DEFAULT_TOTAL, toEnd = false } = move;
  switch (record.status) {
    case 'queued': {
      const begun: ContactImport = { ...record, status: 'in_progress', counts: unfinishedCounts('in_progress', total) };
      return toEnd ? moveImport(begun, move) : begun;
    }
    case 'in_progress': {
      const all = record.counts.total > 0 ? record.counts.total : total;
      const counts = end === 'completed' ? countsOf(all, all) : record.counts;
      return { ...record, status: end, completed_at: fromMicroseconds(BigInt(Date.now()) * 1000n), counts };
    }
    case 'completed':
    case 'failed':
      throw new Conflict(`The contact import ${record.id} has ended: it is ${record.status}.`);
  }
}

/** @returns the counts of an import that is not completed: zero while it is queued, then half of the records. */
function unfinishedCounts(status: Exclude<ContactImport['status'], 'completed'>, total: number): Counts {
  return status === 'queued' ? countsOf(0, 0) : countsOf(total, Math.floor(total / 2));
}

/** Most records create a contact, some update one, a few are skipped or fail. The counts add up to `done`. */
function countsOf(total: number, done: number): Counts {
  const [updated, skipped, failed] = [Math.floor(done / 5), Math.floor(done / 50), Math.floor(done / 100)];
  return { total, created: done - updated - skipped - failed, updated, skipped, failed };
}

/** Valid records: built from the contract's examples, and contact imports that are moved one step on. */
import { createHash } from 'node:crypto';
import { COLLECTIONS, recordSchemaOf } from '../contract/collections.ts';
import type { Collection, Resources } from '../contract/collections.ts';
import { loadContract } from '../contract/document.ts';
import type { Contract } from '../contract/document.ts';
import { fromMicroseconds, toMicroseconds } from '../contract/timestamp.ts';
import type { Schemas } from '../contract/types.ts';
import { demandKnown, demandWhole } from './demand.ts';

type Build<C extends Collection> = (overrides?: Partial<Resources[C]>) => Resources[C];

export interface BuilderOptions {
  /** What the ids are derived from: builders with the same seed build the same records in the same order. */
  readonly seed?: string;
}

export interface Builders {
  /** @returns an enabled automation, but for the overrides. */
  readonly automation: Build<'automations'>;
  /** @returns a property of type string with a fallback, but for the overrides; one of another type has none. */
  readonly contactProperty: Build<'contactProperties'>;
  /**
   * @returns a completed import whose counts add up, but for the overrides. One that has not ended has no time of it, one
   *   that is queued has done nothing, and one that is in progress or has failed has done a half.
   */
  readonly contactImport: Build<'contactImports'>;
  /** A builder for each collection: `build.automations({ status: 'disabled' })`. */
  readonly build: { readonly [C in Collection]: Build<C> };
}

/** What else an override says of a record. */
type Follows<C extends Collection> = (overrides: Partial<Resources[C]>, example: Resources[C]) => Partial<Resources[C]>;

const STEP_US = 1_000_000n; // So that no rounding makes two of them one.
const BUILDER_OPTIONS: readonly string[] = ['seed'] satisfies (keyof BuilderOptions)[];

const FOLLOWS: { readonly [C in Collection]?: Follows<C> } = {
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
type AnyFollows = (overrides: object, example: object) => object;

// Made by the first builder of a process: loading the kit should not take the time.
let contract: ReturnType<typeof loadContract> | undefined;
const exampleOf = (collection: Collection): AnyRecord =>
  structuredClone(recordSchemaOf((contract ??= loadContract()), collection).example) as AnyRecord; // A test holds it against its schema.

/**
 * @returns builders that count: each record is a second older than the one of its collection that was built before it, so
 *   that the first is the first listed, and has an id that no other has.
 * @throws TypeError for an unknown option.
 */
export function createBuilders(options: BuilderOptions = {}): Builders {
  demandKnown('option of builders', Object.keys(options), BUILDER_OPTIONS);
  const { seed = '' } = options;
  const build = Object.fromEntries(COLLECTIONS.map((it) => [it, builderOf(it, seed)])) as unknown as Builders['build']; // Made for each, from its example.
  return {
    automation: build.automations,
    contactProperty: build.contactProperties,
    contactImport: build.contactImports,
    build,
  };
}

function builderOf(collection: Collection, seed: string): (overrides?: Partial<AnyRecord>) => AnyRecord {
  const follows = FOLLOWS[collection] as AnyFollows | undefined; // Called with records of the collection.
  let count = 0n;
  return (overrides = {}) => {
    const example = exampleOf(collection);
    const dates = shifted(example, overrides.created_at, count * STEP_US);
    const id = idOf(`${seed} ${collection} ${String(count)}`);
    count += 1n;
    return { ...example, ...dates, id, ...follows?.(overrides, example), ...overrides };
  };
}

/** @returns the timestamps of an example, so much older, or as far from `createdAt` as the example's are from its own. */
function shifted(example: AnyRecord, createdAt: string | undefined, olderUs: bigint): object {
  const us = toMicroseconds(example.created_at) ?? 0n;
  const byUs = createdAt === undefined ? -olderUs : (toMicroseconds(createdAt) ?? us) - us;
  const instants = Object.entries(example).flatMap(([name, value]: [string, unknown]) => {
    const at = typeof value === 'string' ? toMicroseconds(value) : undefined;
    return at === undefined ? [] : [[name, fromMicroseconds(at + byUs)] as const];
  });
  return Object.fromEntries(instants);
}

/** @returns a UUID made of a text, of the version (8) that is for such. */
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

/** Those of this process. */
export const { automation, contactProperty, contactImport, build } = createBuilders();

type ContactImport = Schemas['ContactImport'];
type Counts = ContactImport['counts'];

/** Where an import ends, and how many records it has. */
export interface Move {
  readonly end?: 'completed' | 'failed';
  readonly total?: number;
}

const TOTAL = 1000;
const MOVE_OPTIONS: readonly string[] = ['end', 'total'] satisfies (keyof Move)[];
const ENDS: readonly string[] = ['completed', 'failed'] satisfies Move['end'][];

/** @throws TypeError or RangeError if a move is not one that can be made. */
export function demandMove({ schemas }: Contract, move: Move): void {
  demandKnown('option of a move', Object.keys(move), MOVE_OPTIONS);
  if (move.end !== undefined) demandKnown('end of an import', [move.end], ENDS);
  const { minimum = 0, maximum = 0 } = schemas.ContactImportCounts.properties?.['total'] ?? {};
  if (move.total !== undefined) demandWhole('total', move.total, minimum, maximum);
}

/**
 * @returns the import one step on: `queued`, `in_progress` with a half of its records done, then `completed` with all of
 *   them, or `failed`. One that has ended stays as it is.
 */
export function moved(record: ContactImport, { end = 'completed', total = TOTAL }: Move): ContactImport {
  switch (record.status) {
    case 'queued':
      return { ...record, status: 'in_progress', counts: unfinishedCounts('in_progress', total) };
    case 'in_progress': {
      const all = record.counts.total > 0 ? record.counts.total : total;
      const counts = end === 'completed' ? countsOf(all, all) : record.counts;
      return { ...record, status: end, completed_at: fromMicroseconds(BigInt(Date.now()) * 1000n), counts };
    }
    case 'completed':
    case 'failed':
      return record;
  }
}

/** @returns the counts of an import that has not completed: none while it is queued, and then a half. */
export function unfinishedCounts(status: Exclude<ContactImport['status'], 'completed'>, total: number): Counts {
  return status === 'queued' ? countsOf(0, 0) : countsOf(total, Math.floor(total / 2));
}

/** Most create a contact, some update one, a few are skipped or fail; what is done adds up. */
function countsOf(total: number, done: number): Counts {
  const [updated, skipped, failed] = [Math.floor(done / 5), Math.floor(done / 50), Math.floor(done / 100)];
  return { total, created: done - updated - skipped - failed, updated, skipped, failed };
}

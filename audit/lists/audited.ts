/** What the rules of an audit share: the traversals of a list with several sizes, each made once. */
import type { Changing } from '../rules/runner.ts';
import { NotChecked } from '../rules/rule.ts';
import { say } from '../rules/text.ts';
import type { Commands } from './commands.ts';
import { disorderOf } from './disorder.ts';
import type { Disorder } from './disorder.ts';
import { probeOf } from './infer/sizes.ts';
import { List, isPage } from './list.ts';
import type { Page, Sighting } from './list.ts';
import type { Responses } from './openapi-responses.ts';
import { findCursor } from './position.ts';
import type { Cursor } from './position.ts';
import type { Way } from './profile.ts';
import { LOOKS, Readings, SINGLES, forReading } from './readings.ts';
import type { Coverage, Walks } from './readings.ts';
import { requireIds } from './walk.ts';
import type { Walk } from './walk.ts';

/** Options of an audit that are not part of the profile. */
export interface Asked {
  readonly commands?: Commands | undefined;
  readonly responses?: Responses | undefined;
  readonly sightings?: readonly Sighting[] | undefined;
  readonly stated?: readonly Way[] | undefined;
  readonly later?: Way | undefined;
}

// What a rule may take that needs more than a few requests.
const MAX_SMALL = 20;
/** The rules of single requests keep so much of few requests. */
const SINGLES_PART = 0.25;
// The part of the requests that are left which the list with its filter may take.
const FILTERED_PART = 0.5;
/** So many requests make readings of two pages, which is the least that can be compared. */
const LEAST = 16;
/** The usual size, if the list has no smaller maximum. */
const USUAL = 100;

export class Audited implements Changing {
  readonly what = 'list';
  readonly attempts = 3;
  readonly list: List;
  #requests: number;
  readonly #singles: number;
  #readings: Readings;
  #cursor: Promise<Cursor | undefined> | undefined;
  #filtered: Audited | undefined;
  #sorted: ReadonlyMap<string, Audited> | undefined;
  #disorder: Promise<Disorder | undefined> | undefined;

  readonly commands: Commands | undefined;
  /** The ids that the user's own commands have added. */
  readonly added = new Set<string>();
  /** The ways that responses state, and that lead to an error. */
  readonly stated: readonly Way[];
  /** The next page that the second page states, and the first one does not. */
  readonly later: Way | undefined;
  /** What the inference has seen. */
  readonly sightings: readonly Sighting[];
  /** What was seen beside an OpenAPI document. */
  readonly responses: Responses | undefined;

  /** @param budget how many requests the traversals may take, as far as they are bounded. */
  constructor(list: List, asked: Asked = {}, budget = list.session.left) {
    const { commands, responses, sightings = [], stated = [], later } = asked;
    this.stated = stated;
    this.later = later;
    this.sightings = sightings;
    this.list = list;
    this.commands = commands;
    this.responses = responses;
    this.#requests = forReading(budget);
    this.#singles = Math.min(SINGLES, list.session.left * SINGLES_PART);
    this.#readings = this.#newReadings();
  }

  #newReadings(): Readings {
    return new Readings(this.list, this.size, this.#requests, () => this.position());
  }

  /** The same list with the declared filter. */
  get filtered(): Audited {
    const { profile, session } = this.list;
    return (this.#filtered ??= new Audited(
      new List({ ...profile, params: { ...profile.params, ...profile.filter } }, session),
      {},
      session.left * FILTERED_PART,
    ));
  }

  /** The same list with each of the given sorts. */
  get sorted(): ReadonlyMap<string, Audited> {
    const { profile, session } = this.list;
    const { sorts = [] } = profile;
    const part = (session.left - SINGLES) / Math.max(sorts.length, 1);
    return (this.#sorted ??= new Map(
      sorts.map((sort) => {
        const [name = '', ...value] = sort.split('=');
        const params = { ...profile.params, [name]: value.join('=') };
        return [sort, new Audited(new List({ ...profile, params }, session), {}, Math.max(0, part))];
      }),
    ));
  }

  /** The size of whole traversals: the maximum, as far as it is known; `undefined` if the list has no size. */
  get size(): number | undefined {
    const { size } = this.list.profile;
    return size === undefined ? undefined : (size.max ?? Math.max(size.default ?? 0, USUAL));
  }

  /** The parameter that says where a page begins, if it is a number of pages or of items. */
  async position(): Promise<Cursor | undefined> {
    const { next } = this.list.profile;
    if ('page' in next) return { param: next.page, kind: 'page', first: next.first ?? 1 };
    if ('offset' in next) return { param: next.offset, kind: 'offset', first: next.first ?? 0 };
    const found = await this.cursor();
    return found?.kind === 'cursor' ? undefined : found;
  }

  /** The parameter that leads to the next page, also inside of links; `undefined` if it is not one alone. */
  cursor(): Promise<Cursor | undefined> {
    return (this.#cursor ??= findCursor(this.list, this.probe));
  }

  /** A size at which even a short list has several pages. */
  get probe(): number | undefined {
    const { size } = this.list.profile;
    return size === undefined ? undefined : probeOf(size);
  }

  /** Whether items were added or removed, or have other places, since the traversals: unless their order alone differs at each request. */
  async hasChanged(): Promise<boolean> {
    const { reference, compared, again } = await this.walks();
    const earlier = new Set([...reference.ids, ...again.ids, ...compared.flatMap((it) => it.walk.ids)]);
    const now = await this.whole();
    const present = new Set(now.ids);
    const gone = reference.ids.filter((it) => !present.has(it));
    // A list that loses items at random has them again in another traversal.
    const later = new Set(gone.length === 0 ? [] : (await this.whole()).ids);
    const isChanged = now.ids.some((it) => !earlier.has(it)) || gone.some((it) => !later.has(it));
    const before = new Set(reference.ids);
    const kept = now.ids.filter((it) => before.has(it));
    const isMoved = reference.ids.filter((it) => present.has(it)).some((it, at) => it !== kept[at]);
    if ((!isChanged && !isMoved) || (await this.disorder()) !== undefined) return false;
    this.#filtered = undefined;
    this.#sorted = undefined;
    const spare = (this.list.session.left - SINGLES - LOOKS) / this.attempts;
    if (spare < LEAST)
      throw new NotChecked(say`the list changed, and too few requests are left to read it again (--max-requests)`);
    this.#requests = Math.min(this.#requests, spare);
    this.#readings = this.#newReadings();
    this.#disorder = undefined;
    return true;
  }

  /** @returns the proof that the order differs at each request; `undefined` if there is none. */
  disorder(): Promise<Disorder | undefined> {
    return (this.#disorder ??= allWalks(this).then((walks) => disorderOf(this.list, walks, (it) => this.mayProve(it))));
  }

  /** @returns a traversal of the whole list with the usual size, or as far as the requests allow. */
  whole(size = this.size): Promise<Walk> {
    return this.#readings.whole(size);
  }

  /** @throws NotChecked if a rule that needs so many requests leaves too few for the rules of single requests. */
  requireLeft(requests: number): void {
    if (requests > MAX_SMALL && requests + SINGLES > this.list.session.left)
      throw new NotChecked(say`it needs ${requests} more requests (--max-requests)`);
  }

  /** Whether a second look of so many requests leaves those of the rules of single requests. */
  mayLook(requests: number): boolean {
    return requests + this.#singles <= this.list.session.left;
  }

  /** Whether so many requests may decide whether a loss is one: that is worth some of those of single requests. */
  mayProve(requests: number): boolean {
    return requests + this.#singles / 2 <= this.list.session.left;
  }

  walks(): Promise<Walks> {
    return this.#readings.all();
  }

  /** The number of different items that the first whole traversal has read, and whether that reached the end. */
  get length(): Readings['length'] {
    return this.#readings.length;
  }

  /** What was read with each small size. */
  get coverage(): readonly Coverage[] {
    return this.#readings.coverage;
  }

  /**
   * @throws NotAnId if two different items have the same id. Done once, before the rules.
   */
  async requireIds(): Promise<void> {
    await requireIds(this.list, await this.#readings.reference());
  }

  /** @returns the first page. @throws NotChecked if there is none. */
  async firstPage(size = this.size): Promise<Page> {
    const page = await this.list.page(this.list.first(size));
    if (!isPage(page)) throw new NotChecked(say`${page.request} returned ${page.reason}`);
    return page;
  }
}

/** @returns all traversals of a list. */
export async function allWalks(audited: Audited): Promise<readonly Walk[]> {
  const { reference, compared, again } = await audited.walks();
  return [reference, ...compared.map((it) => it.walk), again];
}

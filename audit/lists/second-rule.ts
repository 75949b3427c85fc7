/** Items that are missing by page number or offset, where these work beside the next page that responses state. */
import { be, counted } from '../../contract/wording.ts';
import { say } from '../rules/text.ts';
import type { Audited } from './audited.ts';
import { failure, note, showAll } from './finding.ts';
import { isPage } from './list.ts';
import type { NoPage } from './list.ts';
import { howOf, lossOf } from './loss.ts';
import type { Counted, Second } from './second.ts';
import { lostIn, totalOf } from './walk.ts';
import type { Walk } from './walk.ts';

/** @throws Failure if the second way lacks items that nothing but a fault explains; Noted if it ends earlier, or has items that the stated way lacks. */
export async function requireSecond(
  audited: Audited,
  second: Second,
  again: Walk,
  known: ReadonlySet<string>,
): Promise<void> {
  for (const part of [second.whole, second.last]) {
    if (part === undefined) continue;
    const { walk, reference } = part;
    const lacks = lostIn(walk, reference.ids, again);
    if (lacks.length === 0) continue;
    const another = await part.again();
    const later = new Set(another.ids);
    const gone = lacks.filter((id) => !later.has(id));
    const [first] = gone;
    if (first === undefined) continue;
    if (isCrash(walk.broken) && isCrash(another.broken))
      throw failure(
        walk.broken,
        say`a page`,
        say`a page fails ${howOf(walk)}: ${walk.broken.reason}`,
        undefined,
        FAILED,
      );
    if (walk.broken === undefined && (isInside(part, gone) || (await isServed(second, part, first))))
      throw await lossOf(audited, walk, reference, gone, { missing: gone.length, all: known.size });
    // A server may refuse numbers that are too high, and should say so.
    if (walk.past !== undefined) continue;
    const actual = say`${gone.length} of ${counted(known.size, 'items')} ${be(gone.length)} missing ${howOf(walk)}: the last ones`;
    throw note(walk.broken ?? walk.pages.at(-1), say`all items, or a 4xx that says how to continue`, actual);
  }
  await requireStated(audited, second, known);
}

const FAILED = say`Look up this request in the server log.`;

/** Whether an error is one of the server. A gateway that is overloaded or too slow may answer later. */
const isCrash = (broken: NoPage | undefined): broken is NoPage =>
  broken !== undefined && broken.status >= 500 && ![502, 503, 504].includes(broken.status);

/** Whether items that come after the missing ones were read by the same way: no limit of numbers explains that. */
function isInside({ walk, reference: { ids } }: Counted, gone: readonly string[]): boolean {
  const own = new Set(walk.ids);
  const last = ids.findLastIndex((id) => own.has(id));
  if (!gone.some((id) => ids.indexOf(id) < last)) return false;
  // In another order, they may stand behind a limit.
  const places = new Map(ids.map((id, at) => [id, at]));
  const found = walk.ids.flatMap((id) => places.get(id) ?? []);
  return walk.ids.length >= ids.length || found.every((place, at) => at === 0 || (found[at - 1] ?? 0) < place);
}

/** A page by number. */
interface Place {
  readonly start: number;
  readonly size: number;
}

/**
 * Whether the second way shows an item on a page of another size that no limit of numbers tells from the page that lacks it. A limit is a
 * round number: of the first item, of the last one, or of pages.
 */
async function isServed(second: Second, part: Counted, id: string): Promise<boolean> {
  const { whole, size, at, kind, list } = second;
  const place = whole.reference.ids.indexOf(id);
  const before = whole.walk.pages.slice(0, Math.floor(place / size));
  // A filter after the limit leaves pages short: the number of an item is not known then.
  if (whole.walk.size === undefined || before.some(({ ids }) => ids.length !== size)) return false;
  const startOf = (of: number): number => Math.floor(place / of) * of;
  const isWhole = part === whole;
  const lacking: Place = isWhole ? { start: startOf(size), size } : { start: place, size: 1 };
  // The page before the one that lacks it was served: no limit is below that.
  const isExplained = (shown: Place): boolean =>
    hasRound(HUNDRED, Math.max(shown.start, lacking.start - lacking.size) + 1, lacking.start) ||
    hasRound(HUNDRED, Math.max(shown.start + shown.size, lacking.start), lacking.start + lacking.size - 1) ||
    (kind === 'page' && numberOf(shown) < numberOf(lacking) && (numberOf(lacking) - 1) % TEN === 0);
  if (!isWhole)
    return (
      whole.walk.ids.includes(id) &&
      before.length < whole.walk.pages.length &&
      !isExplained({ start: startOf(size), size })
    );
  const sizes = Array.from({ length: Math.max(0, size - 2) }, (_, index) => size - 1 - index)
    .filter((of) => place % of !== 0 && !isExplained({ start: startOf(of), size: of }))
    .slice(0, MAX_LOOKS);
  for (const of of sizes) {
    const page = await list.probe(at(startOf(of), of));
    if (isPage(page) && page.ids.length <= of && page.ids.includes(id)) return true;
  }
  return false;
}
const [HUNDRED, TEN] = [100, 10];
const MAX_LOOKS = 3;
const numberOf = ({ start, size }: Place): number => Math.floor(start / size) + 1;
const hasRound = (unit: number, from: number, to: number): boolean => Math.floor(to / unit) * unit >= Math.max(from, 1);

/** @throws Failure, or Noted, if numbers show items that the stated way lacks: they may be of another kind, unless the stated total has them. */
async function requireStated(audited: Audited, { whole }: Second, known: ReadonlySet<string>): Promise<void> {
  const { walk, reference } = whole;
  const more = walk.ids.filter((id) => !known.has(id));
  if (more.length === 0) return;
  const [later, stated] = [new Set((await whole.again()).ids), await audited.whole()];
  const read = new Set(stated.ids);
  const gone = [...new Set(more)].filter((id) => later.has(id) && !read.has(id));
  if (gone.length === 0 || stated.ending !== 'end') return;
  const all = new Set([...known, ...gone]).size;
  if (totalOf([stated, reference])?.value === all)
    throw await lossOf(audited, reference, walk, gone, { missing: gone.length, all });
  throw note(
    walk.pages.find(({ ids }) => ids.some((id) => gone.includes(id))),
    say`the same items ${howOf(reference)}`,
    say`${counted(gone.length, 'items')} ${be(gone.length)} missing from the stated pages, but present ${howOf(walk)}: ${showAll(gone)}`,
  );
}

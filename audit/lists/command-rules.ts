/** Rules of what a user's command says of a list: how many items it has, and which. */
import { be, counted } from '../../contract/wording.ts';
import { NotChecked, Noted } from '../rules/rule.ts';
import type { Finding } from '../rules/rule.ts';
import { joined, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { withCommand } from './list-rule.ts';
import type { Audited } from './audited.ts';
import type { Rule } from './list-rule.ts';
import { isBroken } from './bad-values.ts';
import { perform, withCount } from './commands.ts';
import { failure, findingOf, note, show, showAll, throwAny, withSize } from './finding.ts';
import { elementsAt } from './json.ts';
import { plainId } from './list.ts';
import { firstTarget } from './parameters.ts';
import { requireEnd, walk } from './walk.ts';
import type { Walk } from './walk.ts';

const SMALL = 3;
const MAX_PAGES = 20;

/** A list of a certain length, as it was read with a small size and with a large one. */
interface Made {
  readonly count: number;
  readonly readings: readonly Walk[];
}
/** Whether a reading has so many items. */
const isShown = ({ readings, ...made }: Made, count = made.count): boolean =>
  readings.some(({ ids }) => new Set(ids).size === count);
const isWhole = ({ count, readings }: Made): boolean =>
  readings.every(({ ids, ending }) => ending === 'end' && ids.length === count && new Set(ids).size === count);

const lengths: Rule = {
  id: 'end.lengths',
  title: 'lists of 0, 1, size − 1, size, size + 1 and 2 × size items are complete',
  on: withCommand('resize'),
  changes: true,
  dependsOn: ['items.missing', 'items.repeated'],
  why: 'A new customer has one item, and some customer has exactly a full page every day.',
  change: 'Read one item more than the page size, to know whether there is a next page.',
  notes: 'An empty last page is a note; so is an empty list that is rejected or has items.',
  check: async (audited) => {
    const { list, commands } = audited;
    const { reference } = await audited.walks();
    const small = audited.size === undefined ? undefined : Math.max(SMALL, list.profile.size?.min ?? 0);
    const size = small ?? reference.pages[0]?.ids.length ?? 1;
    const all: Made[] = [];
    for (const count of [...new Set([0, 1, size - 1, size, size + 1, 2 * size])]) {
      await perform(commands, 'resize', (line) => withCount(line, count));
      const read = async (): Promise<Made> => {
        const readings: Walk[] = [];
        for (const it of new Set([small, audited.size]))
          readings.push(await walk(list, it, list.first(it), Infinity, MAX_PAGES));
        return { count, readings };
      };
      const first = await read();
      all.push(isWhole(first) ? first : await read());
      if (all.length > 1 && !all.some((it) => isShown(it))) break; // It makes something else.
    }
    const wrong = all.filter((it) => !isWhole(it));
    // A command that does something else would make every length wrong. One that works later leaves the length before.
    const isLate = wrong.some(
      (made) => made.count > 1 && isShown(made, all[all.indexOf(made) - 1]?.count) && !isShown(made),
    );
    if (all.filter((it) => isShown(it)).length <= all.length / 2 || isLate)
      throw new NotChecked(say`--resize does not set the length: ${madeText(all)}`);
    const findings = (isFailure: boolean): readonly Finding<Text>[] =>
      wrong.flatMap((made) => faultsOf(made, isFailure));
    throwAny(findings(true));
    throwAny([...findings(false), ...all.flatMap((made) => emptyPagesOf(audited, made))], Noted);
  },
};

const madeText = (all: readonly Made[]): Text =>
  joined(
    all.map(({ count, readings }) => say`for ${count}, the list had ${readings[0]?.ids.length ?? 0}`),
    '; ',
  );

/** @param isFailure whether to return the failures, or the notes. */
function faultsOf({ count, readings }: Made, isFailure: boolean): readonly Finding<Text>[] {
  const items = counted(count, 'items');
  const change = count === 0 ? say`Return an empty array if the list has no items.` : undefined;
  return readings.flatMap(({ ids, pages, ending, broken, size }): readonly Finding<Text>[] => {
    const isEmpty = count === 0 && (broken === undefined ? ending === 'end' : !isBroken(broken));
    if (isEmpty === isFailure) return [];
    const finding = (is: Text): readonly Finding<Text>[] => [
      findingOf(
        broken ?? pages.at(-1),
        say`${items}`,
        say`a list of ${items} ${is} ${withSize(size)}`,
        undefined,
        change,
      ),
    ];
    if (broken !== undefined) return finding(say`fails on page ${pages.length + 1} (${broken.reason})`);
    if (ending !== 'end') return finding(say`does not end`);
    const distinct = new Set(ids).size;
    if (distinct !== count) return finding(say`returns ${counted(distinct, 'items')}`);
    return ids.length === count ? [] : finding(say`returns ${showAll(ids)}`);
  });
}

function emptyPagesOf({ list }: Audited, { count, readings }: Made): readonly Finding<Text>[] {
  const { next } = list.profile;
  if ('page' in next || 'offset' in next) return []; // A client counts them.
  return readings.flatMap(({ pages, size }) => {
    const last = pages.at(-1);
    if (last === undefined || pages.length === 1 || last.ids.length > 0) return [];
    const actual = say`a list of ${counted(count, 'items')} ends with an empty page ${withSize(size)}`;
    return [findingOf(last, say`no page after the last item`, actual)];
  });
}

const truth: Rule = {
  id: 'expected.missing',
  title: 'every expected item is in the list',
  on: withCommand('expectIds'),
  dependsOn: ['end.never', 'page.error', 'items.missing'],
  why: 'No client can ever see an item that is on no page, and reading the list cannot reveal it.',
  change: 'Find what leaves it out: an inner join, a filter on a missing value, or an index that is out of date.',
  notes: 'Items that are not expected are a note.',
  check: async (audited) => {
    const named = await truthOf(audited);
    if (named.size === 0) throw new NotChecked(say`--expect-ids prints no id`);
    const { reference, again } = await audited.walks();
    requireEnd(reference);
    const has = (walked: Walk): ReadonlySet<string> => new Set(walked.ids.map(plainId));
    const [present, later] = [has(reference), has(again)];
    const missing = [...named].filter((id) => !present.has(id) && !later.has(id));
    const still = missing.length === 0 ? named : await truthOf(audited);
    const now = missing.length === 0 ? present : has(await audited.whole());
    const gone = missing.filter((id) => still.has(id) && !now.has(id));
    const items = counted(named.size, 'items');
    const throwFor = ([first]: readonly string[], fault: typeof note, what: Text): void => {
      if (first === undefined) return;
      throw fault(reference.pages[0], say`the ${items} of --expect-ids`, say`${what}; first: ${show(first)}`);
    };
    throwFor(
      gone.map((id) => JSON.stringify(id)),
      failure,
      say`${gone.length} of ${items} of --expect-ids ${be(gone.length)} missing`,
    );
    const foreign = reference.ids.filter((id) => later.has(plainId(id)) && !named.has(plainId(id)));
    throwFor(
      foreign,
      note,
      say`${counted(foreign.length, 'items')} of the list ${be(foreign.length)} not in --expect-ids`,
    );
  },
};

/** @returns the ids that must appear, as strings. @throws NotChecked if they cannot be read. */
async function truthOf({ commands, list: { session } }: Audited): Promise<ReadonlySet<string>> {
  const line = commands?.expectIds ?? '';
  if (!/^https?:\/\/\S+$/i.test(line)) return idsIn(await perform(commands, 'expectIds'));
  // Another origin gets no key.
  const other = new URL(line).origin === session.origin ? undefined : session.elsewhere(line);
  try {
    const { status, text, failure } = await (other ?? session).get(firstTarget(line));
    if (failure !== undefined || status !== 200) throw new NotChecked(say`--expect-ids fails: ${failure ?? status}`);
    return idsIn(text);
  } finally {
    other?.close();
  }
}

/** @param text an array of JSON, or an id on each line. */
function idsIn(text: string): ReadonlySet<string> {
  if (!text.trimStart().startsWith('['))
    return new Set(text.split('\n').flatMap((it) => (it.trim() === '' ? [] : [it.trim()])));
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch {
    throw new NotChecked(say`--expect-ids begins like an array, but is not JSON`);
  }
  if (!Array.isArray(values) || !values.every((it) => typeof it === 'string' || typeof it === 'number'))
    throw new NotChecked(say`--expect-ids is not an array of strings and numbers only`);
  return new Set(elementsAt(text, []).map(plainId)); // Digits beyond 2^53 stay.
}

export const TRUTH_RULES: readonly Rule[] = [truth];
export const LENGTH_RULES: readonly Rule[] = [lengths];

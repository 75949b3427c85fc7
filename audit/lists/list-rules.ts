/** More rules of a list: page sizes above the maximum, its end, links, total, paging back, and the key. */
import { be, counted } from '../../contract/wording.ts';
import { DoesNotApply, NotChecked } from '../rules/rule.ts';
import { LONG, code, quote, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { allWalks } from './audited.ts';
import type { Audited } from './audited.ts';
import { failure, note, returned, show, withSize } from './finding.ts';
import { valuesIn } from './json.ts';
import { isPage } from './list.ts';
import type { List, Page, Stated, Stray } from './list.ts';
import { isBroken } from './bad-values.ts';
import type { Rule } from './list-rule.ts';
import { lossOf } from './loss.ts';
import { doublesIn, isLimited, lostIn, requireEnd, totalOf, walk } from './walk.ts';
import type { Walk } from './walk.ts';

const ABOVE = 10_000;
const LESS = [1000, 200, 100];

const above: Rule = {
  id: 'size.above',
  title: 'a page size above the maximum is rejected, or no items are missing',
  dependsOn: ['items.missing', 'items.repeated'],
  why: 'A client that requests a large page takes it for the whole list.',
  change: 'Return a page of the maximum size and its next page, or reject the page size with a 4xx.',
  check: async (audited) => {
    const { list } = audited;
    list.requireSize();
    const { reference, again } = await audited.walks();
    let size = Math.max(ABOVE, 10 * (audited.size ?? 0));
    let first = await list.probe(list.first(size));
    // A size that is much too large may be rejected, and one that is a little too large be cut.
    for (const smaller of LESS) {
      if (isPage(first) || isBroken(first) || smaller <= (audited.size ?? 0)) break;
      size = smaller;
      first = await list.probe(list.first(size));
    }
    if (!isPage(first)) {
      if (!isBroken(first)) return;
      throw failure(first, say`a 4xx, or a page`, say`page size ${size} fails: ${first.reason}`);
    }
    audited.requireLeft(reference.pages.length);
    const large = await audited.whole(size);
    const isBounded = large.ending === 'bound' || isLimited([large, reference]);
    const lost = isBounded ? [] : lostIn(large, reference.ids, again);
    // The list may have changed: what a later reading with this size has is not missing.
    const later = new Set(lost.length === 0 ? [] : (await audited.whole(size)).ids);
    const gone = lost.filter((it) => !later.has(it));
    if (gone.length > 0)
      throw await lossOf(audited, large, reference, gone, { missing: gone.length, all: new Set(reference.ids).size });
    if (large.ending === 'endless') throw failure(first, say`an end`, say`the list does not end ${withSize(size)}`);
  },
};

const multiple: Rule = {
  id: 'end.multiple',
  title: 'a list whose length is a multiple of the page size ends with its last item',
  dependsOn: ['items.missing', 'items.repeated'],
  why: 'Clients send one useless request, or lose the last page.',
  change: 'Read one item more than the page size, to know whether there is a next page.',
  notes:
    'An empty last page is a note. So is a stated number of pages that is one too high. Page numbers and offsets are checked only if a flag, total or number of pages shows the end.',
  check: async (audited) => {
    const { reference, compared, again } = await audited.walks();
    const { list, size: largest = 0 } = audited;
    const length = reference.ids.length;
    const { next } = list.profile;
    requireEnd(reference);
    // With page numbers or offsets, a client knows the end by what is stated of the length.
    const isCounted = ('page' in next || 'offset' in next) && next.more === undefined;
    const total = totalOf([reference, ...compared.map((it) => it.walk)]);
    const hasPages = isCounted && pagesOf(reference) !== undefined;
    if (isCounted && !hasPages) {
      if (total === undefined) throw new DoesNotApply(whyNoEnd(audited, reference));
      if (total.value !== length)
        throw new NotChecked(say`the stated total is ${total.value}, but the list has ${counted(length, 'items')}`);
    }
    const divisors = Array.from({ length: Math.min(largest, Math.floor(length / 2)) }, (_, at) => at + 1).filter(
      (it) => it >= (list.profile.size?.min ?? 1) && length % it === 0,
    );
    const size = divisors.at(-1);
    if (size === undefined || (size === 1 && length > 20))
      throw new DoesNotApply(say`${length} is not a multiple of a page size`);
    const known = [reference, ...compared.map((it) => it.walk)].find((it) => it.size === size && it.ending === 'end');
    if (known === undefined) audited.requireLeft(length / size);
    const walked = known ?? (await walk(list, size));
    if (walked.pages.length === 0) throw new NotChecked(say`a page fails ${withSize(size)}`);
    // A server may refuse high numbers.
    const lost = walked.past === undefined ? lostIn(walked, reference.ids, again) : [];
    if (lost.length > 0) throw await lossOf(audited, walked, reference, lost, { missing: lost.length, all: length });
    const stated = hasPages ? pagesOf(walked) : undefined;
    if (stated !== undefined && stated.value > length / size)
      throw note(
        walked.pages[0],
        say`no page after the last item`,
        say`${code(stated.name)} is ${stated.value} ${withSize(size)}, but ${counted(length, 'items')} fill ${counted(length / size, 'pages')}`,
      );
    const last = walked.pages.at(-1);
    if (isCounted || last?.ids.length !== 0) return;
    const actual = say`the list ends with an empty page ${withSize(size)}, after all ${counted(length, 'items')}`;
    throw note(last, say`no page after the last item`, actual);
  },
};

/** @returns why nothing shows the end of a list that is counted. */
function whyNoEnd({ stated, later }: Audited, { pages, ids }: Walk): Text {
  if (stated.length > 0) return say`only the stated next page shows the end, and it fails`;
  if (later !== undefined) return say`only pages after the first one show whether there is another`;
  const count = pages[0]?.pageCount;
  if (count === undefined) return say`no page shows whether it is the last one`;
  return say`${code(count.name)} is ${count.value}, but ${counted(ids.length, 'items')} are on ${counted(pages.filter((page) => page.ids.length > 0).length, 'pages')}`;
}

/** @returns the stated number of pages, if it is that of the pages that were read, to within one. */
function pagesOf({ pages, ids }: Walk): Stated | undefined {
  const [first] = pages;
  const count = ids.length / (first?.ids.length ?? 1);
  const stated = first?.pageCount;
  return stated !== undefined && Math.abs(stated.value - count) <= 1 ? stated : undefined;
}

const home: Rule = {
  id: 'link.origin',
  title: 'links lead to the audited origin, and do not contain the key',
  why: 'Clients may not reach such a link, or send the key to another server, to logs, or unencrypted.',
  change: 'Build links from the scheme and host that the client used, without the key.',
  notes:
    'A link to another origin is a note, or a failure with `origin: same`. `audit` follows its path at the audited origin only.',
  check: async (audited) => {
    const { reference, compared } = await audited.walks();
    const strays = [reference, ...compared.map((it) => it.walk)]
      .flatMap(({ pages }) => pages)
      .flatMap((page) => page.strays.map((stray) => ({ page, stray })));
    const { session, profile } = audited.list;
    const forbid = (why: Stray['why'], actual: Text, fault = failure): void => {
      const found = strays.find((it) => it.stray.why === why);
      if (found === undefined) return;
      throw fault(
        found.page,
        say`links to ${quote(session.origin, LONG)}`,
        actual,
        say`contains the link ${found.stray.link}`,
      );
    };
    forbid('secret', say`a link contains the key, which logs will then contain`);
    forbid('insecure', say`a link is http, though the list is https: the key is sent unencrypted`);
    forbid('origin', say`a link leads to another origin`, profile.origin === 'same' ? failure : note);
  },
};

const total: Rule = {
  id: 'total.wrong',
  title: 'the stated total is the number of items',
  dependsOn: ['items.missing', 'items.repeated'],
  why: 'Clients show a wrong number, or links to pages that do not exist.',
  change: 'Count with the same filter as the list.',
  notes:
    'A wrong total is a note, because it may be an estimate. It is a failure with `total: exact`, or if it is the number of items on each page and nothing else shows the end.',
  check: async (audited) => {
    const { reference, again, compared } = await audited.walks();
    const stated = totalOf([reference, ...compared.map((it) => it.walk)]);
    if (stated === undefined) throw new DoesNotApply(say`the list states no total`);
    requireEnd(reference);
    await requireNoPageTotal(audited, [reference, ...compared.map(({ walk: walked }) => walked)]);
    const [length, laterLength] = [new Set(reference.ids).size, new Set(again.ids).size];
    if ([stated.value, again.pages[0]?.total?.value].some((it) => it === length || it === laterLength)) return;
    // Readings that lose items are shorter than the list.
    if (stated.value === new Set((await allWalks(audited)).flatMap(({ ids }) => ids)).size) return;
    const actual = say`the stated total is ${quote(String(stated.value))}; the list has ${counted(length, 'items')}`;
    throw (audited.list.profile.total === 'exact' ? failure : note)(
      reference.pages[0],
      say`a total of ${length}`,
      actual,
    );
  },
};

/** @throws Failure if the total is that of each page, and only it shows the end: no estimate is that. */
async function requireNoPageTotal(audited: Audited, readings: readonly Walk[]): Promise<void> {
  const { list } = audited;
  const { next } = list.profile;
  if (!('page' in next || 'offset' in next) || next.more !== undefined || audited.stated.length > 0) return;
  const all = readings.flatMap(({ pages }) => pages).filter(({ ids }) => ids.length > 0);
  const isOfPage = ({ total: its, ids }: Page): boolean => its?.value === ids.length && /total/i.test(its.name);
  if (!all.every((page) => isOfPage(page) && page.pageCount === undefined)) return;
  if (new Set(all.map(({ ids }) => ids.length)).size < 2) return;
  const [first, second] = readings.map(({ pages }) => pages).find((pages) => pages.length > 2) ?? [];
  if (first === undefined || second === undefined) return;
  const { body, headers } = await list.session.get(first.target);
  const names = [...valuesIn(body, MAX_FLAG_DEPTH)].map(({ path }) => path.at(-1) ?? '');
  if (names.some((name) => /more|next|last|end|left|remain/i.test(name))) return;
  if ([...headers.keys()].some((name) => /^link$|next|more/i.test(name))) return;
  for (let times = 0; times < 2; times += 1) {
    const [one, two] = [await list.page(first.target), await list.page(second.target)];
    if (!isPage(one) || !isPage(two) || !isOfPage(one) || two.ids.every((id) => one.ids.includes(id))) return;
  }
  const name = code(first.total?.name ?? '');
  throw failure(
    second,
    say`a total of all items`,
    say`${name} is only the number of items on page 1, ${first.ids.length}, so that clients stop there`,
    returned(second),
    say`State the number of all items in ${name}, not that of this page.`,
  );
}
const MAX_FLAG_DEPTH = 4;

const back: Rule = {
  id: 'back.missing',
  title: 'paging back returns the same items',
  dependsOn: ['items.missing', 'items.repeated'],
  why: 'A client that pages back misses items, or gets some twice.',
  change: 'Reverse the comparison and the order of both the sort value and the id, and then reverse the page.',
  notes:
    'Another order is a note. An item counts as missing only if the list had it before and after it was read backward.',
  check: async (audited) => {
    const { list } = audited;
    const { previous } = list.profile;
    if (previous === undefined) throw new DoesNotApply(say`no previous page is known (--previous)`);
    const { reference } = await audited.walks();
    requireEnd(reference);
    const size = list.profile.size === undefined ? undefined : backSize(list, reference.ids.length, audited.size ?? 1);
    audited.requireLeft(Math.ceil(reference.ids.length / (size ?? Infinity)) * (size === reference.size ? 1 : 2));
    const forward = size === reference.size ? reference : await walk(list, size);
    if (forward.pages.length < 3) throw new DoesNotApply(say`the list has fewer than three pages`);
    const read = await backward(list, forward, size);
    if (read === undefined) throw new NotChecked(say`the last page has no previous page`);
    const { walk: walked, expected } = read;
    const own = new Set(walked.ids);
    const missing = expected.filter((it) => !own.has(it));
    const lost = missing.length === 0 ? [] : lostIn(walked, missing, await audited.whole());
    const { broken, ending, pages } = walked;
    if (broken !== undefined) throw failure(broken, say`a page`, say`a page fails when paging back: ${broken.reason}`);
    if (ending === 'endless') throw failure(pages.at(-1), say`an end`, say`the list does not end when paging back`);
    const how = say`when paging back ${withSize(size)}`;
    const all = counted(expected.length, 'items');
    const [gone] = lost;
    if (gone !== undefined) {
      const later = expected[expected.indexOf(gone) + 1] ?? '';
      const page = pages.find((it) => it.ids.includes(later)) ?? pages[0];
      const actual = say`${lost.length} of ${all} ${be(lost.length)} missing ${how}; first missing: ${show(gone)}`;
      throw failure(page, say`the same items as forward`, actual, returned(page));
    }
    const doubles = doublesIn(walked.ids);
    if (doubles.length > 0) {
      const second = new Set(doublesIn((await backward(list, await walk(list, size), size))?.walk.ids ?? []));
      const first = doubles.find((it) => second.has(it));
      if (first === undefined) return;
      const page = pages.findLast((it) => it.ids.includes(first));
      const actual = say`${doubles.length} of ${all} ${be(doubles.length)} repeated ${how}; first repeated: ${show(first)}`;
      throw failure(page, say`each item once`, actual);
    }
    const ordered = pages.toReversed().flatMap((it) => it.ids);
    const wanted = new Set(expected);
    if (!ordered.filter((it) => wanted.has(it)).every((it, index) => it === expected[index]))
      throw note(pages[0], say`the same order as forward`, say`the order is different when paging back`);
  },
};

/** A size at which a list has enough pages to go back over. */
const backSize = ({ profile }: List, length: number, max: number): number =>
  Math.max(profile.size?.min ?? 1, Math.min(max, Math.ceil(length / 12)));

/** Reads the list backward from its last page. @returns the reading, and the items that it should have in forward order. */
async function backward(
  list: List,
  forward: Walk,
  size: number | undefined,
): Promise<{ readonly walk: Walk; readonly expected: readonly string[] } | undefined> {
  const { previous } = list.profile;
  const last = forward.pages.findLast((it) => it.ids.length > 0);
  if (previous === undefined || last === undefined) return undefined;
  const places = new Map(forward.ids.map((id, at) => [id, at]));
  const placeOf = (id: string): number => places.get(id) ?? Infinity;
  // The first item in the order of the list, in whichever order the page is.
  const back: List = list.backward((ids) => ids.reduce((one, other) => (placeOf(other) < placeOf(one) ? other : one)));
  // Behind the cursor of an item is the one before it; a link of a page leads to the page before it.
  const end = ('id' in previous ? last.ids.at(-1) : last.ids[0]) ?? '';
  const target = list.before(end, size) ?? last.previous;
  if (target === undefined) return undefined;
  return { walk: await walk(back, size, target), expected: forward.ids.slice(0, forward.ids.indexOf(end)) };
}

const key: Rule = {
  id: 'key.unchecked',
  title: 'every page needs the key, if the first one does',
  why: 'A client without a key can read the list, if it has or guesses a cursor.',
  change: 'Check the key before the cursor, in one place for all requests.',
  check: async (audited) => {
    const { list } = audited;
    if (!list.session.hasKey) throw new DoesNotApply(say`no key was given`);
    const first = await audited.firstPage(audited.probe);
    const isRejected = ({ status }: { readonly status: number }): boolean =>
      status === 401 || status === 403 || status === 404;
    if (!isRejected(await list.session.get(first.target, 'nobody')))
      throw new DoesNotApply(say`the first page loads without the key`);
    const { pages } = await walk(list, audited.probe, first.target, Infinity, 4);
    if (pages.length < 2) throw new DoesNotApply(say`the list has one page`);
    for (const [at, { target }] of pages.entries()) {
      const page = await list.probe(target, 'nobody');
      if (!isPage(page) || page.ids.length === 0) continue;
      throw failure(page, say`401 or 403`, say`page ${at + 1} loads without the key`, returned(page));
    }
  },
};

export const LIST_RULES: readonly Rule[] = [above, multiple, home, total, back, key];

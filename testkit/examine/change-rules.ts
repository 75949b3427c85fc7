/** Rules of pagination over lists that change meanwhile, and over a server whose pages do not advance. */
import type { Action } from '../cues.ts';
import type { Run } from './client.ts';
import { assertDone, assertLoud, assertSame, assertThat, differenceOf } from './judge.ts';
import { everyItemOf, forEachRun } from './rule.ts';
import type { Rule } from './rule.ts';
import { automations, idsOf, idsWithStatus, pageOf, recordsOf } from './scenario.ts';
import type { Scenario } from './scenario.ts';
import { UNREADABLE } from './task.ts';
import type { ListOptions } from './task.ts';

const LIMIT = 3;
const ITEMS = automations(8);
const IDS = idsOf(ITEMS);
const LAST_OF_PAGE_1 = ITEMS[LIMIT - 1];
const NEW = recordsOf('automations', 9)
  .slice(-1)
  .map((it) => ({ ...it, created_at: '2027-01-01 00:00:00+00' })); // Its id is not in the list.

const PAGES: Scenario = {
  task: { do: 'list-all', collection: 'automations', limit: LIMIT },
  records: { automations: ITEMS },
};

/** @returns a scenario in which actions happen when the second page is requested, before its response. */
const atPage2 = (then: readonly Action[], options: ListOptions = {}, cursor = LAST_OF_PAGE_1?.id): Scenario => ({
  ...PAGES,
  task: { do: 'list-all', collection: 'automations', limit: LIMIT, ...options },
  prepare: (account) => {
    account.cue({ when: { operation: 'listAutomations', cursor }, then });
  },
});
const remove = (...indexes: readonly number[]): Action => ({
  remove: { collection: 'automations', ids: indexes.map((it) => String(IDS[it])) },
});

const INSERT = atPage2([{ put: { collection: 'automations', records: NEW } }]);
const REMOVED = [0, 5]; // One that has been read, and one that has not.
const REMOVAL = atPage2([remove(...REMOVED)]);
const CHANGED = ITEMS.filter((it) => it.status === 'enabled')[1]; // The last item of a page of two.
const STATUS_CHANGE = atPage2(
  CHANGED === undefined ? [] : [{ put: { collection: 'automations', records: [{ ...CHANGED, status: 'disabled' }] } }],
  { limit: 2, status: 'enabled' },
  CHANGED?.id,
);
/** Lists whose first cursor is removed, forward and backward, each with the other ids. */
const VANISHED = [
  { ids: IDS, at: LIMIT - 1 },
  { ids: IDS.slice(0, -1), at: IDS.length - 1 - LIMIT, before: IDS.at(-1) },
].map(({ ids, at, before }) => ({ ...atPage2([remove(at)], { before }, IDS[at]), ids, gone: IDS[at] }));
/** A rule of retries judges them too. */
export const VANISHED_CURSORS: readonly Scenario[] = VANISHED;

const BACKWARD: Scenario['task'] = { do: 'list-all', collection: 'automations', limit: LIMIT, before: IDS.at(-1) };
const IMPORTS = recordsOf('contactImports', LIMIT + 1);
/** The third page for ever; backward, the first one for ever, and empty pages for ever. */
const STANDING_STILL: readonly Scenario[] = [
  { ...PAGES, respond: (_, nth) => pageOf(ITEMS.slice(LIMIT * Math.min(nth - 1, 2)).slice(0, LIMIT), true) },
  { task: BACKWARD, respond: () => pageOf(ITEMS.slice(0, LIMIT), true) },
  {
    task: { do: 'list-all', collection: 'contactImports', limit: LIMIT, before: IMPORTS.at(-1)?.id },
    respond: (_, nth) => pageOf(nth === 1 ? IMPORTS.slice(0, LIMIT) : [], true),
  },
];
/** A client that has sent so many requests for a list that does not advance would go on. */
const MAX_REQUESTS = 20;

/** @throws Failure unless the client has printed these ids, besides those that it may print. */
function assertEveryBesides(
  run: Run,
  ids: readonly string[],
  optional: readonly string[],
  expected = 'every item that was there all the time, once',
): void {
  assertDone(run, expected);
  const lines = run.printed.lines.filter((it) => !optional.includes(it));
  assertSame(run, expected, differenceOf(lines, ids));
}

const EVERY_ITEM = 'pagination.every_item';

export const CHANGE_RULES: readonly Rule[] = [
  {
    id: 'pagination.insert_at_head',
    title: 'a new item at the head of the list neither repeats nor hides other items',
    reason: 'Lists grow while they are read; a client that counts positions then reads an item twice.',
    dependsOn: [EVERY_ITEM],
    check: (examined) =>
      forEachRun(examined, [INSERT], (run) => {
        assertEveryBesides(run, IDS, idsOf(NEW));
      }),
  },
  {
    id: 'pagination.removal',
    title: 'the removal of items hides no other items',
    reason: 'A client that counts positions skips an item for each one that is removed before it.',
    dependsOn: [EVERY_ITEM, 'pagination.limit'],
    check: (examined) =>
      forEachRun(examined, [REMOVAL], (run) => {
        const [read, unread] = REMOVED.map((it) => String(IDS[it]));
        assertEveryBesides(
          run,
          IDS.filter((it) => it !== unread && it !== read),
          [String(read)],
        );
      }),
  },
  {
    id: 'pagination.status_change',
    title: 'the traversal continues from an item that no longer matches the filter',
    reason: 'The cursor is a position in the unfiltered list, so the item at the cursor may leave the filter.',
    dependsOn: [EVERY_ITEM, 'pagination.filter'],
    check: everyItemOf(STATUS_CHANGE, idsWithStatus(ITEMS, 'enabled')),
  },
  {
    id: 'pagination.vanished_cursor',
    title:
      'if the item at the cursor is removed, with `--before` too, the client reports 404 or prints every other item, never a part',
    reason: 'The response is 404. A client that takes it for the end of the list loses the rest without a word.',
    dependsOn: [EVERY_ITEM, 'pagination.before', 'errors.not_found'],
    check: (examined) =>
      forEachRun(examined, VANISHED, (run, index) => {
        const { ids, gone } = VANISHED[index] ?? { ids: IDS };
        const status = examined.contract.problemStatus.not_found;
        const { broken, error } = run.printed;
        const expected = `the ids of all other items, or \`error ${String(status)} not_found\``;
        const isReported = error?.status === status && error.name === 'not_found';
        if (broken === undefined && isReported) return;
        const others = ids.filter((it) => it !== gone);
        assertEveryBesides(run, others, [String(gone)], expected);
      }),
  },
  {
    id: 'pagination.no_loop',
    title: `a server that sends the same page or empty pages for ever is an error, with \`--before\` too, after no more than ${String(MAX_REQUESTS)} requests`,
    reason:
      'A proxy that drops the query must not keep a client busy for ever; a list that ends without an error is taken for the whole.',
    dependsOn: [EVERY_ITEM],
    check: (examined) =>
      forEachRun(examined, STANDING_STILL, (run) => {
        const { length } = run.requests;
        const expected = `an error, such as \`error 200 ${UNREADABLE}\`, after no more than ${String(MAX_REQUESTS)} requests: \`has_more\` is true, so items are missing`;
        assertThat(run, length <= MAX_REQUESTS, expected, `${String(length)} requests or more`);
        assertLoud(run, expected);
      }),
  },
];

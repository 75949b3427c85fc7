/** Rules of pagination, over lists that do not change. */
import { isDeepStrictEqual } from 'node:util';
import type { Collection } from '../../contract/collections.ts';
import type { Run } from './client.ts';
import { NotChecked } from '../../audit/rules/rule.ts';
import { say } from '../../audit/rules/text.ts';
import { DRIVER_RUNS, PROBE } from './driver-rules.ts';
import {
  assertEvery,
  assertLoud,
  assertNoneTwice,
  assertOrder,
  assertThat,
  failureOf,
  isId,
  isSame,
  requestsOfTask,
} from './judge.ts';
import type { LoggedRequest } from './log.ts';
import { everyItemOf, forEachCase, forEachRun } from './rule.ts';
import type { Examined, Rule } from './rule.ts';
import { BASE_PATH, automations, idsOf, idsWithStatus, recordsOf, shortPages } from './scenario.ts';
import type { Scenario } from './scenario.ts';
import type { ListOptions, ListTask } from './task.ts';
import { COMPRESSION, SHORT_LISTS } from './value-rules.ts';

/** The largest limit of a list; a test holds it, and the id of its rule, to the contract. */
export const MAX_LIMIT = 100;

const LIMIT = 'pagination.limit';
const ONE = 'pagination.one_page';
const EVERY_ITEM = 'pagination.every_item';
const FILTER = 'pagination.filter';
const FROM = { after: 'pagination.after', before: 'pagination.before' } as const;

type Listed = Scenario & { readonly task: ListTask };
type Kind = ListTask['do'];

/** @returns a scenario with automations, every other one of which is disabled. */
const ofAutomations = (task: Kind, count: number, options: ListOptions = {}): Listed => ({
  task: { do: task, collection: 'automations', ...options },
  records: { automations: automations(count) },
});

const of = (collection: Collection, count: number, options: ListOptions = {}, task: Kind = 'list-all'): Listed => ({
  task: { do: task, collection, ...options },
  records: { [collection]: recordsOf(collection, count) },
});

/** @returns the ids of the list of a scenario, without its filter. */
const listIds = ({ task, records = {} }: Listed): readonly string[] => idsOf(records[task.collection] ?? []);

const ONE_PAGE = PROBE;
const PAGES = ofAutomations('list-all', 8, { limit: 3 });
// With the default limit of each list: twelve pages.
const ALL_PROPERTIES = of('contactProperties', 235);
const ALL_IMPORTS = of('contactImports', 115);
const ALL: readonly Listed[] = [PAGES, ALL_PROPERTIES, ALL_IMPORTS];
/** The text of a later time may come first, on a page too: UTC offsets differ. */
const MIXED_TIMES = ['15:00:00+02', '12:59:00+00', '14:00:00+01:30', '09:00:00.5-03', '12:00:00+00'];
const MIXED: Listed = {
  ...of('contactImports', 0, { limit: 3 }),
  records: {
    contactImports: recordsOf('contactImports', MIXED_TIMES.length, (index) => ({
      created_at: `2026-04-16 ${MIXED_TIMES[index] ?? ''}`,
    })),
  },
};
const TIES: Listed = {
  ...ofAutomations('list-all', 0, { limit: 3 }),
  records: {
    automations: recordsOf('automations', 8, () => ({ created_at: '2026-04-16 13:00:00+00' })).toSorted((a, b) =>
      a.id < b.id ? 1 : -1,
    ),
  },
};
const FULL = of('contactImports', 6, { limit: 3 });
const EMPTY: readonly Listed[] = [of('contactImports', 0), ofAutomations('list', 0, { status: 'enabled' })];
const ONE_ITEM = ofAutomations('list-all', 1, { limit: 3 });
const LIMIT_1 = ofAutomations('list-all', 4, { limit: 1, after: automations(1)[0]?.id });
const LIMIT_100 = of('contactProperties', 130, { limit: MAX_LIMIT });
// More pages and items than the limits that clients set themselves.
const MANY = ofAutomations('list-all', 1050, { limit: 50 });
const CURSOR = 6;
const MANY_BEFORE = 23;
const idAt = (collection: Collection, at: number): string | undefined => recordsOf(collection, at + 1)[at]?.id;
const BEFORE = ofAutomations('list-all', MANY_BEFORE + 3, { limit: 2, before: idAt('automations', MANY_BEFORE) });
const BEFORE_PAGE = of('contactImports', 9, { limit: 2, before: idAt('contactImports', CURSOR) }, 'list');
const AFTER = ofAutomations('list-all', 9, { limit: 3, after: idAt('automations', 1) });
const AFTER_PAGE = of('contactProperties', 9, { limit: 3, after: idAt('contactProperties', 1) }, 'list');

const NINE = automations(9);
const IMPORTS = recordsOf('contactImports', 9, (index) => ({
  status: (['completed', 'failed', 'queued'] as const)[index % 3] ?? 'failed',
}));
const importsOf = (status: string): readonly string[] => idsOf(IMPORTS.filter((it) => it.status === status));
const ofStatus = (task: Kind, status: string, after?: string): Listed => ({
  task: { do: task, collection: 'contactImports', limit: 2, status, after },
  records: { contactImports: IMPORTS },
});
// Of which half have two pages of the default size.
const FIFTY = 50;
/** Lists with a filter, each with the ids of the task. */
const FILTERED: readonly { scenario: Listed; ids: readonly string[]; unlessFailed: string }[] = [
  {
    scenario: ofAutomations('list-all', FIFTY, { status: 'enabled' }),
    ids: idsWithStatus(automations(FIFTY), 'enabled'),
    unlessFailed: EVERY_ITEM,
  },
  {
    scenario: ofStatus('list', 'queued'),
    ids: importsOf('queued').slice(0, 2),
    unlessFailed: 'values.unfinished_in_list',
  },
  { scenario: ofStatus('list-all', 'failed', IMPORTS[0]?.id), ids: importsOf('failed'), unlessFailed: FROM.after },
  {
    scenario: ofAutomations('list-all', 9, { limit: 2, status: 'enabled', before: idsOf(NINE)[CURSOR] }),
    ids: idsWithStatus(NINE.slice(0, CURSOR), 'enabled'),
    unlessFailed: FROM.before,
  },
];

const SHORT_ITEMS = automations(6);
/** Pages that are shorter than the limit, although more items follow. */
const SHORT: Listed = {
  task: { do: 'list-all', collection: 'automations', limit: 3 },
  respond: shortPages(SHORT_ITEMS),
};

/** The same, before an item, and below a path, which a rule of requests judges. */
export const SHORT_BEFORE: Listed = {
  ...SHORT,
  task: { ...SHORT.task, before: SHORT_ITEMS.at(-1)?.id },
  basePath: BASE_PATH,
};

/** @throws Failure unless each request for another page has the last id of the page before as its cursor. */
export function assertCursors(run: Run, name: 'after' | 'before'): void {
  let cursor: string | undefined;
  let isLast = false;
  const requests = requestsOfTask(run);
  for (const [index, request] of requests.entries()) {
    const { query, page } = request;
    const sent = query[name];
    const isNext = (it: LoggedRequest): boolean => cursor !== undefined && isId(cursor, it.query[name]);
    // A page that is requested again is the subject of another rule.
    const isRepeated = requests.slice(0, index).some((it) => isSame(it, request));
    if (isRepeated && !isNext(request) && (isLast || requests.slice(index).some(isNext))) continue;
    if (index > 0 && cursor !== undefined && !isNext(request)) {
      const which = name === 'after' ? 'last' : 'first';
      const expected = `request ${String(index + 1)} with ${name}=${cursor}, the id of the ${which} item of the page before`;
      throw failureOf(run, expected, sent === undefined ? `no ${name}` : `${name}=${String(sent)}`);
    }
    cursor = (name === 'after' ? page?.ids.at(-1) : page?.ids[0]) ?? cursor;
    isLast = page?.hasMore === false;
  }
}

/** @throws Failure unless every request has the parameter of the task. */
export function assertOnEachRequest(run: Run, name: 'limit' | 'status', value: string): void {
  const requests = requestsOfTask(run);
  const index = requests.findIndex((it) => it.query[name] !== value);
  const sent = requests[index]?.query[name];
  assertThat(
    run,
    index === -1,
    `${name}=${value} in every request`,
    sent === undefined
      ? `request ${String(index + 1)} has no ${name}`
      : `request ${String(index + 1)} has ${name}=${String(sent)}`,
  );
}

/** Checks the runs of `list` and of `list-all`, each only if it works without options. */
const forEachList = (examined: Examined, scenarios: readonly Listed[], check: (run: Run) => void): Promise<void> =>
  forEachCase(
    examined,
    scenarios.map((scenario) => ({ scenario, check, unlessFailed: scenario.task.do === 'list' ? ONE : EVERY_ITEM })),
  );

export const PAGINATION_RULES: readonly Rule[] = [
  {
    id: LIMIT,
    title: 'every request has the limit of the task',
    reason: 'Without it, later pages have the default size, and a long list takes more requests than it should.',
    dependsOn: [DRIVER_RUNS],
    check: (examined) =>
      forEachRun(examined, [PAGES, LIMIT_1, LIMIT_100, ONE_PAGE, AFTER, BEFORE], (run) => {
        const { limit } = run.scenario.task as ListTask; // These are lists.
        assertOnEachRequest(run, 'limit', String(limit));
      }),
  },
  {
    id: ONE,
    title: '`list` reads one page, and prints its items in order',
    reason: 'A call for one page that reads the whole list is slow, and exceeds the rate limit.',
    dependsOn: [LIMIT],
    check: (examined) =>
      forEachRun(examined, [ONE_PAGE], (run) => {
        if (run.scenario.task.do !== 'list') throw new NotChecked(say`the client does not support list automations`);
        const ids = listIds(ONE_PAGE).slice(0, ONE_PAGE.task.limit);
        assertOrder(run, ids);
        const other = requestsOfTask(run).find((it, _, [first]) => first !== undefined && !isSame(it, first));
        assertThat(run, other === undefined, 'requests for one page only', 'requests for several pages');
      }),
  },
  {
    id: 'pagination.cursor',
    title: 'the cursor of the next page is the id of the last item',
    reason: 'With any other cursor, items are skipped or read twice.',
    dependsOn: [DRIVER_RUNS],
    check: (examined) =>
      forEachRun(examined, ALL, (run) => {
        assertCursors(run, 'after');
      }),
  },
  {
    id: EVERY_ITEM,
    title: '`list-all` prints every item of every page, each once',
    reason: 'A client that reads one page loses all other items. Short lists hide it.',
    dependsOn: [DRIVER_RUNS, 'pagination.cursor'],
    check: (examined) =>
      forEachRun(examined, ALL, (run, index) => {
        assertEvery(run, listIds(ALL[index] ?? PAGES));
      }),
  },
  {
    id: 'pagination.order',
    title: '`list-all` prints the items in the order of the list',
    reason: 'Users expect the newest item first, across pages too.',
    dependsOn: [EVERY_ITEM],
    check: (examined) =>
      forEachRun(examined, [...ALL, MIXED], (run, index) => {
        assertOrder(run, listIds([...ALL, MIXED][index] ?? PAGES));
      }),
  },
  {
    id: 'pagination.ties',
    title: 'items with the same created_at are printed, each once and in the order of the list',
    reason: 'A bulk operation creates many items in one moment: a time identifies no item, and is no cursor.',
    dependsOn: [EVERY_ITEM, 'pagination.order'],
    check: (examined) =>
      forEachRun(examined, [TIES], (run) => {
        assertOrder(run, listIds(TIES));
      }),
  },
  {
    id: 'pagination.stop_by_has_more',
    title: '`has_more` decides whether another page follows, not the length of a page',
    reason: 'A page may be shorter than the limit although more items follow, and the last page may be full.',
    dependsOn: [EVERY_ITEM, COMPRESSION],
    check: (examined) =>
      forEachRun(examined, [SHORT, FULL, ...SHORT_LISTS], (run) => {
        if (SHORT_LISTS.includes(run.scenario)) {
          const isOpen = run.requests.every(({ page }) => page?.hasMore !== false);
          if (isOpen) assertLoud(run, 'another request after a page whose has_more is true');
          return; // Other rules are about the items.
        }
        const isShort = run.scenario.respond !== undefined;
        assertEvery(run, isShort ? idsOf(SHORT_ITEMS) : listIds(FULL));
        if (!isShort) {
          const requests = requestsOfTask(run);
          const last = requests.findIndex(({ page }) => page?.hasMore === false);
          const other = requests
            .slice(last)
            .find((it) => !requests.slice(0, last + 1).some((page) => isSame(page, it)));
          assertThat(run, other === undefined, 'no request after the page whose has_more is false', 'another request');
        }
      }),
  },
  {
    id: 'pagination.empty',
    title: 'an empty list is a result without items, not an error',
    reason: 'Every new account has empty lists.',
    dependsOn: [DRIVER_RUNS],
    check: (examined) =>
      forEachCase(
        examined,
        EMPTY.map((scenario) => ({
          scenario,
          unlessFailed: scenario.task.status === undefined ? undefined : FILTER,
          check: (run) => {
            assertEvery(run, []);
          },
        })),
      ),
  },
  {
    id: 'pagination.one_item',
    title: 'a list of one item has one item and one page',
    reason: 'The shortest list has no second page.',
    dependsOn: [EVERY_ITEM],
    check: everyItemOf(ONE_ITEM, listIds(ONE_ITEM)),
  },
  {
    id: 'pagination.limit_1',
    title: '`list-all` works with the smallest limit, 1',
    reason: 'The first and the last item of a page are then the same.',
    dependsOn: [EVERY_ITEM, FROM.after],
    check: everyItemOf(LIMIT_1, listIds(LIMIT_1).slice(1)),
  },
  {
    id: 'pagination.limit_100',
    title: '`list-all` works with the largest limit, 100',
    reason: 'Long lists are read with the largest pages.',
    dependsOn: [EVERY_ITEM, LIMIT],
    check: everyItemOf(LIMIT_100, listIds(LIMIT_100)),
  },
  {
    id: 'pagination.many_pages',
    title: '`list-all` reads a list of 1,050 items on 21 pages',
    reason: 'A limit that a client sets itself, such as ten pages or 1,000 items, cuts long lists without a word.',
    dependsOn: [EVERY_ITEM, LIMIT],
    check: everyItemOf(MANY, listIds(MANY)),
  },
  {
    id: FILTER,
    title: 'every page has the filter of the task, and as its cursor the item at the end of the page before',
    reason:
      'A filter that is lost after the first page adds items that the task does not ask for; another cursor skips or repeats some.',
    dependsOn: [LIMIT, ONE, 'requests.path'],
    check: (examined) =>
      forEachCase(
        examined,
        FILTERED.map(({ scenario, ids, unlessFailed }) => ({
          scenario,
          unlessFailed,
          check: (run) => {
            assertOnEachRequest(run, 'status', scenario.task.status ?? '');
            if (scenario.task.do === 'list-all')
              assertCursors(run, scenario.task.before === undefined ? 'after' : 'before');
            assertEvery(run, ids);
          },
        })),
      ),
  },
  {
    id: FROM.after,
    title: '`--after` starts behind an item, and pages go on from there',
    reason: 'A traversal that was interrupted continues where it ended.',
    dependsOn: [LIMIT],
    check: (examined) =>
      forEachList(examined, [AFTER, AFTER_PAGE], (run) => {
        const { do: kind, limit } = run.scenario.task as ListTask; // These are lists.
        const ids = listIds(kind === 'list' ? AFTER_PAGE : AFTER).slice(2);
        assertEvery(run, kind === 'list' ? ids.slice(0, limit) : ids);
      }),
  },
  {
    id: FROM.before,
    title: '`--before` reads newer items: the cursor of the next page is the id of the first item',
    reason: 'Pages before an item go the other way: with the cursor of the wrong end they repeat or skip items.',
    dependsOn: [LIMIT],
    check: (examined) =>
      forEachList(examined, [BEFORE, BEFORE_PAGE], (run) => {
        const { do: kind, limit = 0 } = run.scenario.task as ListTask; // These are lists.
        const ids = kind === 'list' ? listIds(BEFORE_PAGE).slice(0, CURSOR) : listIds(BEFORE).slice(0, MANY_BEFORE);
        assertEvery(run, kind === 'list' ? ids.slice(-limit) : ids);
        if (kind === 'list') return;
        assertCursors(run, 'before');
        const pages = [...new Set(requestsOfTask(run).flatMap(({ page }) => page?.ids ?? []))];
        const isOrdered = [pages, ids, ids.toReversed()].some((it) => isDeepStrictEqual(it, run.printed.lines));
        assertThat(run, isOrdered, 'every page in the same direction', 'ids in another order');
      }),
  },
  {
    id: 'pagination.before_short_page',
    title: 'with `--before` too, `has_more` decides whether another page follows',
    reason:
      'Code that goes backward is separate in many clients, and ends at the first page that is shorter than the limit.',
    dependsOn: [FROM.before, 'pagination.stop_by_has_more'],
    check: everyItemOf(SHORT_BEFORE, idsOf(SHORT_ITEMS.slice(0, -1))),
  },
  {
    id: 'pagination.no_page_twice',
    title: 'no page is requested twice',
    reason: 'SDKs have requested the first page twice: once for the call, and once for the iterator.',
    dependsOn: [DRIVER_RUNS],
    check: (examined) =>
      forEachRun(examined, [...ALL, FULL, ONE_PAGE, ...EMPTY, BEFORE], (run) => {
        assertNoneTwice(run, requestsOfTask(run), 'each page once');
      }),
  },
];

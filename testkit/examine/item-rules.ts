/** Rules of the items of lists: `records` prints them as they were served. */
import { assertDone, assertSame, differenceOf, failureOf } from './judge.ts';
import { objectIn } from './log.ts';
import { forEachRun } from './rule.ts';
import type { Examined, Rule } from './rule.ts';
import { BASE_PATH, idsOf, pageOf, recordsOf } from './scenario.ts';
import type { Scenario } from './scenario.ts';
import { cut } from './task.ts';
import { differenceOfTexts } from './texts.ts';
import { FORMS, LARGE_COUNTS, NO_COUNTS, RECORD, TEXTS, TIMES } from './value-rules.ts';
import { differenceOfValues, shown } from './values.ts';

const timeOf = (at: number): string => TIMES[at % TIMES.length] ?? '';
const ITEMS = {
  automations: recordsOf('automations', TEXTS.length, (index) => ({
    created_at: timeOf(index),
    updated_at: timeOf(index + 1),
    name: TEXTS[index] ?? '',
    status: index % 2 === 0 ? ('enabled' as const) : ('disabled' as const),
  })),
  contactProperties: recordsOf('contactProperties', TEXTS.length, (index) => ({
    ...(FORMS[index] ?? { type: 'string', fallback_value: ` ${TEXTS.join('')} ` }),
    created_at: timeOf(index),
    key: TEXTS[index] ?? '',
  })),
  contactImports: recordsOf('contactImports', TIMES.length, (index) => {
    const completed = index % 2 === 0 ? { status: 'completed' as const, completed_at: timeOf(index + 1) } : undefined;
    const queued = { status: 'queued' as const, completed_at: null };
    return { ...(completed ?? queued), created_at: timeOf(index), counts: completed ? LARGE_COUNTS : NO_COUNTS };
  }),
};
/** Pages with every text, and a property that is not in the contract. The chunks in which they arrive end within characters. */
const SCENARIOS = (Object.keys(ITEMS) as (keyof typeof ITEMS)[]).map((collection) => ({
  // `Object.keys` returns `string[]`.
  task: { do: 'records' as const, collection },
  ...(collection === 'contactImports' && { basePath: BASE_PATH }),
  respond: () => ({
    ...pageOf(
      ITEMS[collection].map((it) => ({ ...it, note: 'new' })),
      false,
    ),
    chunkBytes: 61,
  }),
  items: ITEMS[collection],
}));
/** Those below a path, which a rule of requests judges too. */
export const RECORDS_BELOW: readonly Scenario[] = SCENARIOS.filter((it) => 'basePath' in it);
/** The properties that may have any text. */
const WRITTEN = ['name', 'key', 'fallback_value'];

const LISTS = ['values.fallback_value', 'values.unicode', 'values.unfinished_in_list'];
type Properties = Readonly<Record<string, unknown>>;

/**
 * Judges the items that clients have printed as records.
 * @param difference returns the first difference of an item that was served, and of what was printed for it.
 */
const checkItems = (
  examined: Examined,
  difference: (served: Properties, printed: Properties) => string | undefined,
): Promise<void> =>
  forEachRun(examined, SCENARIOS, (run, index) => {
    const items: readonly (Properties & { readonly id: string })[] = SCENARIOS[index]?.items ?? [];
    const expected = `${String(items.length)} lines, each with the JSON of an item`;
    assertDone(run, expected);
    const printed = run.printed.lines.map((line) => {
      const value = objectIn(line);
      if (value === undefined) throw failureOf(run, expected, `a line that is no object of JSON: ${cut(line)}`);
      return value;
    });
    const ids = printed.map((it) => String(it['id']));
    assertSame(run, expected, differenceOf(ids, idsOf(items)));
    for (const [at, item] of items.entries()) {
      const found = difference(item, printed[ids.indexOf(item.id)] ?? {});
      const where = `item ${String(at + 1)} of ${String(items.length)}`;
      assertSame(run, expected, found && `${where}: ${found}`);
    }
  });

/** Whether a rule of its own is about a property. A `fallback_value` may be none. */
const isText = (name: string, served: Properties, printed: Properties): boolean =>
  name === 'fallback_value'
    ? typeof served[name] === 'string' && typeof printed[name] === 'string'
    : name in served && WRITTEN.includes(name);

/** @returns how a text that somebody has written was changed. */
function differenceOfText(name: string, served: unknown, printed: unknown): string | undefined {
  if (served === printed) return undefined;
  if (printed === undefined) return `${name} is missing`;
  const areTexts = typeof served === 'string' && typeof printed === 'string';
  return `${name} is ${areTexts ? differenceOfTexts(served, printed) : `${shown(printed)}, not ${shown(served)}`}`;
}

export const ITEM_RULES: readonly Rule[] = [
  {
    id: 'values.items',
    title: '`records` prints the items of a page with all their values',
    reason:
      'A client may read a record well, and change the items of a list: numbers become strings, null becomes empty, `updated_at` loses its offset.',
    dependsOn: [
      RECORD,
      ...['counts', 'null_completed_at', 'fractions', 'offsets'].map((it) => `values.${it}`),
      ...LISTS,
      'values.unknown_properties',
    ],
    check: (examined) =>
      checkItems(examined, (served, printed) => {
        const others = Object.entries(served).filter(([name]) => !isText(name, served, printed));
        return differenceOfValues(Object.fromEntries(others), printed);
      }),
  },
  {
    id: 'values.texts',
    title: '`records` prints names, keys and the texts of `fallback_value` with every character',
    reason: 'A client that reads UTF-8 as Latin-1, trims or escapes shows other names than those that people wrote.',
    dependsOn: ['values.items'],
    check: (examined) =>
      checkItems(examined, (served, printed) =>
        WRITTEN.filter((name) => isText(name, served, printed))
          .map((name) => differenceOfText(name, served[name], printed[name]))
          .find((it) => it !== undefined),
      ),
  },
];

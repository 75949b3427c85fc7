/** Rules of values: every value that the contract allows is read, and printed unchanged. */
import type { Collection } from '../../contract/collections.ts';
import type { Schemas } from '../../contract/types.ts';
import { DRIVER_RUNS } from './driver-rules.ts';
import { assertDone, assertEvery, assertSame, failureOf, printedText } from './judge.ts';
import type { Run } from './client.ts';
import { forEachCase, forEachRun } from './rule.ts';
import type { Rule } from './rule.ts';
import { BASE_PATH, idsOf, pageOf, recordsOf, shortPages } from './scenario.ts';
import type { Scenario } from './scenario.ts';
import { differenceOfValues } from './values.ts';

type ContactImport = Schemas['ContactImport'];

/** @returns a scenario that gets an import with these values. */
function getOf(overrides: Partial<ContactImport>): Scenario & { readonly record: ContactImport } {
  const [record] = recordsOf('contactImports', 1, () => overrides);
  if (record === undefined) throw new Error('A record was asked for.');
  return { task: { do: 'get', id: record.id }, records: { contactImports: [record] }, record };
}

// Other rules are about other timestamps and counts.
const PLAIN = { created_at: '2026-04-16 13:49:40.000+00', completed_at: '2026-04-16 13:52:08.004+00' };
/** A record, which rules of requests judge too. */
export const PLAIN_GET = getOf(PLAIN);
/** The largest count; a test holds it to the contract. */
export const MAX_COUNT = Number.MAX_SAFE_INTEGER;
/** Each is above 2^32. */
export const LARGE_COUNTS = {
  total: MAX_COUNT,
  created: 2 ** 32 + 1,
  updated: 2 ** 33 + 3,
  skipped: MAX_COUNT - 1,
  failed: 2 ** 32 + 5,
};
const COUNTS = [getOf({ ...PLAIN, counts: LARGE_COUNTS })];
export const NO_COUNTS = { total: 0, created: 0, updated: 0, skipped: 0, failed: 0 };
const { created_at } = PLAIN;
const UNFINISHED = [getOf({ created_at, status: 'queued' }), getOf({ created_at, status: 'in_progress' })];
// In pairs: when an import was created, and when it was completed.
const FRACTIONS = [
  ['', '.6'],
  ['.67', '.6789'],
  ['.67891', '.678912'],
] as const;
const OFFSETS = [
  ['-00:00', '+05:45'],
  ['+14', '-09:30'],
] as const;
const timedOf = (created: string, completed: string): Scenario & { readonly record: ContactImport } =>
  getOf({ created_at: `2026-02-28 23:59:59${created}`, completed_at: `2026-03-02 12:00:00${completed}` });
const FRACTION_RUNS = FRACTIONS.map(([created, completed]) => timedOf(`${created}+00`, `${completed}+00`));
const OFFSET_RUNS = OFFSETS.map(([created, completed]) => timedOf(`.250${created}`, `.500${completed}`));

/** Times of items, in the same forms and others. */
export const TIMES = [...FRACTIONS, ['.000001', '.678'] as const]
  .flat()
  .map((fraction, at) => `2026-02-28 23:59:59${fraction}${[...OFFSETS.flat(), '+00', '-12'][at % 6] ?? ''}`);

type Listed = Scenario & { readonly ids?: readonly string[] };
const property = (overrides: readonly Partial<Schemas['ContactProperty']>[]): Scenario => ({
  task: { do: 'list-all', collection: 'contactProperties' },
  records: { contactProperties: recordsOf('contactProperties', overrides.length, (index) => overrides[index] ?? {}) },
});
/** Texts that clients change. */
export const TEXTS = [
  'Zo\u00eb',
  '',
  ' ',
  'Zoe\u0308', // The same name, decomposed.
  '\u65e5\u672c\u8a9e \u0e44\u0e17\u0e22',
  '\u05e9\u05dc\u05d5\u05dd \u202e\u0645\u0631\u062d\u0628\u0627',
  '\u{1f469}\u200d\u{1f469}\u200d\u{1f467} \u{1f1ea}\u{1f1fa}', // Joined, and outside of the basic plane.
  'a\u0001\u001b[31m\u007f\u0085', // Control characters.
  'a\nb\r\nc\td',
  '\u2028\u2029', // Lines for JavaScript.
  '\ufeff\uffff\u{10ffff}',
  '"\\/\b\f</script>&amp;%00${x}',
  ' \u00a0a  b\u3000', // Blanks.
  '\ufb01 \uff21 \u00b2', // Compatibility characters.
  'Zo\u00c3\u00ab', // As it is written, not UTF-8 that was decoded wrongly.
  'a\\nb \\u00e9 %41 &lt;b&gt;', // Escapes of others.
  '007',
  'null',
  '2026-04-16T13:49:40.5+02:00',
  'Hi {{first_name}} %20',
  '\ue000\uf8ff', // Private ones.
  ...['constructor', 'first_name'],
  '\u00e9'.repeat(1000),
];
/** Every form of a fallback value, with the types that have it. */
export const FORMS = [
  ...['friend', '', '0', 'null', 'true', '1e3'].map((it) => ({ type: 'string', fallback_value: it })),
  ...[0, 1, -4294967301.25, 1e-7, MAX_COUNT, -MAX_COUNT, 0.1].map((it) => ({ type: 'number', fallback_value: it })),
  ...['string', 'number', 'date'].map((it) => ({ type: it, fallback_value: null })),
  { type: 'Number', fallback_value: 7 },
  { type: ' date', fallback_value: '2026-01-01' },
  { type: '', fallback_value: 'TRUE' },
];
const FALLBACKS = property(FORMS);
/** Types that are not known. */
const TYPED = ['date', 'boolean', 'list of strings', '', 'STRING', '\u{1f4c5}'].map((type) => ({
  type,
  fallback_value: 'friend',
}));
/** @returns a list with short pages, below a path, compressed for clients that accept it: rules of pagination and of requests judge it too. */
const shortListOf = (collection: Collection, items: readonly { readonly id: string }[]): Listed => ({
  ...{ task: { do: 'list-all', collection }, basePath: BASE_PATH },
  ids: idsOf(items),
  respond: (request) => ({ ...shortPages(items)(request), isCompressible: true }),
});
const TYPES = shortListOf(
  'contactProperties',
  recordsOf('contactProperties', TYPED.length, (at) => TYPED[at] ?? {}),
);
const UNICODE: Scenario = {
  task: { do: 'list-all', collection: 'automations', limit: 5 },
  records: { automations: recordsOf('automations', TEXTS.length, (index) => ({ name: TEXTS[index] ?? '' })) },
};

const STATUSES = ['queued', 'in_progress', 'failed', 'completed', 'queued'] as const;
const MIXED_IMPORTS = shortListOf(
  'contactImports',
  recordsOf('contactImports', STATUSES.length, (index) => ({ status: STATUSES[index] ?? 'queued' })),
);
export const SHORT_LISTS: readonly Scenario[] = [TYPES, MIXED_IMPORTS];
/** The longest `fallback_value`; a test holds it to the contract. */
export const MAX_TEXT = 10_000;
// With the longest values, of two bytes for each character, the page has about 2 MB.
const LARGE: Scenario = {
  task: { do: 'list', collection: 'contactProperties', limit: 100 },
  alternative: { do: 'list-all', collection: 'automations', limit: 100 },
  records: {
    automations: recordsOf('automations', 100, () => ({ name: '\u00e9'.repeat(1000) })),
    contactProperties: recordsOf('contactProperties', 100, () => ({
      type: 'string',
      fallback_value: '\u00e9'.repeat(MAX_TEXT),
    })),
  },
};
const COMPRESSED_ITEMS = recordsOf('automations', 8);
/** A page below a path, which a rule of requests judges too. */
export const COMPRESSED: Scenario = {
  task: { do: 'list', collection: 'automations' },
  alternative: { do: 'list-all', collection: 'automations' },
  basePath: BASE_PATH,
  respond: () => ({ ...pageOf(COMPRESSED_ITEMS, false), isCompressible: true }),
};

const HEADERS: Scenario = {
  ...getOf(PLAIN),
  headers: {
    'X-New-Header': 'a, b; c="d"',
    Deprecation: '@1767225600',
    Link: '</automations?limit=1>; rel="next"',
    'Server-Timing': 'db;dur=1.5',
    'Set-Cookie': 'session=1; Path=/; HttpOnly',
  },
};

const EXTENDED = getOf(PLAIN);
const NEW_PROPERTIES = { note: 'new', tags: [], owner: { id: 1 }, ratio: 0.5, nothing: null };
/** A record below a path, which a rule of requests judges too. */
export const PROPERTIES_OF_GET: Scenario = {
  ...EXTENDED,
  basePath: BASE_PATH,
  respond: () => ({
    status: 200,
    isCompressible: true,
    body: JSON.stringify({
      ...NEW_PROPERTIES,
      ...EXTENDED.record,
      counts: { ...EXTENDED.record.counts, ignored: 3 },
    }),
  }),
};
const EXTENDED_LIST = recordsOf('automations', 2);
const PROPERTIES_OF_LIST: Scenario = {
  task: { do: 'list-all', collection: 'automations' },
  respond: () => {
    const { status, body } = pageOf(
      EXTENDED_LIST.map((it) => ({ ...it, ...NEW_PROPERTIES })),
      false,
    );
    return { status, body: JSON.stringify({ ...NEW_PROPERTIES, ...(JSON.parse(body) as object), total: 2 }) };
  },
};

/** @throws Failure unless the client has printed a record with the same values. */
function assertRecord(run: Run, record: unknown): void {
  const expected = JSON.stringify(record);
  assertDone(run, expected);
  let value: unknown;
  try {
    const [line = '', ...others] = run.printed.lines;
    if (others.length > 0) throw new SyntaxError();
    value = JSON.parse(line);
  } catch {
    throw failureOf(run, expected, `not one line of JSON: ${printedText(run)}`);
  }
  assertSame(run, expected, differenceOfValues(record, value));
}

type GetScenario = Scenario & { readonly record?: unknown };

/** @returns a rule about the record that `get` prints. */
function ruleOfGet(
  id: string,
  title: string,
  reason: string,
  scenarios: readonly GetScenario[],
  dependsOn: readonly string[],
): Rule {
  return {
    ...{ id, title, reason, dependsOn },
    check: (examined) =>
      forEachRun(examined, scenarios, (run, index) => {
        assertRecord(run, scenarios[index]?.record);
      }),
  };
}

export const [RECORD, COMPRESSION] = ['values.record', 'values.compressed'];
const EVERY_ITEM = 'pagination.every_item';
/** If a get is not requested rightly, there is no record. */
const REQUESTS = ['requests.key', 'requests.path', 'requests.method', 'requests.parameters'];

/** @returns a rule about lists whose items have difficult values: every item is printed. */
const ruleOfList = (id: string, title: string, reason: string, scenario: Listed, ...dependsOn: string[]): Rule => ({
  ...{ id, title, reason, dependsOn: [EVERY_ITEM, ...dependsOn] },
  check: (examined) =>
    forEachRun(examined, [scenario], (run) => {
      const { task, records = {} } = run.scenario;
      assertEvery(run, scenario.ids ?? idsOf(task.do === 'get' ? [] : (records[task.collection] ?? [])));
    }),
});

export const VALUE_RULES: readonly Rule[] = [
  ruleOfGet(
    RECORD,
    '`get` prints the record with all its values',
    'A value that a client drops, renames or changes is lost for its users.',
    [PLAIN_GET, getOf({ ...PLAIN, status: 'failed', counts: NO_COUNTS })],
    [DRIVER_RUNS, ...REQUESTS],
  ),
  ruleOfGet(
    'values.counts',
    'counts up to 2^53 - 1 are exact',
    'Numbers of 32 bits wrap, end or fail above 2^31 or 2^32, and floating-point ones of single precision are rounded above 2^24.',
    COUNTS,
    [RECORD],
  ),
  ruleOfGet(
    'values.null_completed_at',
    'an import that is not completed has null for `completed_at`',
    'Null means that the import has not ended; an empty string or the year 1 does not.',
    UNFINISHED,
    [RECORD, 'values.counts'],
  ),
  ruleOfGet(
    'values.fractions',
    'a timestamp with 0 to 6 fractional digits remains the same text, or the same instant to the microsecond',
    'The number of digits differs between items; parsers that expect 3 or 6 fail on some of them.',
    FRACTION_RUNS,
    [RECORD],
  ),
  ruleOfGet(
    'values.offsets',
    'a timestamp with any UTC offset remains the same text, or the same instant',
    'A client that drops the offset shifts times by hours.',
    OFFSET_RUNS,
    [RECORD],
  ),
  ruleOfList(
    'values.property_type',
    'a contact property with a type that is not known is accepted',
    'The contract says: accept any other string. A closed enum rejects the whole page.',
    TYPES,
    'pagination.stop_by_has_more',
  ),
  ruleOfList(
    'values.fallback_value',
    'every form of `fallback_value` is accepted: strings, numbers and null',
    'A client with one type for the value rejects the whole page for one item.',
    FALLBACKS,
    'values.property_type',
  ),
  ruleOfList(
    'values.unicode',
    'names may contain any Unicode character',
    'Names come from people: emoji, control characters and right-to-left text must not break a list.',
    UNICODE,
  ),
  ruleOfList(
    'values.unfinished_in_list',
    'a list without a filter has imports of every status, queued ones too',
    'An import that has not ended has null for `completed_at`. A strict type rejects the whole page for it.',
    MIXED_IMPORTS,
    'pagination.stop_by_has_more',
  ),
  ruleOfList(
    'values.large_page',
    'a page of 2 MB is read to its end',
    'A body arrives in many pieces, and texts may be long. A client that reads the first pieces, 64 KiB or 1 MB, loses items or fails.',
    LARGE,
    'pagination.one_page',
    'pagination.limit_100',
    'values.unicode',
  ),
  {
    id: COMPRESSION,
    title: 'a client that asks for gzip decodes it',
    reason: 'Many servers and proxies compress responses for clients that send `Accept-Encoding: gzip`.',
    dependsOn: ['pagination.one_page', 'requests.method', 'requests.path'],
    check: (examined) =>
      forEachRun(examined, [COMPRESSED], (run) => {
        const ids = idsOf(COMPRESSED_ITEMS);
        assertEvery(
          run,
          ids,
          `the ids of ${String(ids.length)} items: the body has \`Content-Encoding: gzip\` if that is asked for`,
        );
      }),
  },
  {
    id: 'values.unknown_headers',
    title: 'unknown headers of a response are ignored',
    reason: 'Proxies and later versions add headers.',
    dependsOn: [RECORD],
    check: (examined) =>
      forEachRun(examined, [HEADERS], (run) => {
        assertRecord(run, HEADERS.records?.contactImports?.[0]);
      }),
  },
  {
    id: 'values.unknown_properties',
    title: 'unknown properties of records and lists are ignored',
    reason: 'A minor version of the contract may add properties without notice.',
    dependsOn: ['driver.runs', COMPRESSION],
    check: (examined) =>
      forEachCase(examined, [
        {
          scenario: PROPERTIES_OF_GET,
          unlessFailed: RECORD,
          check: (run) => {
            assertRecord(run, EXTENDED.record);
          },
        },
        {
          scenario: PROPERTIES_OF_LIST,
          unlessFailed: 'pagination.stop_by_has_more',
          check: (run) => {
            assertEvery(run, idsOf(EXTENDED_LIST));
          },
        },
      ]),
  },
];

/**
 * Holds `rollcall examine` to its claim: `node test/audit/examine/run.ts [NAME...]`. A right client of each way must have no failure. Each
 * faulty one must fail by a rule that is named. Arguments choose clients by a part of their names.
 */
import { join } from 'node:path';
import process from 'node:process';
import { examine } from '../../../audit/examine/examine.ts';
import { SCENARIOS } from '../../../audit/fake/scenarios.ts';
import { KINDS } from '../../../audit/fake/scenario.ts';
import type { Kind } from '../../../audit/fake/scenario.ts';
import { own } from '../../../audit/rules/text.ts';
import { chosenOf, forEach, readChoice, say } from '../../support/catalogue.ts';
import cacheCompiled from '../../support/compile-cache.ts';

const READER = join(import.meta.dirname, 'reader.ts');
const AT_A_TIME = 2;
const TIME_LIMIT_MS = 60_000;

const NEXT: Readonly<Record<Kind, string>> = {
  token: '{ token: cursor, from: next }',
  tokens: '{ tokens: { a: tokens.a, b: tokens.b } }',
  url: '{ url: next }',
  link: '{ link: next }',
  header: '{ header: X-Next }',
  id: '{ id: after, more: more }',
  page: '{ page: page }',
  offset: '{ offset: offset }',
};
const profileOf = (way: Kind, ids: 'strings' | 'numbers' = 'strings'): string => `url: http://localhost:8000/v1/orders
headers: { Authorization: 'Bearer \${KEY}' }
items: items
id: id
size: { param: limit, max: 50, default: 7 }
next: ${NEXT[way]}
filter: { status: open }
get: /v1/orders/{id}
${ids === 'numbers' ? 'sample: { items: [{ id: 17, status: open, name: a }] }' : ''}
`;

interface Faulty {
  readonly fault: string;
  readonly ways: readonly Kind[];
  /** One of these must fail. */
  readonly rules: readonly [string, ...string[]];
  readonly ids?: 'numbers';
  /** One more line of the profile. */
  readonly promise?: string;
}
const LINKS: readonly Kind[] = ['url', 'link'];
const STATED: readonly Kind[] = ['token', 'url', 'link', 'header'];

// prettier-ignore
const FAULTY: readonly Faulty[] = [
  { fault: 'reads one page', ways: ['token', 'id'], rules: ['length.several'] },
  { fault: 'stops at an empty page', ways: STATED, rules: ['page.empty'] },
  { fault: 'stops at a short page', ways: STATED, rules: ['page.short'] },
  { fault: 'takes an error for the end', ways: ['token', 'link', 'page'], rules: ['status.500'] },
  { fault: 'takes a redirect for the end', ways: ['token'], rules: ['redirect.path'] },
  { fault: 'takes HTML for the end', ways: ['token', 'offset'], rules: ['body.html'] },
  { fault: 'takes no body for the end', ways: ['token'], rules: ['body.none'] },
  { fault: 'takes an error with 200 for the end', ways: ['token', 'page'], rules: ['body.error'] },
  { fault: 'takes a closed connection for the end', ways: ['token', 'link'], rules: ['connection.closed', 'body.cut'] },
  { fault: 'retries at once', ways: ['token', 'page'], rules: ['status.429-once'] },
  { fault: 'cannot read a date', ways: ['token'], rules: ['status.429-date-once'] },
  { fault: 'retries 401 for ever', ways: ['token'], rules: ['status.401'] },
  { fault: 'starts again', ways: ['token', 'id'], rules: ['status.500-once'] },
  { fault: 'prints a page again', ways: ['token', 'offset'], rules: ['length.several'] },
  { fault: 'loses the key', ways: ['token', 'page'], rules: ['key.kept'] },
  { fault: 'loses a parameter', ways: ['token', 'id', 'page'], rules: ['params.kept'] },
  { fault: 'sends no parameter', ways: ['offset'], rules: ['params.kept'] },
  { fault: 'loses the size', ways: ['page'], rules: ['length.several', 'params.kept'] },
  { fault: 'sends the key by a redirect', ways: ['token', 'link'], rules: ['redirect.host'] },
  { fault: 'sends the key to the host of a link', ways: LINKS, rules: ['link.host'] },
  { fault: 'reads 64 KiB', ways: ['token'], rules: ['body.large'] },
  { fault: 'reads 100 pages', ways: ['token', 'page'], rules: ['length.260-pages'] },
  { fault: 'does not encode the cursor', ways: ['token'], rules: ['cursor.reserved'] },
  { fault: 'does not encode the cursor', ways: ['id'], rules: ['id.reserved'] },
  { fault: 'writes the cursor in lower case', ways: ['token'], rules: ['length.several', 'cursor.case'] },
  { fault: 'cuts the cursor', ways: ['token'], rules: ['cursor.long'] },
  { fault: 'converts the cursor to a number', ways: ['token'], rules: ['cursor.digits'] },
  { fault: 'follows an empty token', ways: ['token'], rules: ['end.empty'] },
  { fault: 'sends one token of two', ways: ['tokens'], rules: ['length.several'] },
  { fault: 'decodes the link', ways: ['url'], rules: ['link.encoded'] },
  { fault: 'splits links at commas', ways: ['link'], rules: ['link.comma'] },
  { fault: 'takes the first link', ways: ['link'], rules: ['link.others-first'] },
  { fault: 'takes the item before the last for the cursor', ways: ['id'], rules: ['length.several'] },
  { fault: 'never stops', ways: ['page'], rules: ['length.1'] },
  { fault: 'skips a page', ways: ['page'], rules: ['length.several'] },
  { fault: 'begins one item early', ways: ['offset'], rules: ['length.several'] },
  { fault: 'drops ids that differ in case', ways: ['token'], rules: ['id.case'] },
  { fault: 'converts ids to numbers', ways: ['token'], rules: ['id.digits'] },
  { fault: 'cuts ids to 32 bits', ways: ['token'], rules: ['id.large'], ids: 'numbers' },
  { fault: 'does not encode the id', ways: ['token'], rules: ['item.reserved'] },
  { fault: 'takes an error for the item', ways: ['token'], rules: ['item.404'] },
  { fault: 'takes HTML for the item', ways: ['token'], rules: ['item.html'] },
  { fault: 'prints the item twice', ways: ['token'], rules: ['item.found'] },
  { fault: 'retries at once', ways: ['token'], rules: ['item.429-once'] },
  { fault: 'takes no array for the end', ways: ['token'], rules: ['end.empty-object'], promise: 'empty: array' },
];

interface Judged {
  readonly failed: readonly string[];
  /** The first finding, or why nothing was examined. */
  readonly what: string;
  readonly runs: number;
}

async function judge(way: Kind, profile: string, fault?: string, only?: readonly string[]): Promise<Judged> {
  const run = examine({
    profile,
    command: [process.execPath, READER],
    env: { ...process.env, WAY: way, FAULT: fault },
    params: ['status=open'],
    timeLimitMs: TIME_LIMIT_MS,
    signal: new AbortController().signal,
    parallel: 2,
    only,
    again: () => own(''),
  });
  const failed: string[] = [];
  let what = '';
  try {
    for await (const result of run) {
      if (result.outcome !== 'failed') continue;
      failed.push(result.rule);
      if (what === '') what = `${result.findings[0].actual} (${result.findings[0].request})`;
    }
  } catch (error) {
    what = `not examined: ${error instanceof Error ? error.message : String(error)}`;
  }
  return { failed, what, runs: run.runs };
}

cacheCompiled();
const started = performance.now();
const choice = readChoice();
const right = chosenOf(
  KINDS.map((way) => ({ name: `right: ${way}`, way })),
  choice,
);
const faulty = chosenOf(
  FAULTY.flatMap(({ ways, ...others }) => ways.map((way) => ({ name: `${way}: ${others.fault}`, way, ...others }))),
  choice,
);
let alarms = 0;
await forEach(right, AT_A_TIME, async ({ name, way }) => {
  const { failed, what, runs } = await judge(way, profileOf(way));
  const isAlarm = what !== '';
  if (isAlarm) alarms += 1;
  say(
    `  ${isAlarm ? '✗' : '✓'} ${name}: ${isAlarm ? `${failed.join(', ')}: ${what}` : 'nothing'} (${String(runs)} runs)`,
  );
});
let found = 0;
await forEach(faulty, AT_A_TIME, async ({ name, way, fault, rules, ids, promise = '' }) => {
  const { failed, what } = await judge(way, profileOf(way, ids) + promise, fault, rules);
  const isFound = rules.some((rule) => failed.includes(rule));
  if (isFound) found += 1;
  say(`  ${isFound ? '✓' : '✗'} ${name}: ${isFound ? failed.join(', ') : `${rules.join(' or ')} must fail: ${what}`}`);
});
const names = new Set(SCENARIOS.map((scenario) => scenario.name));
const unknown = FAULTY.flatMap(({ rules }) => rules).filter((rule) => !names.has(rule));
const wrong = [
  ...(found < faulty.length ? [`${String(faulty.length - found)} faulty clients are not found`] : []),
  ...(alarms > 0 ? [`${String(alarms)} right clients have a failure`] : []),
  ...unknown.map((rule) => `there is no rule ${rule}`),
];
const seconds = ((performance.now() - started) / 1000).toFixed(0);
say(
  `${String(found)} of ${String(faulty.length)} faulty clients found; ${String(right.length)} right clients, ${String(alarms)} alarms; ${seconds} s: ${wrong.length === 0 ? 'as it should be' : wrong.join('; ')}.`,
);
if (wrong.length > 0) process.exitCode = 1;

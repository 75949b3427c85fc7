/**
 * Holds `rollcall audit` to its claim, on list APIs with single faults and on sound ones: `node test/audit/lists/run.ts`. It is told nothing
 * but the URL, the key, and what a fault or a sound list declares, its commands and its document. Each fault must be reported by a rule
 * that it names, half of those that fail by one rule alone; of a sound list nothing may fail. Arguments choose lists by
 * a part of their names; `--each-rule` takes the first fault of each rule, and `--each-fault` one style and length of each fault, as `.ci/run` does.
 */
import { RULES } from '../../../audit/lists/audit.ts';
import type { AuditOptions } from '../../../audit/lists/audit.ts';
import { Schemas } from '../../../audit/lists/openapi-responses.ts';
import { OpenApi } from '../../../audit/lists/openapi.ts';
import { chosenOf, forEach, isWhole, medianOf, mistakesOf, readChoice, say } from '../../support/catalogue.ts';
import type { Fault, Sound } from './fault.ts';
import { FAULTS } from './faults.ts';
import { cellMistakes } from './kinds.ts';
import { reportOf } from './report.ts';
import type { Reported } from './report.ts';
import { startList } from './server.ts';
import { SOUND } from './sound.ts';

// The audit mostly waits.
const AT_A_TIME = 4;
const USUALLY_FAILED = 1;

type Told = Omit<Sound, 'name'>;

async function auditOf({ options, declared = {}, commands, document }: Told): Promise<Reported> {
  await using server = await startList(options);
  const headers = options.key === undefined ? {} : { authorization: `Bearer ${options.key}` };
  const described = document === undefined ? undefined : describedBy(document);
  return await reportOf(server, { profile: { headers, ...declared, url: server.url }, commands, described });
}

/** @returns the only list of a document. */
function describedBy(text: string): NonNullable<AuditOptions['described']> {
  const document = new OpenApi(text);
  const operation = document.operations[0]?.list;
  if (operation === undefined) throw new Error('the document has no list');
  return { operation, schemas: new Schemas(document) };
}

const started = performance.now();
const choice = readChoice();
const summary = ({ failed, noted, sent }: Reported): string => {
  const reported = [...failed, ...noted.map((it) => `note ${it}`)];
  return `${reported.length === 0 ? 'nothing' : reported.join(', ')} (${String(sent)} requests)`;
};
/** Why it is not as it should be, for people. */
const detailsOf = ({ finding, refused }: Reported): string =>
  refused === undefined ? finding && `\n      ${finding}` : `\n      refused: ${refused}`;

/** @returns what a fault is, of whatever style and length the list is. */
const faultOf = ({ name, kind, outcome, rules }: Fault): string =>
  [kind ?? '', outcome, ...rules, name.replace(/^\w+: /, '').replace(/ \(\d+ items\)$/, '')].join(' ');
const candidates = FAULTS.map((it) => ({ ...it, rule: it.rules[0], fault: faultOf(it) }));
const faults = chosenOf(candidates, choice);
const counts: number[] = [];
let found = 0;
await forEach(faults, AT_A_TIME, async ({ name, outcome, rules, silent = '', ...told }: Fault) => {
  const reported = await auditOf(told);
  if (outcome === 'failed') counts.push(reported.failed.length);
  const isFound =
    rules.some((it) => reported[outcome].includes(it)) &&
    !reported.failed.includes(silent) &&
    (outcome === 'failed' || reported.failed.length === 0);
  if (isFound) found += 1;
  const must = `${rules.join(' or ')} must ${outcome === 'failed' ? 'fail' : 'be noted'}, but it is `;
  say(
    `  ${isFound ? '✓' : '✗'} ${name}: ${isFound ? '' : must}${summary(reported)}${isFound ? '' : detailsOf(reported)}`,
  );
});

const sound = chosenOf(SOUND, choice);
let alarms = 0;
await forEach(sound, AT_A_TIME, async ({ name, ...told }) => {
  const reported = await auditOf(told);
  const details = detailsOf(reported);
  if (details !== '') alarms += 1;
  say(`  ${details === '' ? '✓' : '✗'} sound: ${name}: ${summary(reported)}${details}`);
});

const wrong: string[] = [];
const median = medianOf(counts);
if (found < faults.length) wrong.push(`${String(faults.length - found)} faults are not found`);
if (alarms > 0) wrong.push(`${String(alarms)} sound lists are not reported as sound`);
if (isWhole(choice) && median > USUALLY_FAILED) wrong.push(`half of the faults fail ${String(median)} rules or more`);
const rules = RULES.map(({ id }) => id);
wrong.push(...mistakesOf([...candidates, ...SOUND], rules), ...cellMistakes(FAULTS));
const seconds = ((performance.now() - started) / 1000).toFixed(0);
say(
  `${String(found)} of ${String(faults.length)} faults found, median of the failed rules ${String(median)}; ` +
    `${String(sound.length)} sound lists, ${String(alarms)} alarms; ${seconds} s: ${wrong.length === 0 ? 'as it should be' : wrong.join('; ')}.`,
);
if (wrong.length > 0) process.exitCode = 1;

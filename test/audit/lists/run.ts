/**
 * Holds `rollcall audit` to its claim, on list APIs with single faults and on sound ones: `node test/audit/lists/run.ts`. It is told nothing
 * but the URL, the key, and what a fault or a sound list declares, its commands and its document. Each fault must be reported by a rule
 * that it names, half of those that fail by one rule alone; of a sound list nothing may fail. Arguments choose lists by
 * a part of their names; `--each-rule` takes the first fault of each rule, and `--each-fault` one style and length of each fault, as `.ci/run` does.
 */
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { RULES } from '../../../audit/lists/audit.ts';
import type { AuditOptions } from '../../../audit/lists/audit.ts';
import { Schemas } from '../../../audit/lists/openapi-responses.ts';
import { OpenApi } from '../../../audit/lists/openapi.ts';
import {
  chosenOf,
  findInThreads,
  forEach,
  isWhole,
  medianOf,
  mistakesOf,
  readChoice,
  say,
  shareOf,
} from '../../support/catalogue.ts';
import type { Choice, Share } from '../../support/catalogue.ts';
import type { Fault, Sound } from './fault.ts';
import { FAULTS } from './faults.ts';
import { cellMistakes } from './kinds.ts';
import { reportOf } from './report.ts';
import type { Reported } from './report.ts';
import { startList } from './server.ts';
import { SOUND } from './sound.ts';

// An audit waits for its server, which is in the same thread.
const AT_A_TIME = 4;
const MAX_THREADS = 4;
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
const ALL: readonly (Told & { readonly name: string; readonly rule?: string; readonly fault?: string })[] = [
  ...candidates,
  ...SOUND.map((it) => ({ ...it, name: `sound: ${it.name}` })),
];

/** What was reported of a list. */
interface Found {
  readonly name: string;
  readonly reported: Reported;
}

async function work(share: Share): Promise<void> {
  await forEach(shareOf(ALL, share), AT_A_TIME, async ({ name, ...told }) => {
    parentPort?.postMessage({ name, reported: await auditOf(told) } satisfies Found);
  });
}

async function main(choice: Choice): Promise<void> {
  const started = performance.now();
  const faults = new Map(candidates.map((it) => [it.name, it]));
  const counts: number[] = [];
  const wrong: string[] = [];
  const tried = { faults: 0, found: 0, sound: 0, alarms: 0 };

  const judgeFault = ({ outcome, rules, silent = '' }: Fault, { name, reported }: Found): void => {
    tried.faults += 1;
    if (outcome === 'failed') counts.push(reported.failed.length);
    const isFound =
      rules.some((it) => reported[outcome].includes(it)) &&
      !reported.failed.includes(silent) &&
      (outcome === 'failed' || reported.failed.length === 0);
    if (isFound) tried.found += 1;
    const must = `${rules.join(' or ')} must ${outcome === 'failed' ? 'fail' : 'be noted'}, but it is `;
    say(
      `  ${isFound ? '✓' : '✗'} ${name}: ${isFound ? '' : must}${summary(reported)}${isFound ? '' : detailsOf(reported)}`,
    );
  };
  const judgeSound = ({ name, reported }: Found): void => {
    const details = detailsOf(reported);
    tried.sound += 1;
    if (details !== '') tried.alarms += 1;
    say(`  ${details === '' ? '✓' : '✗'} ${name}: ${summary(reported)}${details}`);
  };
  await findInThreads(
    import.meta.url,
    { choice, atMost: MAX_THREADS },
    {
      add: (it: Found) => {
        const fault = faults.get(it.name);
        if (fault === undefined) judgeSound(it);
        else judgeFault(fault, it);
      },
      mistaken: (text) => wrong.push(text),
    },
  );
  const chosen = chosenOf(ALL, choice).length;
  if (tried.faults + tried.sound < chosen) wrong.push(`${String(chosen)} lists were chosen`);
  const median = medianOf(counts);
  if (tried.found < tried.faults) wrong.push(`${String(tried.faults - tried.found)} faults are not found`);
  if (tried.alarms > 0) wrong.push(`${String(tried.alarms)} sound lists are not reported as sound`);
  if (isWhole(choice) && median > USUALLY_FAILED) wrong.push(`half of the faults fail ${String(median)} rules or more`);
  const rules = RULES.map(({ id }) => id);
  wrong.push(...mistakesOf(ALL, rules), ...cellMistakes(FAULTS));
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  say(
    `${String(tried.found)} of ${String(tried.faults)} faults found, median of the failed rules ${String(median)}; ` +
      `${String(tried.sound)} sound lists, ${String(tried.alarms)} alarms; ${seconds} s: ${wrong.length === 0 ? 'as it should be' : wrong.join('; ')}.`,
  );
  if (wrong.length > 0) process.exitCode = 1;
}

// The main thread starts the others, and gives each its share.
await (isMainThread ? main(readChoice()) : work(workerData as Share));

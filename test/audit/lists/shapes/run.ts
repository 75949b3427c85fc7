/**
 * Tries `rollcall audit` on shapes of public list APIs, sound and with single faults: `node test/audit/lists/shapes/run.ts [NAME...]`. It is
 * told the URL and the headers alone; with `told`, also the paths, the way and the size. Arguments choose lists by a part of their names, such as
 * `sound: stripe`.
 */
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { wordsOf } from '../../../../audit/lists/profile.ts';
import type { Profile, Way } from '../../../../audit/lists/profile.ts';
import { chosenOf, findInThreads, forEach, readChoice, say, shareOf } from '../../../support/catalogue.ts';
import type { Choice, Share } from '../../../support/catalogue.ts';
import { show } from '../../../support/text.ts';
import { reportOf } from '../report.ts';
import type { Reported } from '../report.ts';
import { KINDS, reasonAgainst } from './faults.ts';
import { serve } from './server.ts';
import type { Hooks, Shape } from './server.ts';
import { SHAPES } from './shapes.ts';

const AT_A_TIME = 2;
const MAX_THREADS = 4;
/** At least so many shapes are inferred by their own way, and so many faults are found. */
const [LEAST_OWN, LEAST_FOUND] = [0.95, 0.9];

interface Asked {
  readonly hooks?: Hooks;
  /** Whether audit is told what it need not find. */
  readonly isTold?: boolean;
}
async function auditOf(shape: Shape, { hooks = {}, isTold = false }: Asked): Promise<Reported> {
  await using server = await serve(shape, hooks);
  const { items, id, next } = shape.right;
  const { param } = shape.size;
  const told = { items, id, next: next[0], ...(param === undefined ? {} : { size: { param } }) };
  return await reportOf(server, {
    profile: { headers: shape.headers ?? {}, url: server.url, ...(isTold ? told : {}) },
  });
}

const plain = (value: unknown): unknown => (typeof value === 'string' ? value.replaceAll('"', '') : value);
/** Whether a way that was found is a right one: it has what that says, and what it leaves out is as usual. */
const isWay = (found: Way, right: Way): boolean => {
  const usual = 'page' in right ? { first: 1 } : 'offset' in right ? { first: 0 } : {};
  const has: Readonly<Record<string, unknown>> = { ...usual, ...found };
  return Object.entries({ ...usual, ...right }).every(([key, value]) => plain(has[key]) === plain(value));
};

/** @returns what is not as the shape has it. */
function differences({ items, id, size, next }: Profile, { right, size: sizes }: Shape): readonly string[] {
  const way = wordsOf(next).map(show).join(' ');
  return [
    ...(plain(items) === plain(right.items) ? [] : [`items \`${items}\``]),
    ...(plain(id) === plain(right.id) ? [] : [`id \`${id}\``]),
    ...(size?.param === sizes.param ? [] : [`size ${size?.param ?? 'not found'}`]),
    ...(right.next.some((it) => isWay(next, it)) ? [] : [`next ${way}`]),
  ];
}

const share = (part: number, all: number): string =>
  `${String(part)} of ${String(all)} (${all === 0 ? '-' : ((part / all) * 100).toFixed(0)} %)`;

/** A shape, sound or told, or a fault of one. */
interface Candidate extends Asked {
  readonly name: string;
  readonly shape: Shape;
  /** The kind of the fault. */
  readonly kind?: string;
}
const ALL: readonly Candidate[] = [
  ...[false, true].flatMap((isTold) =>
    SHAPES.map(({ name, shape }) => ({ name: `${isTold ? 'told' : 'sound'}: ${name}`, shape, isTold })),
  ),
  ...Object.entries(KINDS).flatMap(([kind, fault]) =>
    SHAPES.filter(({ shape }) => reasonAgainst(fault, shape) === undefined).map(({ name, shape }) => {
      return { name: `${name}: ${kind}`, kind, shape, hooks: fault.hooks(shape) };
    }),
  ),
];

/** What was reported of a candidate. */
interface Found {
  readonly name: string;
  readonly reported: Reported;
}

async function work(share: Share): Promise<void> {
  await forEach(shareOf(ALL, share), AT_A_TIME, async ({ name, shape, ...asked }) => {
    parentPort?.postMessage({ name, reported: await auditOf(shape, asked) } satisfies Found);
  });
}

async function main(choice: Choice): Promise<void> {
  const started = performance.now();
  const sound = { own: 0, another: 0, refused: 0, failed: 0, told: 0, refusedTold: 0 };
  const judgeSound = ({ name, shape, isTold = false }: Candidate, reported: Reported): void => {
    const { failed: all, noted, profile, finding, refused, sent } = reported;
    const failed = all.filter((it) => shape.breaks?.includes(it) !== true);
    const others = profile === undefined ? [] : differences(profile, shape);
    const outcome = refused !== undefined ? 'refused' : others.length > 0 ? 'another' : 'own';
    if (!isTold) sound[outcome] += 1;
    else sound.told += 1;
    if (isTold && outcome === 'refused') sound.refusedTold += 1;
    if (failed.length > 0) sound.failed += 1;
    const said = {
      own: 'own way',
      another: `another way: ${others.join(', ')}`,
      refused: `refused: ${String(refused)}`,
    };
    const alarm = failed.length === 0 ? '' : `; FALSE FAILURE: ${failed.join(', ')}: ${finding}`;
    say(`${name}: ${said[outcome]}${alarm} (${String(sent)} requests, notes: ${noted.join(', ') || 'none'})`);
  };

  const counts = new Map(Object.keys(KINDS).map((kind) => [kind, { found: 0, missed: 0, refused: 0 }]));
  const judgeFault = (name: string, kind: string, reported: Reported): void => {
    const { rules = [], noted: alsoNoted = [] } = KINDS[kind] ?? {};
    const { failed, noted, refused, finding, sent } = reported;
    const by = [...failed.filter((it) => rules.includes(it)), ...noted.filter((it) => alsoNoted.includes(it))];
    const outcome = refused !== undefined ? 'refused' : by.length > 0 ? 'found' : 'missed';
    const count = counts.get(kind);
    if (count !== undefined) count[outcome] += 1;
    const all = [...failed, ...noted.map((it) => `note ${it}`)].join(', ') || 'nothing';
    const said = { found: by.join(', '), missed: `${all} ${finding}`, refused: String(refused) };
    say(`${name}: ${outcome}: ${said[outcome]} (${String(sent)} requests)`);
  };

  const chosen = new Map(chosenOf(ALL, choice).map((it) => [it.name, it]));
  let mistakes = 0;
  await findInThreads(
    import.meta.url,
    { choice, atMost: MAX_THREADS },
    {
      add: ({ name, reported }: Found) => {
        const candidate = chosen.get(name);
        if (candidate?.kind === undefined && candidate !== undefined) judgeSound(candidate, reported);
        else judgeFault(name, candidate?.kind ?? '', reported);
      },
      mistaken: (text) => {
        mistakes += 1;
        say(text);
      },
    },
  );
  let [found, faults] = [0, 0];
  for (const [kind, count] of counts) {
    const all = count.found + count.missed + count.refused;
    found += count.found;
    faults += all;
    if (all > 0)
      say(
        `  ${kind}: ${share(count.found, all)} found, ${String(count.missed)} missed, ${String(count.refused)} refused`,
      );
  }
  const all = sound.own + sound.another + sound.refused;
  const isWhole = all + sound.told + faults === chosen.size && mistakes === 0;
  const isGood = isWhole && sound.own >= all * LEAST_OWN && sound.failed === 0 && found >= faults * LEAST_FOUND;
  say(
    `${share(sound.own, all)} shapes by their own way, ${String(sound.another)} by another, ${String(sound.refused)} refused, and ` +
      `${String(sound.refusedTold)} of ${String(sound.told)} that are told; ${String(sound.failed)} false failures; ` +
      `${share(found, faults)} faults found; ` +
      `${((performance.now() - started) / 1000).toFixed(0)} s: ${isGood ? 'as it should be' : 'not as it should be'}.`,
  );
  if (!isGood) process.exitCode = 1;
}

// The main thread starts the others, and gives each its share.
await (isMainThread ? main(readChoice()) : work(workerData as Share));

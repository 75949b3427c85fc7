/** Examines a client of a list: runs its command for each pack of scenarios, and checks what it prints and requests. */
import { counted } from '../../contract/wording.ts';
import { itemIn } from '../fake/respond.ts';
import { servedBy } from '../fake/start.ts';
import { packsOf, SCENARIOS } from '../fake/scenarios.ts';
import type { Pack } from '../fake/scenarios.ts';
import { MUST, NUMBERS, expectedOf, kindOf, whyNot } from '../fake/scenario.ts';
import type { Kind, Scenario } from '../fake/scenario.ts';
import { paramsOfWay } from '../lists/profile.ts';
import type { Profile } from '../lists/profile.ts';
import { paramsOf } from '../lists/target.ts';
import { isNamed } from '../rules/rule.ts';
import type { Finding, Outcome, Result } from '../rules/rule.ts';
import { LONG, joined, own, quote, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { createRedaction, showOutcome } from '../session/redact.ts';
import { Untestable } from '../session/session.ts';
import { adviceFor } from './other-path.ts';
import { runClient } from './client.ts';
import type { Client, Listed, Run } from './client.ts';
import { WHY, endingText, requestTexts, verdictOf } from './verdict.ts';
import type { Verdict } from './verdict.ts';

export interface ExamineOptions extends Client, Listed {
  /** The scenarios to run, by their names or areas; all by default. */
  readonly only?: readonly string[] | undefined;
  readonly skip?: readonly string[] | undefined;
  /** How many commands run at a time. */
  readonly parallel: number;
  /** @returns the command that runs a scenario again. */
  readonly again: (scenario: string) => Text;
  /** Called with the name of a scenario whose outcome is awaited. */
  readonly progress?: ((scenario: string) => void) | undefined;
}

/** The results, in the order of the table, each as soon as it is known. */
export interface Examination extends AsyncIterable<Result> {
  /** How often the command was run so far. */
  readonly runs: number;
}

/** What was found of a scenario. */
interface Judged {
  readonly outcome: Outcome<Text>;
  readonly why: Verdict['why'];
}

/**
 * @returns the examination; it starts with the iteration.
 * @throws in the iteration Untestable if the command does not read the plain list, and the reason of an aborted signal.
 */
export function examine(options: ExamineOptions): Examination {
  const { only, skip = [], parallel, progress = () => undefined } = options;
  let runs = 0;
  const { show } = createRedaction([]);

  async function* results(): AsyncGenerator<Result> {
    const { profile, facts } = servedBy(options.profile, options);
    const stopped = new AbortController();
    const client: Client = { ...options, signal: AbortSignal.any([options.signal, stopped.signal]) };
    const listedFirst: Listed = options;
    const runOf = (listed: Listed, name: string | undefined): Promise<Run> => {
      runs += 1;
      return runClient(client, listed, name, profile.id);
    };
    try {
      const plain = await runOf(listedFirst, undefined);
      requireReader(plain, profile, options.basePath);
      requireSize(profile, plain, options.params);
      const listed = { ...listedFirst, pageSize: sizeIn(profile, plain), filtered: filtersIn(profile, plain) };
      const isWanted = ({ name }: Scenario): boolean =>
        (only === undefined || isNamed(name, only)) && !isNamed(name, skip);
      const wanted = packsOf(profile, facts).flatMap(({ name, scenarios }): readonly Pack[] => {
        const [first, ...others] = scenarios.filter(isWanted);
        return first === undefined ? [] : [{ name, scenarios: [first, ...others] }];
      });
      const readsItem =
        wanted.some(isOfItem) && hasReadItem(profile, await runOf({ ...listed, reads: 'item' }, undefined));
      const packs = wanted.filter((pack) => readsItem || !isOfItem(pack));
      const limited = limitTo(parallel);
      const judge = (pack: Pack): Promise<Timed> =>
        limited(() => {
          const { reads } = pack.scenarios[0];
          return judgePack(pack, profile, (name) => runOf({ ...listed, reads }, name), options);
        });
      const pending = new Map<string, Promise<Timed>>();
      for (const pack of packs) {
        const judged = judge(pack);
        judged.catch(() => undefined); // It is awaited below.
        for (const { name } of pack.scenarios) pending.set(name, judged);
      }
      for (const scenario of SCENARIOS.filter(isWanted)) {
        const { name } = scenario;
        progress(name);
        const judged = pending.get(name);
        const title = `the server ${scenario.server}`;
        if (judged === undefined) {
          const reason = own(
            whyNot(scenario, profile, facts) ?? 'the command does not request the item of ROLLCALL_ITEM',
          );
          yield { rule: name, title, ms: 0, ...showOutcome({ outcome: 'not_checked', reason, applies: false }, show) };
          continue;
        }
        const { found, ms } = await judged;
        const { outcome, why } = found.get(name) ?? { outcome: { outcome: 'passed' }, why: 'missing' };
        yield {
          ...{ rule: name, title, ms },
          ...(outcome.outcome === 'failed' && { why: WHY[why], change: changeOf(scenario, profile) }),
          ...showOutcome(outcome, show),
        };
      }
    } finally {
      stopped.abort(); // If the iteration ends early, commands are still running.
    }
  }
  return {
    get runs() {
      return runs;
    },
    [Symbol.asyncIterator]: results,
  };
}

interface Timed {
  readonly found: ReadonlyMap<string, Judged>;
  readonly ms: number;
}

/** Runs a pack, and its scenarios one by one if one of them fails or is noted. A failure counts if it comes again. */
async function judgePack(
  { name, scenarios }: Pack,
  profile: Profile,
  run: (name: string) => Promise<Run>,
  { again, params }: Pick<ExamineOptions, 'again' | 'params'>,
): Promise<Timed> {
  const outcomes = new Map<string, Judged>();
  const judgeRun = (all: readonly Scenario[], ran: Run): ReadonlyMap<Scenario, Verdict> =>
    new Map(
      all.flatMap((scenario) => {
        const verdict = verdictOf(scenario, profile, ran, params);
        return verdict === undefined ? [] : [[scenario, verdict] as const];
      }),
    );
  const [first] = scenarios;
  const together = await run(scenarios.length === 1 ? first.name : name);
  let ms = together.ms;
  const found = judgeRun(scenarios, together);
  const hasFailed = [...found.values()].some(({ is }) => is === 'failed');
  if (!hasFailed && (scenarios.length === 1 || found.size === 0)) {
    for (const [scenario, verdict] of found)
      outcomes.set(scenario.name, outcomeOf(scenario, profile, verdict, together, again));
    return { found: outcomes, ms };
  }
  for (const scenario of scenarios) {
    const alone = await run(scenario.name);
    ms += alone.ms;
    const verdict = judgeRun([scenario], alone).get(scenario);
    if (verdict !== undefined) outcomes.set(scenario.name, outcomeOf(scenario, profile, verdict, alone, again));
    const earlier = scenarios.length === 1 ? found.get(scenario) : undefined;
    if (earlier?.is === 'failed' && verdict?.is !== 'failed') {
      const noted: Verdict = { ...earlier, is: 'noted', what: say`${earlier.what}; not every time` };
      outcomes.set(scenario.name, outcomeOf(scenario, profile, noted, together, again));
    }
  }
  const isAlone = [...outcomes.values()].some(({ outcome }) => outcome.outcome === 'failed');
  const [worst] = [...found].filter(([, { is }]) => is === 'failed');
  if (!isAlone && scenarios.length > 1 && worst !== undefined) {
    const [scenario, verdict] = worst;
    const names = joined(
      scenarios.map((other) => own(other.name)),
      ', ',
    );
    const what = say`${verdict.what}; with ${names} together`;
    // What fails only together is repeated together.
    const repeated = await run(name);
    ms += repeated.ms;
    const isFailed = judgeRun([scenario], repeated).get(scenario)?.is === 'failed';
    outcomes.set(
      scenario.name,
      outcomeOf(scenario, profile, { ...verdict, is: isFailed ? 'failed' : 'noted', what }, together, again),
    );
  }
  return { found: outcomes, ms };
}

function outcomeOf(
  scenario: Scenario,
  profile: Profile,
  { is, what, why }: Verdict,
  run: Run,
  again: ExamineOptions['again'],
): Judged {
  const finding: Finding<Text> = {
    request: joined(requestTexts(run), '; '),
    expected: own(changeOf(scenario, profile)),
    actual: say`${what}; the server ${own(scenario.server)}`,
    again: again(scenario.name),
  };
  return { outcome: { outcome: is, findings: [finding] }, why };
}

/** @returns what a client must do, as a sentence. */
function changeOf(scenario: Scenario, profile: Profile): string {
  const must = MUST[expectedOf(scenario, profile)];
  const { client } = scenario;
  if (must === '') return client === undefined ? '' : `${client.charAt(0).toUpperCase()}${client.slice(1)}.`;
  return `The client must ${must}${client === undefined ? '' : `; ${client}`}.`;
}

/** @throws Untestable unless the command reads the list: one that has printed some of its items, or asked for more than a page of it, is checked. */
function requireReader(run: Run, { url, sample }: Profile, basePath = ''): void {
  const { ending, requests, printed, ids } = run;
  if (ending.kind === 'not_started') throw new Untestable(say`The command ${endingText(run)}.`);
  const first = requests.findIndex(({ status, items }) => status === 200 && items !== undefined);
  if (first < 0) {
    const asked = requests.length === 0 ? say`nothing` : joined(requestTexts(run), '; ');
    const advice = adviceFor({
      list: pathOf(url),
      basePath,
      requested: requests.flatMap(({ target, status, isElsewhere }) =>
        status === 404 && !isElsewhere ? [pathOf(target)] : [],
      ),
    });
    throw new Untestable(
      say`The command requested no page of the list at ROLLCALL_URL: it requested ${asked}, and ${endingText(run)}. ${advice ?? say`--serve /PATH=FILE answers another path.`}`,
    );
  }
  const known = new Set(ids);
  if (printed.some((line) => known.has(line))) return;
  const [stranger] = printed;
  const [id = ''] = ids;
  const expected = say`print one on each line, such as ${quote(id)}`;
  if (stranger !== undefined)
    throw new Untestable(
      say`The command printed ${quote(stranger, LONG)}, which is not the id of an item: ${expected}, or the item as JSON.`,
    );
  const goesOn = first < requests.length - 1;
  if (goesOn && !(ending.kind === 'exited' && ending.code === 0)) return;
  if (ending.kind === 'exited' && ending.code === 0)
    throw new Untestable(say`The command printed no id of ${counted(ids.length, 'items')}: ${expected}.`);
  const hint = sample === undefined ? say` If it reads more than ids, put a sample into the profile.` : say``;
  throw new Untestable(say`The command read a correct list, but ${endingText(run)}.${hint}`);
}

/** @returns the path of a URL, or of a target. */
const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');

const isOfItem = ({ scenarios: [{ reads }] }: Pack): boolean => reads === 'item';

/** Whether a command has requested the item that it was asked for. */
const hasReadItem = ({ get }: Profile, { requests, ids }: Run): boolean =>
  requests.some(({ target, isElsewhere }) => !isElsewhere && itemIn(get, target.replace(/\?.*$/s, '')) === ids[0]);

/** @returns the filters of the profile that a client sends. */
function filtersIn({ filter = {} }: Profile, run: Run): readonly string[] {
  const sent = firstParams(run);
  return Object.keys(filter).filter((name) => sent.get(name) === filter[name]);
}

/** @returns the parameters of the first page that a client has requested. */
function firstParams({ requests }: Run): ReadonlyMap<string, string> {
  const first = requests.find(({ isElsewhere, items }) => !isElsewhere && items !== undefined);
  return paramsOf(first?.target ?? '');
}

/**
 * Where only a short page tells the end, the fake must know what page size the client asks for: otherwise each page is short.
 * @throws Untestable if the client sends what looks like a page size, and the profile does not name it.
 */
function requireSize({ next, size, url, params = {}, filter = {} }: Profile, run: Run, own: readonly string[]): void {
  const sent = firstParams(run);
  if (!SHORT_ENDS.includes(kindOf(next)) || next.more !== undefined || sent.has(size?.param ?? '')) return;
  const given = paramsOf(`?${own.join('&')}`);
  const named = new Set([
    ...paramsOfWay(next),
    ...Object.keys({ ...params, ...filter }),
    ...given.keys(),
    ...paramsOf(url).keys(),
  ]);
  const [unnamed] = [...sent].filter(([name, value]) => !named.has(name) && /^[1-9]\d{0,4}$/.test(value));
  if (unnamed === undefined) return;
  const [param, value] = unnamed;
  throw new Untestable(
    say`The command sends ${quote(`${param}=${value}`)}, which the profile does not name. Add size: { param: ${quote(param)} } if it is the page size, else --param ${quote(`${param}=${value}`)}.`,
  );
}
const SHORT_ENDS: readonly Kind[] = [...NUMBERS, 'id'];

/** @returns the size of pages that a client asks for, or that it gets if it asks for none; `undefined` if that is not known. */
function sizeIn({ size }: Profile, run: Run): number | undefined {
  const asked = size === undefined ? undefined : firstParams(run).get(size.param);
  if (asked === undefined) return size?.default ?? run.requests.find(({ items }) => items !== undefined)?.items;
  return /^[1-9]\d{0,4}$/.test(asked) ? Math.min(Number(asked), size?.max ?? Infinity) : undefined;
}

/** @returns what runs at most so many functions at a time. */
function limitTo(most: number): <T>(start: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (start) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      return await start();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
}

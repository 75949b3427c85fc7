/** What a run of a client proves: a failure is a fault of the client that no server excuses which keeps its profile. */
import { counted } from '../../contract/wording.ts';
import { LONG, joined, own, quote, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { expectedOf } from '../fake/scenario.ts';
import { hasValue } from '../fake/served.ts';
import type { Must, Scenario } from '../fake/scenario.ts';
import type { SeenRequest } from '../fake/types.ts';
import { paramsOfWay } from '../lists/profile.ts';
import type { Profile } from '../lists/profile.ts';
import { isPlainHeader, paramsOf } from '../lists/target.ts';
import type { Run } from './client.ts';

export interface Verdict {
  readonly is: 'failed' | 'noted';
  readonly what: Text;
  /** Why it matters. */
  readonly why: keyof typeof WHY;
}

/** What each fault does to the users of a client. */
export const WHY = {
  missing: 'Items are missing, without an error.',
  repeated: 'Items are imported, counted or charged twice.',
  unknown: 'The program continues with items that do not exist.',
  endless: 'The program never ends.',
  broken: 'The client cannot read a correct list.',
  key: 'The other server can use the key.',
  early: 'The server may block a client that does not wait.',
  retries: 'The retries load the server, and the user waits.',
  params: 'The client reads a different list than requested.',
} as const;

/** What a client has printed, beside what it should have. */
interface Printed {
  readonly missing: readonly string[];
  readonly repeated: readonly string[];
  readonly unknown: readonly string[];
  /** How many items it should have printed. */
  readonly of: number;
}

function printedOf({ does }: Scenario, { printed, ids, added }: Run): Printed {
  const [known, seen] = [new Set([...ids, ...added]), new Set(printed)];
  const counts = new Map<string, number>();
  for (const id of printed) counts.set(id, (counts.get(id) ?? 0) + 1);
  // An item that comes or goes meanwhile may be printed, or not.
  const wanted = does.change === 'remove' ? ids.slice(1) : ids;
  return {
    missing: wanted.filter((id) => !seen.has(id)),
    repeated: [...counts].flatMap(([id, count]) => (count > 1 && known.has(id) ? [id] : [])),
    unknown: [...counts.keys()].filter((id) => !known.has(id)),
    of: wanted.length,
  };
}

/**
 * @param params those that the client must send with every page, such as `status=open`, besides those of its first request.
 * @returns what a run breaks of a scenario, or what its user may want to know; `undefined` if neither.
 */
export function verdictOf(
  scenario: Scenario,
  profile: Profile,
  run: Run,
  params: readonly string[],
): Verdict | undefined {
  const must = expectedOf(scenario, profile);
  const isStopped = run.ending.kind === 'endless' || run.ending.kind === 'hung';
  const all = [
    keyVerdict(scenario, profile, run),
    timingVerdict(scenario, run),
    isStopped ? endlessVerdict(scenario, must, run) : printedVerdict(scenario, must, run),
    paramsVerdict(scenario, profile, run, params),
  ].filter((verdict) => verdict !== undefined);
  return all.find(({ is }) => is === 'failed') ?? all[0];
}

/** @returns how a command has ended, as the end of a sentence. */
export function endingText({ ending, said }: Run): Text {
  const saying = said === '' ? say`` : say`: ${quote(said, LONG)}`;
  switch (ending.kind) {
    case 'exited':
      return ending.code === 0 ? say`exited with 0` : say`exited with ${ending.code}${saying}`;
    case 'killed':
      return say`was ended by ${quote(ending.signal)}${saying}`;
    case 'hung':
      return say`did not end in time`;
    case 'flooded':
      return say`printed more than 64 MB`;
    case 'not_started':
      return say`could not be started: ${quote(ending.reason, LONG)}`;
    case 'endless':
      return say`did not end`;
  }
}

function printedVerdict(scenario: Scenario, must: Must, run: Run): Verdict | undefined {
  const { does, reads } = scenario;
  const { missing, repeated, unknown, of } = printedOf(scenario, run);
  const isDone = run.ending.kind === 'exited' && run.ending.code === 0;
  const failed = must !== 'any';
  const is = failed ? 'failed' : 'noted';
  const end = endingText(run);
  const printed = say`the command printed ${of - missing.length} of ${counted(of, 'items')}`;
  const [again] = repeated;
  // A client that retries or restarts must not print an item again, also before an error.
  if (again !== undefined)
    return {
      is,
      why: 'repeated',
      what: say`the command printed ${repeated.length} of ${counted(of, 'items')} more than once, and ${end}; first repeated: ${quote(again)}`,
    };
  if (!isDone) {
    if (must !== 'all' && must !== 'all-or-prefix') return undefined;
    return { is, why: 'broken', what: say`${printed}, and ${end}` };
  }
  const [stranger] = unknown;
  // A client knows the id of the one item that it is asked for, whatever it gets.
  const isLost = missing.length > 0 || does.last !== undefined || reads === 'item';
  if (must === 'error' && isLost) return { is, why: 'missing', what: say`${printed}, and exited with 0` };
  if (stranger !== undefined)
    return {
      is,
      why: 'unknown',
      what: say`the command printed ${quote(stranger)}, which is not an item, and exited with 0`,
    };
  if (missing.length === 0) return undefined;
  if (must === 'all-or-prefix' && isPrefix(run, missing))
    return { is: 'noted', why: 'missing', what: say`${printed}, and exited with 0` };
  return { is, why: 'missing', what: say`${printed}, and exited with 0` };
}

/** Whether the items that are missing are the last ones. */
const isPrefix = ({ ids }: Run, missing: readonly string[]): boolean => {
  const gone = new Set(missing);
  return ids.slice(ids.findIndex((id) => gone.has(id))).every((id) => gone.has(id));
};

function endlessVerdict({ watch = {} }: Scenario, must: Must, { ending, requests, ms }: Run): Verdict {
  const last = requests.at(-1);
  // A slow client that still reads is a note.
  const isNew = last !== undefined && repeatsOf(requests, last) === 1 && last.atMs > ms / 2;
  if (ending.kind === 'hung' && isNew)
    return {
      is: 'noted',
      why: 'endless',
      what: say`the command was still reading after ${seconds(ms)} s and ${counted(requests.length, 'requests')}: raise --timeout`,
    };
  // It may wait longer than it is asked to.
  const isWaiting = ending.kind === 'hung' && last?.fault !== undefined && last.fault !== 'lateMs';
  const isRetrying =
    isWaiting || (last !== undefined && (last.status === 429 || last.status >= 500) && repeatsOf(requests, last) > 1);
  const isLawful = must === 'all' || must === 'all-or-prefix' || must === 'all-or-error';
  const isFailure = watch.endless === 'failure' || (watch.endless === undefined && isLawful && !isRetrying);
  return {
    is: isFailure ? 'failed' : 'noted',
    why: 'endless',
    what: say`the command did not end after ${counted(requests.length, 'requests')}`,
  };
}

const nameOf = ({ method, target }: SeenRequest): string => `${method} ${target}`;
const repeatsOf = (requests: readonly SeenRequest[], like: SeenRequest): number =>
  requests.filter((request) => nameOf(request) === nameOf(like)).length;

/** How much earlier than it should a request may arrive: clocks differ, and timers are rounded. */
const EARLY_MS = 100;

function timingVerdict({ watch = {} }: Scenario, { requests }: Run): Verdict | undefined {
  if (watch.early !== undefined)
    for (const [at, request] of requests.entries()) {
      const { retryMs } = request;
      const next = requests.slice(at + 1).find((later) => nameOf(later) === nameOf(request));
      if (retryMs === undefined || next === undefined || next.atMs >= retryMs - EARLY_MS) continue;
      const [waited, asked] = [next.atMs - request.doneMs, retryMs - request.doneMs];
      return {
        is: watch.early === 'failure' ? 'failed' : 'noted',
        why: 'early',
        what: say`the command repeated the request after ${seconds(waited)} s, not ${seconds(asked)} s`,
      };
    }
  const { retries } = watch;
  if (retries === undefined) return undefined;
  const failed = requests.filter(({ status }) => status >= 400);
  const most = Math.max(0, ...failed.map((request) => repeatsOf(failed, request)));
  if (most <= retries.above) return undefined;
  return {
    is: retries.is === 'failure' ? 'failed' : 'noted',
    why: 'retries',
    what: say`the command sent a request ${most} times, and got ${failed.at(-1)?.status ?? 0} each time`,
  };
}
const seconds = (ms: number): number => Math.round(ms / 100) / 10;

function keyVerdict({ watch = {} }: Scenario, profile: Profile, { requests }: Run): Verdict | undefined {
  if (watch.keyTo === undefined) return undefined;
  const own = requests.find(({ isElsewhere }) => !isElsewhere);
  for (const request of requests.filter(({ isElsewhere }) => isElsewhere)) {
    if (!hasKey(profile, request)) continue;
    const isPort = request.host.replace(/:\d+$/, '') === own?.host.replace(/:\d+$/, '');
    const { host, port } = watch.keyTo;
    return {
      is: (isPort ? port : host) === 'failure' ? 'failed' : 'noted',
      why: 'key',
      what: say`the command sent the key to another ${isPort ? 'port' : 'host'}: ${quote(`${request.method} http://${request.host}${request.target}`, LONG)}`,
    };
  }
  return undefined;
}

/** Whether a request has what the profile sends as its key. A key in the query stands in the server's own link. */
const hasKey = ({ headers = {}, auth }: Profile, request: SeenRequest): boolean =>
  Object.entries(headers).some(
    ([name, value]) => !isPlainHeader(name) && hasValue(request.headers[name.toLowerCase()], value),
  ) ||
  (auth !== undefined && request.headers['authorization'] !== undefined);

/** A client may send a parameter with page 1 only, such as one that asks for a total: those that choose the items must be sent with each page. */
function paramsVerdict(
  { watch = {} }: Scenario,
  { next, size, filter = {}, sorts = [] }: Profile,
  { requests }: Run,
  params: readonly string[],
): Verdict | undefined {
  if (watch.params === undefined) return undefined;
  const pages = requests.filter(({ items, isElsewhere }) => items !== undefined && !isElsewhere);
  const [first, own] = [paramsOf(pages[0]?.target ?? ''), paramsOf(`?${params.join('&')}`)];
  const choosing = new Set([
    ...[...Object.keys(filter), ...sorts.map((sort) => sort.replace(/=.*$/s, ''))],
    // Of page numbers, another size makes other pages.
    ...('page' in next && size !== undefined ? [size.param] : []),
  ]);
  const wanted = [...[...first].filter(([name]) => choosing.has(name)), ...own];
  const others = [...first.keys()].filter((name) => ![...paramsOfWay(next), size?.param].includes(name));
  for (const is of ['failed', 'noted'] as const)
    for (const [at, request] of pages.entries()) {
      const sent = paramsOf(request.target);
      const [name, value] = wanted.find(([name, value]) => sent.get(name) !== value) ?? [];
      const other = others.find((name) => !sent.has(name));
      if (is === 'failed' && name !== undefined)
        return {
          is,
          why: 'params',
          what: say`the command did not send ${quote(`${name}=${value ?? ''}`)} with request ${at + 1}`,
        };
      if (is === 'noted' && other !== undefined)
        return {
          is,
          why: 'params',
          what: say`the command sent ${quote(other)} with request 1, but not with request ${at + 1}`,
        };
    }
  return undefined;
}

const MAX_SHOWN = 8;

/** @returns the requests of a run, each in a few words. */
export function requestTexts({ requests }: Run): readonly Text[] {
  const lines = requests.map((request) => requestText(request));
  if (lines.length <= MAX_SHOWN) return lines.length === 0 ? [say`no request`] : lines;
  const left = lines.length - MAX_SHOWN;
  return [...lines.slice(0, MAX_SHOWN - 2), say`${counted(left, 'more requests')}`, ...lines.slice(-2)];
}

/** @returns a request, and what it got, in a few words. */
export function requestText({ method, target, status, items, hasNext, fault, isElsewhere, host }: SeenRequest): Text {
  const where = isElsewhere ? say`http://${quote(host)}` : say``;
  const parts = [
    ...(status === 0 ? [] : [say`${status}`]),
    ...(items === undefined ? [] : [counted(items, 'items')].map((text) => say`${text}`)),
    ...(hasNext === true ? [say`next`] : []),
    ...(fault === undefined || fault === 'status' ? [] : [own(fault)]), // The status says itself.
  ];
  return say`${quote(method)} ${where}${quote(target, LONG)} ${joined(parts)}`;
}

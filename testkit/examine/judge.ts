/** What rules assert about a run: by what the client has printed, and by what it has requested. */
import { isDeepStrictEqual } from 'node:util';
import { pathOf } from '../../contract/collections.ts';
import { counted } from '../../contract/wording.ts';
import { Failure } from '../../audit/rules/rule.ts';
import type { Finding } from '../../audit/rules/rule.ts';
import { own, quote, say } from '../../audit/rules/text.ts';
import type { Text } from '../../audit/rules/text.ts';
import type { Run } from './client.ts';
import { lineOf } from './log.ts';
import type { LoggedRequest } from './log.ts';
import { argumentsOf, cut, pathOfTask } from './task.ts';
import type { PrintedError, Task } from './task.ts';

const MAX_SHOWN = 1000;
const MAX_LINE = 200;
// The first requests show the fault, and the last one how it ended.
const FIRST_REQUESTS = 8;

/** @returns a failure with the exchanges of the run. @param actual what the client has printed, by default. */
export function failureOf(run: Run, expected: string, actual = printedText(run), difference?: string): Failure {
  return new Failure(findingOf(run, expected, actual, difference));
}

function findingOf(run: Run, expected: string, actual: string, difference: string | undefined): Finding<Text> {
  return {
    request: own(argumentsOf(run.scenario.task).map(quoted).join(' ')),
    // Each may have what the client has printed or requested.
    expected: quote(expected, MAX_SHOWN),
    actual: quote(actual, MAX_SHOWN),
    ...(difference !== undefined && { difference: quote(difference, MAX_SHOWN) }),
    exchanges: exchangesOf(run.requests),
  };
}

/** @returns a word as a shell reads it. */
export const quoted = (word: string): string =>
  /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

function exchangesOf(requests: readonly LoggedRequest[]): readonly Text[] {
  if (requests.length === 0) return [say`none`];
  const lines = requests.map((it) => quote(lineOf(it), MAX_LINE));
  if (lines.length <= FIRST_REQUESTS) return lines;
  const left = lines.length - FIRST_REQUESTS;
  return [...lines.slice(0, FIRST_REQUESTS - 1), say`(${counted(left, 'more requests')})`, ...lines.slice(-1)];
}

const errorText = ({ status, name }: PrintedError): string => `\`error ${String(status)} ${name}\``;

/** @returns what a client has printed, in a few words. */
export function printedText({ printed, scenario }: Run): string {
  const { lines, error, broken } = printed;
  if (broken !== undefined) return broken;
  const { do: task } = scenario.task;
  const unit = task === 'records' ? 'lines' : 'ids';
  const what =
    task === 'get'
      ? lines.length === 0
        ? 'nothing'
        : cut(lines.join(' '))
      : lines.length === 0
        ? `no ${unit}`
        : counted(lines.length, unit);
  if (error === undefined) return `${what}, and no error`;
  return lines.length === 0 ? errorText(error) : `${what}, then ${errorText(error)}`;
}

/** @throws Failure unless the client has ended without an error. */
export function assertDone(run: Run, expected: string): void {
  const { broken, error } = run.printed;
  if (broken !== undefined || error !== undefined) throw failureOf(run, expected);
}

/** @throws Failure unless `condition` is true. */
export function assertThat(run: Run, condition: boolean, expected: string, actual?: string, difference?: string): void {
  if (!condition) throw failureOf(run, expected, actual, difference);
}

/** @throws Failure if there is a difference of what was printed. */
export function assertSame(run: Run, expected: string, difference: string | undefined): void {
  assertThat(run, difference === undefined, expected, undefined, difference);
}

/** @throws Failure unless the client has printed each of the ids once, in any order, and nothing else. */
export function assertEvery(run: Run, ids: readonly string[], expected = expectedIds(ids)): void {
  assertDone(run, expected);
  const { task, records = {} } = run.scenario;
  const all = task.do === 'get' ? [] : (records[task.collection] ?? []).map(({ id }) => id);
  assertSame(run, expected, differenceOf(run.printed.lines, ids, all));
}

const expectedIds = (ids: readonly string[]): string =>
  ids.length === 0 ? 'no ids, and no error' : `the ids of ${counted(ids.length, 'items')}, each once`;

/** @throws Failure if the client has ended as if it had everything: with neither an error nor the exit code of a crash. */
export function assertLoud(run: Run, expected: string): void {
  const { broken, error, ending } = run.printed;
  assertThat(run, ending.kind === 'exited' && (error !== undefined || broken !== undefined), expected);
}

/**
 * @param all the ids of the whole list, if `ids` are a part of it.
 * @returns the first difference of the printed ids, in any order; `undefined` if there is none.
 */
export function differenceOf(
  lines: readonly string[],
  ids: readonly string[],
  all: readonly string[] = ids,
): string | undefined {
  const numbers = new Map(ids.map((id, index) => [id, index + 1]));
  const seen = new Set<string>();
  for (const line of lines) {
    const number = numbers.get(line);
    if (number === undefined) {
      const place = all.findIndex((id) => isId(id, line)) + 1;
      if (place === 0) return `this is not an item of the list: ${cut(line)}`;
      if (ids.some((id) => isId(id, line))) return `the id of item ${String(place)} is in another letter case: ${line}`;
      return `item ${String(place)} of the list is none of these: ${line}`;
    }
    if (seen.has(line)) return `item ${String(number)} is printed twice: ${line}`;
    seen.add(line);
  }
  const missing = ids.findIndex((it) => !seen.has(it));
  if (missing === -1) return undefined;
  return `item ${String(missing + 1)} of ${String(ids.length)} is missing: ${String(ids[missing])}`;
}

/** @throws Failure unless the client has printed each of the ids once, in this order, and nothing else. */
export function assertOrder(run: Run, ids: readonly string[]): void {
  assertEvery(run, ids);
  const { lines } = run.printed;
  const at = ids.findIndex((id, index) => lines[index] !== id);
  if (at === -1) return;
  const place = ids.indexOf(lines[at] ?? '') + 1;
  const difference = `line ${String(at + 1)} is item ${String(place)} of the list`;
  throw failureOf(run, 'the ids in the order of the list, newest first', 'the same ids in another order', difference);
}

/**
 * @throws Failure unless the client has printed one of the errors, and for a list no ids before it unless `isAfterIds`.
 */
export function assertError(run: Run, allowed: readonly [PrintedError, ...PrintedError[]], isAfterIds = false): void {
  const expected = allowed.map(errorText).join(' or ');
  const { broken, error, lines } = run.printed;
  const isAllowed = allowed.some((it) => it.status === error?.status && it.name === error.name);
  assertThat(run, broken === undefined && isAllowed && (isAfterIds || lines.length === 0), expected);
}

/** Whether two requests have the same method, path and parameters. */
export const isSame = (a: LoggedRequest, b: LoggedRequest): boolean =>
  a.method === b.method && a.path === b.path && isDeepStrictEqual(a.query, b.query);

/** @throws Failure if one of the requests of a run is the same as one before. */
export function assertNoneTwice(run: Run, requests: readonly LoggedRequest[], expected: string): void {
  const again = requests.find((it, at) => requests.slice(0, at).some((other) => isSame(it, other)));
  assertThat(run, again === undefined, expected, `twice: ${String(again?.method)} ${String(again?.url)}`);
}

/** Whether a value is an id. In requests, ids may have any letter case. */
export const isId = (id: string, sent: LoggedRequest['query'][string] | undefined): boolean =>
  typeof sent === 'string' && sent.toLowerCase() === id.toLowerCase();

/** Whether a request has the path of a task. Any character of an id may be percent-encoded. */
export function hasPathOf(task: Task, { path }: LoggedRequest): boolean {
  if (task.do !== 'get') return path === pathOfTask(task);
  const at = path.lastIndexOf('/') + 1;
  return path.slice(0, at) === `${pathOf('contactImports')}/` && isId(task.id, decodeURIComponent(path.slice(at)));
}

/**
 * @returns the requests that do the task of a run: without HEAD and OPTIONS, and without what the client has requested before, such as the
 * contract. Only the rules of requests judge those.
 */
export function requestsOfTask({ requests, scenario: { task } }: Run): readonly LoggedRequest[] {
  const others = requests.filter(({ method }) => method !== 'HEAD' && method !== 'OPTIONS');
  const start = others.findIndex((it) => hasPathOf(task, it));
  return start === -1 ? others : others.slice(start);
}

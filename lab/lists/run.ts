/**
 * `rollcall audit` against real servers: `npm run --prefix lab lists -- [NAME...]`. Without options, it must infer how each list paginates,
 * find the faults that the server is known to have, and find nothing else; and refuse what has no second page. Then it is told what the
 * server's documentation or code declares, and must find what is known of that.
 */
import process from 'node:process';
import { isDeepStrictEqual } from 'node:util';
import { runInShell } from '../../command/shell.ts';
import { RULES, audit } from '../../audit/lists/audit.ts';
import { Untestable } from '../../audit/session/session.ts';
import type { Profile } from '../../audit/lists/profile.ts';
import type { Declared, List, Outcome, Right, Server } from './list.ts';
import type { Running } from './process.ts';
import { SERVERS } from './servers.ts';

/** What an audit said. */
interface Said {
  readonly inferred: Profile | string;
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly noted: readonly string[];
  readonly notChecked: readonly string[];
  /** What was not passed, and why. */
  readonly details: readonly string[];
  /** What was found, by rule. */
  readonly findings: ReadonlyMap<string, string>;
  readonly requests: number;
}

const named = process.argv.slice(2);
const unknown = named.filter((it) => !SERVERS.some(({ name }) => name === it));
if (unknown.length > 0) {
  print(`The servers are ${SERVERS.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

const table = [['server', 'list', 'inferred', 'failed', 'noted', 'exit', 'requests', '']];
const declaredTable = [['server', 'list', 'declared', 'failed', 'noted', 'not checked', 'requests', '']];
for (const server of SERVERS.filter(({ name }) => named.length === 0 || named.includes(name))) {
  try {
    await examine(server);
  } catch (error) {
    wrong(server.name, String(error));
  }
}
print(new Date().toISOString().slice(0, 10));
for (const rows of [table, declaredTable]) {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  for (const row of rows)
    print(
      row
        .map((it, at) => it.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

async function examine({ name, version, start, lists }: Server): Promise<void> {
  const server = await start();
  try {
    for (const list of lists) {
      const said = await auditOf(server, list);
      const { inferred, failed, noted, requests } = said;
      const line = typeof inferred === 'string' ? 'refused' : inWords(inferred);
      const faults = faultsOf(list, said);
      const verdict = faults.length === 0 ? 'right' : 'WRONG';
      const exit = typeof inferred === 'string' ? 3 : Math.sign(failed.length);
      table.push([
        ...[`${name} ${version}`, list.name, line, failed.join(' '), noted.join(' '), String(exit)],
        ...[String(requests), verdict],
      ]);
      for (const fault of faults) wrong(`${name}, ${list.name}`, fault);
      if (list.declared !== undefined) await examineDeclared(`${name} ${version}`, server, list, list.declared);
    }
  } finally {
    await server.stop();
  }
}

/** Audits a list with what is declared of it. Only the rules that this switches on are new. */
async function examineDeclared(name: string, server: Running, list: List, declared: Declared): Promise<void> {
  const switched = RULES.filter((it) => it.on !== undefined).map((it) => it.id);
  const said = await auditOf(server, list, declared);
  const [failed, noted] = [said.failed, said.noted].map((ids) => ids.filter((it) => switched.includes(it)));
  const { finds = {}, ...what } = declared;
  const expected = (outcome: string): string =>
    Object.keys(finds)
      .filter((it) => finds[it] === outcome)
      .join(' ');
  const isRight = expected('failed') === failed?.join(' ') && expected('noted') === noted?.join(' ');
  declaredTable.push([
    ...[name, list.name, Object.keys(what).join(' '), failed?.join(' ') ?? '', noted?.join(' ') ?? ''],
    ...[
      said.notChecked.filter((it) => switched.includes(it)).join(' '),
      String(said.requests),
      isRight ? 'right' : 'WRONG',
    ],
  ]);
  if (!isRight) wrong(`${name}, ${list.name}, declared`, said.details.join('\n  '));
}

function wrong(where: string, what: string): void {
  print(`WRONG ${where}: ${what}`);
  process.exitCode = 1;
}

async function auditOf({ url, headers = {} }: Running, { path, given, changes }: List, told?: Declared): Promise<Said> {
  const { finds: _, ...declared } = told ?? {};
  // Once is enough.
  const commands = told === undefined && changes ? { ...changes(url), run: runInShell } : undefined;
  const run = audit({ profile: { headers, ...given, ...declared, url: `${url}${path}` }, commands });
  const said = {
    passed: new Array<string>(),
    failed: new Array<string>(),
    noted: new Array<string>(),
    notChecked: new Array<string>(),
    details: new Array<string>(),
    findings: new Map<string, string>(),
  };
  try {
    for await (const { rule, ...it } of run) {
      if (it.outcome === 'passed') said.passed.push(rule);
      if (it.outcome === 'failed') said.failed.push(rule);
      if (it.outcome === 'noted') said.noted.push(rule);
      if (it.outcome === 'not_checked') said.notChecked.push(rule);
      if (it.outcome === 'not_checked') said.details.push(`${rule} is not checked: ${it.reason}`);
      else if (it.outcome !== 'passed') {
        said.details.push(`${rule} ${it.outcome}: ${it.findings[0].request}: ${it.findings[0].actual}`);
        said.findings.set(rule, it.findings.map(({ actual }) => actual).join('\n'));
      }
    }
  } catch (error) {
    if (!(error instanceof Untestable)) throw error;
    return { ...said, inferred: run.show(error.text), requests: run.sent };
  }
  return { ...said, inferred: run.profile ?? 'no profile', requests: run.sent };
}

/** @returns what is wrong with what an audit said. */
function faultsOf({ right, finds = {}, mayFail = [] }: List, { inferred, ...said }: Said): readonly string[] {
  if (typeof inferred === 'string') {
    const isRight = right === undefined && /second page/i.test(inferred);
    return isRight ? [] : [`it is refused: ${inferred}`];
  }
  if (right === undefined) return [`it is not refused: ${inWords(inferred)}`];
  const expected = Object.entries(finds).map(([rules, found]) => {
    const [outcome, text = ''] = typeof found === 'string' ? [found] : found;
    return { rules: rules.split('|'), outcome, text };
  });
  const isFound = (rule: string, outcome: Outcome, text: string): boolean =>
    said[outcome].includes(rule) && (text === '' || said.findings.get(rule)?.includes(text) === true);
  const missed = expected
    .filter(({ rules, outcome, text }) => !rules.some((rule) => isFound(rule, outcome, text)))
    .map(({ rules, outcome, text }) => {
      const instead = rules.flatMap((rule) => said.findings.get(rule) ?? []);
      return [`${rules.join(' or ')} is not ${outcome} ${text}`, ...instead].join('; it is: ');
    });
  const known = [...mayFail, ...expected.flatMap(({ rules, outcome }) => (outcome === 'failed' ? rules : []))];
  const alarms = said.failed.filter((it) => !known.includes(it)).map((it) => `${it} failed`);
  const isInferred = isRightly(inferred, right);
  return [...(isInferred ? [] : [`it infers ${inWords(inferred)}`]), ...missed, ...alarms];
}

function isRightly({ items, id, size, next }: Profile, right: Right): boolean {
  const ways = [right.next].flat();
  return (
    items === right.items &&
    id === right.id &&
    size?.param === right.size &&
    ways.some((way) => isDeepStrictEqual({ ...next, ...way }, next))
  );
}

function inWords({ items, id, size, next }: Profile): string {
  const words = (of: object): string => Object.values(of).map(String).join(' ');
  return `${items || '-'}, ${id || '-'}, ${size?.param ?? '-'}; ${Object.keys(next)[0] ?? ''} ${words(next)}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

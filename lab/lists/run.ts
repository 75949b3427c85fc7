/**
 * `rollcall audit` without options against real servers: `npm run --prefix lab lists -- [NAME...]`. It must infer how each list paginates,
 * find the faults that the server is known to have, and find nothing else; and refuse what has no second page.
 */
import process from 'node:process';
import { isDeepStrictEqual } from 'node:util';
import { audit } from '../../audit/lists/audit.ts';
import { Untestable } from '../../audit/session/session.ts';
import type { Profile } from '../../audit/lists/profile.ts';
import { CURSORPROOF, cursorProof } from './cursorproof.ts';
import type { Running } from './process.ts';
import { SERVERS } from './servers.ts';
import type { List, Right, Server } from './servers.ts';

/** What an audit said. */
interface Said {
  readonly inferred: Profile | string;
  readonly failed: readonly string[];
  readonly noted: readonly string[];
  readonly requests: number;
}

const named = process.argv.slice(2);
const unknown = named.filter((it) => !SERVERS.some(({ name }) => name === it));
if (unknown.length > 0) {
  print(`The servers are ${SERVERS.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

const table = [['server', 'list', 'inferred', 'failed', 'noted', 'requests', CURSORPROOF, 'with options', '']];
for (const server of SERVERS.filter(({ name }) => named.length === 0 || named.includes(name))) {
  try {
    await examine(server);
  } catch (error) {
    wrong(server.name, String(error));
  }
}
print(new Date().toISOString().slice(0, 10));
const widths = (table[0] ?? []).map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0)));
for (const row of table)
  print(
    row
      .map((it, at) => it.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );

async function examine({ name, version, start, lists }: Server): Promise<void> {
  const server = await start();
  try {
    for (const list of lists) {
      const said = await auditOf(server, list);
      const { inferred, failed, noted, requests } = said;
      const line = typeof inferred === 'string' ? 'refused' : inWords(inferred);
      const peer = [await cursorProof(server, list, false), await cursorProof(server, list, true)];
      const faults = faultsOf(list, said);
      const verdict = faults.length === 0 ? 'right' : 'WRONG';
      table.push([
        `${name} ${version}`,
        ...[list.name, line, failed.join(' '), noted.join(' '), String(requests)],
        ...[...peer, verdict],
      ]);
      for (const fault of faults) wrong(`${name}, ${list.name}`, fault);
    }
  } finally {
    await server.stop();
  }
}

function wrong(where: string, what: string): void {
  print(`WRONG ${where}: ${what}`);
  process.exitCode = 1;
}

async function auditOf({ url, headers = {} }: Running, { path }: List): Promise<Said> {
  const run = audit({ profile: { url: `${url}${path}`, headers } });
  const [failed, noted]: [string[], string[]] = [[], []];
  try {
    for await (const { rule, outcome } of run) {
      if (outcome === 'failed') failed.push(rule);
      if (outcome === 'noted') noted.push(rule);
    }
  } catch (error) {
    if (!(error instanceof Untestable)) throw error;
    return { inferred: error.message, failed, noted, requests: run.sent };
  }
  return { inferred: run.profile ?? 'no profile', failed, noted, requests: run.sent };
}

/** @returns what is wrong with what an audit said. */
function faultsOf({ right, finds = {}, mayFail = [] }: List, { inferred, failed, noted }: Said): readonly string[] {
  if (typeof inferred === 'string') {
    const isRight = right === undefined && /second page/i.test(inferred);
    return isRight ? [] : [`it is refused: ${inferred}`];
  }
  if (right === undefined) return [`it is not refused: ${inWords(inferred)}`];
  const expected = Object.entries(finds).map(([rules, outcome]) => ({ rules: rules.split('|'), outcome }));
  const missed = expected
    .filter(({ rules, outcome }) => !rules.some((it) => (outcome === 'failed' ? failed : noted).includes(it)))
    .map(({ rules, outcome }) => `${rules.join(' or ')} is not ${outcome}`);
  const known = [...mayFail, ...expected.flatMap(({ rules, outcome }) => (outcome === 'failed' ? rules : []))];
  const alarms = failed.filter((it) => !known.includes(it)).map((it) => `${it} failed`);
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

/** docs/clients.md: what public clients do in the scenarios of `examine`. */
import process from 'node:process';
import { format } from 'prettier';
import { SCENARIOS } from '../../audit/fake/scenarios.ts';
import type { Result } from '../../audit/rules/rule.ts';
import { FAULTS } from './rows.ts';
import type { Client } from './rows.ts';

/** A client, and what each of its runs found. */
export interface Examined {
  readonly client: Client;
  readonly runs: readonly (readonly Result[])[];
}

const [PASSED, NONE] = ['·', ''];

/** @returns the text of docs/clients.md. */
export async function page(examined: readonly Examined[], date: Date): Promise<string> {
  const rows = examined.map(({ client, runs: [results = []] }) => {
    const count = (outcome: Result['outcome']): string =>
      String(results.filter((result) => result.outcome === outcome).length);
    const { name, language, profile, version } = client;
    const program = `[\`${name}\`](../lab/clients/programs/${name}.${language === 'Node' ? 'mjs' : 'py'})`;
    return [program, `${client.package} ${version}`, profile, count('passed'), count('failed'), count('noted')];
  });
  const faults = FAULTS.map(
    ({ clients, scenarios, sentence, source }, at) =>
      `${String(at + 1)}. ${codes(clients)}, ${codes(scenarios)}: “${sentence}” (${source})`,
  );
  const text = `# Public clients

Open this page to see what \`rollcall examine\` shows of clients that many programs use. Each was run by a program of a few lines against a
server that paginates as its API does, with 5 items per page. The real APIs were not requested.

\`npm run --prefix lab clients -- --write\` wrote this page on ${date.toISOString().slice(0, 10)}, with Node ${process.versions.node}. Each result was seen twice.
The scenarios about keys were not run.

${tableOf(['Program', 'Package', 'Profile', 'Passed', 'Failed', 'Notes'], rows)}

## What happened

“5 of 18 items” says that the program printed only these, “another id” that it printed one that is not in the list; both exited with 0. In all
other cases, a program did what the [scenario](examine-rules.md) asks for, or the scenario does not apply to its list. A number marks
[a fault](#faults); no sentence that was found says so of the others.

${tableOf(['Scenario', 'What happened'], happened(examined))}

## Faults

${faults.join('\n')}
`;
  return format(text, { parser: 'markdown', singleQuote: true, proseWrap: 'always', printWidth: 140 });
}

/** @returns the rows of scenarios that a client does not pass: what happened, and with which clients. Equal rows are one. */
function happened(examined: readonly Examined[]): readonly (readonly string[])[] {
  const rows = new Map<string, string[]>();
  for (const { name } of SCENARIOS) {
    const programs = new Map<string, string[]>();
    for (const { client, runs } of examined) {
      const cell = markedCell(client, name, runs);
      if (cell !== PASSED && cell !== NONE) programs.set(cell, [...(programs.get(cell) ?? []), client.name]);
    }
    if (programs.size === 0) continue;
    const text = [...programs].map(
      ([cell, names]) => `${names.length === examined.length ? 'all' : names.join(', ')}: ${cell}`,
    );
    rows.set(text.join('; '), [...(rows.get(text.join('; ')) ?? []), name]);
  }
  return [...rows].map(([text, names]) => [codes(names), text]);
}

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** @returns what a client did in a scenario in each run, with the number of the fault that it is called. */
function markedCell({ name }: Client, scenario: string, runs: Examined['runs']): string {
  const seen = [...new Set(runs.map((results) => cellOf(results.find(({ rule }) => rule === scenario))))];
  const cell = seen.join(' or ');
  const fault = FAULTS.findIndex((it) => it.clients.includes(name) && it.scenarios.includes(scenario));
  return fault < 0 || cell === PASSED ? cell : `${cell} [${String(fault + 1)}](#faults)`;
}

function cellOf(result: Result | undefined): string {
  if (result === undefined || result.outcome === 'not_checked') return NONE;
  if (result.outcome === 'passed') return PASSED;
  const [{ actual }] = result.findings;
  const exit = / and exited with (\d+)/.exec(actual)?.[1];
  const code = exit === undefined || exit === '0' ? '' : `, exit ${exit}`;
  const again = /the command printed ([\d,]+) of [\d,]+ items? more than once/.exec(actual)?.[1];
  if (again !== undefined) return `${again} ${again === '1' ? 'item' : 'items'} again${code}`;
  const printed = /the command printed ([\d,]+ of [\d,]+ items)/.exec(actual)?.[1];
  if (printed !== undefined) return printed + code;
  if (actual.includes('which is not an item')) return `another id${code}`;
  if (actual.includes('did not end')) return 'no end';
  if (actual.includes('was still reading')) return 'read for 60 s';
  const waited = /repeated the request after ([\d.]+) s, not/.exec(actual)?.[1];
  if (waited !== undefined) return `retry after ${Number(waited).toFixed(0)} s`;
  const sent = /sent a request (\d+) times/.exec(actual)?.[1];
  return sent === undefined ? actual.replace(/; the server .*$/s, '') : `${sent} requests`;
}

/** @returns the faults that did not happen in any run, which rows.ts must not name. */
export function goneFaults(examined: readonly Examined[]): readonly string[] {
  return FAULTS.flatMap(({ clients, scenarios }) =>
    examined
      .filter(({ client }) => clients.includes(client.name))
      .flatMap(({ client, runs }) =>
        scenarios
          .filter((name) => cellOf(runs[0]?.find(({ rule }) => rule === name)) === PASSED)
          .map((name) => `${client.name} ${name}`),
      ),
  );
}

function tableOf(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...lines.map(line)].join('\n');
}

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
  const cells = SCENARIOS.flatMap(({ name }) => {
    const row = examined.map(({ client, runs }) => markedCell(client, name, runs));
    return row.every((cell) => cell === PASSED || cell === NONE) ? [] : [[`\`${name}\``, ...row]];
  });
  const rows = examined.map(({ client, runs: [results = []] }) => {
    const count = (outcome: Result['outcome']): string =>
      String(results.filter((result) => result.outcome === outcome).length);
    const { name, language, profile, version } = client;
    const program = `[\`${name}\`](../lab/clients/programs/${name}.${language === 'Node' ? 'mjs' : 'py'})`;
    return [
      program,
      `${client.package} ${version}`,
      language,
      profile,
      count('passed'),
      count('failed'),
      count('noted'),
    ];
  });
  const faults = FAULTS.map(({ clients, scenarios, sentence, source }) => [
    ...[codes(clients), codes(scenarios), `“${sentence}” (${source})`],
  ]);
  const text = `# Public clients

Open this page to see what \`rollcall examine\` shows of clients that many programs use, before you test yours. Each was run by a program of a
few lines against a server that pages as its API does, with 5 items on a page. The real APIs were not requested.

\`npm run --prefix lab clients -- --write\` wrote this page on ${date.toISOString().slice(0, 10)}, with Node ${process.versions.node}. Each cell was seen twice.
The scenarios about keys were not run.

${tableOf(['Program', 'Package', 'Language', 'Profile', 'Passed', 'Failed', 'Notes'], rows)}

## What happened

“5 of 18 items, exit 0” says that the program printed 5 of the 18 items of the list, and ended without an error. ${PASSED} is what the
[scenario](examine-rules.md) asks for, and an empty cell says that it does not apply. Scenarios with which all clients pass are left out. What has
a number is [called a fault](#faults); no sentence that was found says so of the others.

${tableOf(['Scenario', ...examined.map(({ client }) => client.name)], cells)}

## Faults

${tableOf(
  ['', 'Client', 'Scenario', 'Sentence'],
  faults.map((row, at) => [String(at + 1), ...row]),
)}
`;
  return format(text, { parser: 'markdown', singleQuote: true, printWidth: 140 });
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
  const code = exit === undefined ? '' : `, exit ${exit}`;
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

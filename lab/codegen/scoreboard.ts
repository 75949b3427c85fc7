/** The scoreboard, docs/scoreboard.md: how many rules of `rollcall examine` each client of the matrix passes, and why the others fail. */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import process from 'node:process';
import { format } from 'prettier';
import type { Built, Row } from './row.ts';
import { AREAS } from './score.ts';
import type { Score } from './score.ts';

/** The least that a run of all rows must have. */
const MIN_CLIENTS = 20;
const MIN_LANGUAGES = 6;

export interface Scored {
  readonly row: Row;
  readonly built: Built;
  readonly score: Score;
}

/** The driver's own area has one rule, which all clients pass: it has no column. */
export const COLUMNS = AREAS.filter((it) => it !== 'driver');

/** @returns the cells of a client: for each area, how many of the checked rules it passes. */
export function cellsOf({ counts }: Score): readonly string[] {
  return COLUMNS.map((area) => {
    const { passed, checked } = counts[area] ?? { passed: 0, checked: 0 };
    return `${String(passed)}/${String(checked)}`;
  });
}

/** @returns the size of the scoreboard in words. @throws Error if it is too small. */
export function sizeOf(scored: readonly Scored[]): string {
  const languages = new Set(scored.map(({ built }) => built.language)).size;
  const size = `${String(scored.length)} clients in ${String(languages)} languages`;
  if (scored.length >= MIN_CLIENTS && languages >= MIN_LANGUAGES) return size;
  throw new Error(`${size}: there must be at least ${String(MIN_CLIENTS)} in ${String(MIN_LANGUAGES)}.`);
}

/** @returns the text of docs/scoreboard.md. @throws Error if the scoreboard is too small. */
export async function scoreboard(scored: readonly Scored[], date: Date): Promise<string> {
  const rows = scored.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const clients = rows.map(({ row, built, score }) => {
    return [linkOf(row), `${built.tool} ${built.version}`, built.language, ...cellsOf(score)];
  });
  const failures = rows.flatMap(({ row, score }) =>
    score.verdicts.map(({ rules, fault, reason }) => {
      return [`\`${row.name}\``, rules.map((it) => `\`${it}\``).join(', '), fault, reason];
    }),
  );
  const text = `# Scoreboard

How well generated clients read a list API. [\`rollcall examine\`](examine.md) runs a small driver of each client in scenarios such as
errors on a later page, and counts [rules](examine-rules.md) that pass, of those checked.
[Code generation](codegen.md) has the commands that generate the clients. A driver uses the client as the client's documentation
says; if the client has no pagination, the driver has its own loop. \`rollcall-client\` is [our client](client.md); \`fetch\` is a
first draft without a client, which shows what the rules find.

\`npm run codegen -- --all --write\` wrote this page on ${date.toISOString().slice(0, 10)}: ${sizeOf(scored)}, with Rollcall ${version},
Node ${process.versions.node}, and two rows at a time on ${String(cpus().length)} cores of ${modelOf(cpus()[0]?.model)}. To repeat a row, name it:
\`npm run codegen orval\`. Each failure below is known; another failure, or one that is gone, fails the run.

${tableOf(['Row', 'Client', 'Language', ...COLUMNS], clients)}

## Failures

The fault is the generator's, the contract's or the driver's.

${tableOf(['Row', 'Rules', 'Fault', 'Reason'], failures)}
`;
  return format(text, { parser: 'markdown', singleQuote: true, printWidth: 120 });
}

const linkOf = ({ name }: Row): string => `[\`${name}\`](../test/codegen/${name})`;

/** By language; the sentinel is the last row. */
const keyOf = ({ row, built }: Scored): string => `${row.isSentinel === true ? '~' : built.language} ${row.name}`;

/** As people call it: `AMD EPYC` of `AMD EPYC 9B14 64-Core Processor`. */
const modelOf = (model = 'an unknown processor'): string =>
  `an ${model.replace(/ \S+ \d+-Core Processor.*| with .*/, '')}`;

function tableOf(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((it) => it.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...lines.map(line)].join('\n');
}

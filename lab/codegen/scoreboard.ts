/** The scoreboard: how many scenarios of `rollcall examine` each generated client passes, and why the others fail. */
import process from 'node:process';
import { format } from 'prettier';
import { SCENARIOS } from '../../audit/fake/scenarios.ts';
import { isNamed } from '../../audit/rules/rule.ts';
import type { Result } from '../../audit/rules/rule.ts';
import { suiteOf } from '../../audit/report/report.ts';
import { knownFailuresOf } from './examine.ts';

/** A row that passed. */
export interface Scored {
  readonly row: string;
  readonly tool: string;
  readonly version: string;
  readonly language: string;
  /** What `examine` says; empty if the row is not a client. */
  readonly results: readonly Result[];
}

/** @returns the text of scoreboard.md. */
export async function scoreboard(scored: readonly Scored[], date: Date): Promise<string> {
  const ran = scored.flatMap(({ results }) => results).filter(({ outcome }) => outcome !== 'not_checked');
  const areas = [...new Set(SCENARIOS.map(({ name }) => suiteOf({ rule: name })))].filter((area) =>
    ran.some(({ rule }) => isNamed(rule, [area])),
  );
  const rows = scored.map(({ row, tool, version, language, results }) => {
    return [`[\`${row}\`](${row})`, `${tool} ${version}`, language, ...areas.map((area) => countOf(results, area))];
  });
  const failures = scored.flatMap(({ row }) =>
    knownFailuresOf(row).map(([reason, rules]) => {
      return [`\`${row}\``, rules.map((rule) => `\`${rule}\``).join(', '), reason];
    }),
  );
  const text = `# Scoreboard

How generated clients read three lists of this API: [scenarios](../../docs/examine-rules.md) of \`rollcall examine\` without a failure, of
those that apply. A driver uses the client as its documentation says, and has its own loop over pages. Three rows have no scenarios: the
servers run \`rollcall conform\` against themselves, and every tool of the MCP server is called.

\`npm run --prefix lab codegen -- --write\` wrote this page on ${date.toISOString().slice(0, 10)} with Node ${process.versions.node}. To repeat a row, name it:
\`npm run --prefix lab codegen orval\`.

${tableOf(['Row', 'Generator', 'Language', ...areas], rows)}

## Known failures

Another failure, or one that is gone, fails the run.

${tableOf(['Row', 'Scenarios', 'Reason'], failures)}
`;
  return format(text, { parser: 'markdown', singleQuote: true, printWidth: 120 });
}

/** @returns how many scenarios of an area have no failure, of those that were run. */
function countOf(results: readonly Result[], area: string): string {
  if (results.length === 0) return '';
  const own = results.filter(({ rule, outcome }) => outcome !== 'not_checked' && isNamed(rule, [area]));
  const failed = own.filter(({ outcome }) => outcome === 'failed').length;
  return `${String(own.length - failed)}/${String(own.length)}`;
}

function tableOf(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...lines.map(line)].join('\n');
}

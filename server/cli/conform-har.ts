/** `rollcall conform --har`: reads a file of captured traffic, and prints the results. */
import { Buffer } from 'node:buffer';
import type { Command } from 'commander';
import { HarError } from '../conform/har.ts';
import { judgeHar, trafficLines } from '../conform/har-report.ts';
import type { Judged, Options } from '../conform/har-report.ts';
import type { Contract } from '../contract/document.ts';
import { InputError } from '../import/split.ts';
import { compareWithBaseline } from '../report/baseline.ts';
import { failureLines, suiteOf, totals, totalsLine, treeLines } from '../report/report.ts';
import type { Report } from '../report/report.ts';
import { inputName, readInput } from './input.ts';
import { print, printJson } from './output.ts';

// The text and the parsed file are in memory.
const MAX_BYTES = 256 * 1024 * 1024;

// Options of requests.
const OF_SERVERS = [
  'key',
  'key2',
  'seeded',
  'dryRun',
  'timeout',
  'maxRequests',
  'maxItems',
  'randomSeed',
  'allowKeyInUrl',
];

/** @returns the first option on the command line that has no meaning with `--har`. */
export const optionOfServers = (command: Command): string | undefined =>
  command.options.find(
    (it) => OF_SERVERS.includes(it.attributeName()) && command.getOptionValueSource(it.attributeName()) === 'cli',
  )?.long;

/** @param file a path, or `-` for standard input. @param usageError reports wrong usage with a message, and ends the command. */
export async function judgeFile(
  contract: Contract,
  file: string,
  options: Options,
  usageError: (what: string) => never,
): Promise<Judged> {
  try {
    return judgeHar(contract, await textOf(file), options);
  } catch (error) {
    if (error instanceof HarError) return usageError(`${shownFile(file)} is not a HAR file: ${error.message}`);
    if (error instanceof InputError) return usageError(`${shownFile(file)} ${error.message}`);
    throw error;
  }
}

const shownFile = (file: string): string => (file === '-' ? inputName(file) : `the --har file ${file}`);

async function textOf(file: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of readInput(file)) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) {
      throw new InputError(
        undefined,
        `is larger than the limit of ${String(MAX_BYTES / 1024 / 1024)} MB: capture fewer exchanges, or only those of the API`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** @returns why nothing was checked; `undefined` if something was. */
export const untestableOf = ({ judged }: Judged): string | undefined =>
  judged > 0 ? undefined : 'It contains no exchange of the API that can be checked.';

/** Prints the results as a tree, or as JSON. */
export function printJudged(file: string, report: Report, judged: Judged, isJson: boolean): void {
  const { results, baseline, untestable } = report;
  const { exchanges, accounts, absent, traffic, partly } = judged;
  if (isJson) {
    const { known, fixed } = compareWithBaseline(results, baseline);
    const { bases, leftOut, withoutKey } = traffic;
    const counts = {
      exchanges,
      judged: judged.judged,
      not_judged: Object.fromEntries(leftOut),
      accounts,
      withoutKey,
      absent,
    };
    const ofBaseline = { known: known.length, fixed: fixed.length };
    const pages = Object.fromEntries(partly);
    printJson({ har: file, urls: bases, ...counts, ...totals(results), ...ofBaseline, untestable, pages, results });
    return;
  }
  for (const [at, result] of results.entries()) {
    if (results[at - 1]?.operation !== result.operation) print('', suiteOf(result));
    print(...treeLines(result, baseline));
  }
  print(...failureLines(results, baseline), '', ...trafficLines(judged));
  if (results.length > 0) print(totalsLine(results, baseline));
}

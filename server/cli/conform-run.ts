/** What `rollcall conform` does: runs the rules, tells of each as it is known, and says at the end what all come to. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import yoctoSpinner from 'yocto-spinner';
import { conform } from '../conform/conform.ts';
import type { Result } from '../conform/conform.ts';
import { junit, needsOf, sentLine, totals, totalsLine, treeLines } from '../conform/report.ts';
import type { Report } from '../conform/report.ts';
import { allRules, isNamed } from '../conform/rules.ts';
import { redact, Untestable } from '../conform/session.ts';
import { counted } from '../contract/wording.ts';
import { loadContract } from '../contract/document.ts';
import { fileError } from './file-errors.ts';
import { isInteractive, notify, print, printJson, printable } from './output.ts';
import { NotTested, Refusal } from './refusal.ts';

export interface ConformOptions {
  readonly key: string;
  readonly key2?: string;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly seeded?: true;
  /** In seconds. */
  readonly timeout: number;
  readonly json?: true;
  readonly junit?: string;
}

/**
 * @param refuseUsage ends the command as wrong usage, saying what is wrong.
 * @throws Refusal if a rule failed, NotTested if that is not known.
 */
export async function runConform(
  url: string,
  options: ConformOptions,
  refuseUsage: (what: string) => never,
): Promise<void> {
  const { key, key2, only, skip, timeout, json: isJson = false, junit: file, seeded: isSeeded = false } = options;
  const contract = loadContract();
  checkUsage(options, allRules(contract), refuseUsage);

  const spinner = isInteractive() ? yoctoSpinner({ stream: process.stderr, text: 'Asking' }).start() : undefined;
  const progress = spinner && ((what: string): void => void (spinner.text = printable(what)));
  const run = conform(contract, { url, key, key2 }, { only, skip, isSeeded, runMs: timeout * 1000, progress });
  const results: Result[] = [];
  let untestable: string | undefined;
  try {
    for await (const result of run) {
      spinner?.clear();
      if (!isJson) {
        if (results.at(-1)?.operation !== result.operation) print('', result.operation);
        print(...treeLines(result));
      }
      results.push(result);
    }
  } catch (error) {
    if (!(error instanceof Untestable)) throw error;
    untestable = redact(error.message, { url, key, key2 });
  } finally {
    spinner?.stop();
  }

  const report: Report = { url, untestable, sent: run.sent, results };
  if (isJson) printJson({ url, ...totals(results), untestable, needs: needsOf(results), sent: run.sent, results });
  else if (results.length > 0) print('', totalsLine(results), sentLine(run.sent));
  if (isSeeded && !isJson) tellNeeds(results);
  const isLost = file !== undefined && !write(file, junit(report));
  conclude(report, isSeeded);
  if (isLost) throw new NotTested(`The results are not in ${file}, see above.`);
}

/** What is not to be printed by the parser, because it is a secret, or needs the contract to be judged. */
function checkUsage(
  options: ConformOptions,
  rules: ReadonlyMap<string, string>,
  refuse: (what: string) => never,
): void {
  const { key, key2, only = [], skip = [], junit: file } = options;
  for (const [name, value = key] of Object.entries({ key, key2 })) {
    // What a header can hold, and what can be told from the text around it.
    if (!/^[!#-~]{1,4096}$/.test(value)) refuse(`--${name} must be printable ASCII without spaces and quotes`);
  }
  if (key === key2) refuse('--key2 must be a key of another account than --key');
  for (const name of [...only, ...skip]) {
    if ([...rules.keys()].some((it) => isNamed(it, [name]))) continue;
    refuse(`there is no rule ${JSON.stringify(name)}; there are ${[...rules.keys()].join(', ')}`);
  }
  if (file === undefined) return;
  try {
    closeSync(openSync(file, 'a')); // Before the run: its results are not to be lost.
  } catch (error) {
    refuse(`the file of --junit, ${file}, ${fileError(error, 'written')}`);
  }
}

function write(file: string, text: string): boolean {
  try {
    writeFileSync(file, text);
    return true;
  } catch (error) {
    notify(`rollcall: The file of --junit, ${file}, ${fileError(error, 'written')}.`);
    return false;
  }
}

function tellNeeds(results: readonly Result[]): void {
  const needs = needsOf(results);
  if (needs.length > 0) print('', 'For all rules to be tried the account needs', ...needs.map((it) => `  ${it}`));
}

/** @throws Refusal, NotTested */
function conclude({ url, untestable, results }: Report, isSeeded: boolean): void {
  if (untestable !== undefined) throw new NotTested(`${url} could not be tested. ${untestable}`);
  const { failed, skipped } = totals(results);
  if (failed > 0) throw new Refusal(`${url} does not conform to the contract.`);
  if (isSeeded && skipped > 0) throw new NotTested(`${counted(skipped, 'rules')} of ${url} could not be tried.`);
  if (results.every((it) => it.outcome === 'skipped')) throw new NotTested(`No rule of ${url} could be tried.`);
}

/** The files that `audit` writes: a profile, the items of a list, and the reports of `conform`. */
import { existsSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { counted } from '../../contract/wording.ts';
import { capture } from '../lists/capture.ts';
import type { List } from '../lists/list.ts';
import type { Profile } from '../lists/profile.ts';
import { CliError, fileError, isSystemError } from './errors.ts';
import { notify } from './output.ts';
import { requireSeparate } from './paths.ts';
import { checkFiles } from './report-files.ts';
import type { ReportOptions } from './report-files.ts';

export interface FileOptions extends ReportOptions {
  readonly profile?: string;
  readonly openapi?: string;
  readonly save?: string;
  readonly capture?: string;
}

/** Checks that the files to write are different ones, and that those of one list are new. */
export function checkOutputs(options: FileOptions, usageError: (what: string) => never): void {
  const { save, capture: captured, junit, writeBaseline, baseline, profile, openapi } = options;
  const outputs = [
    { what: 'the --save file', path: save },
    { what: 'the --capture file', path: captured },
    { what: 'the --junit file', path: junit },
    { what: 'the --write-baseline file', path: writeBaseline },
  ];
  const inputs = [
    { what: 'the --profile file', path: profile },
    { what: 'the --openapi file', path: openapi },
  ];
  try {
    requireSeparate(outputs, inputs);
    requireSeparate(outputs.slice(0, 2), [{ what: 'the --baseline file', path: baseline }]);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    usageError(error.message);
  }
  for (const [name, file] of [
    ['--save', save],
    ['--capture', captured],
  ] as const)
    if (file !== undefined && existsSync(file))
      usageError(`the ${name} file ${file} already exists; choose a new file`);
  checkFiles(options, usageError);
}

/** @throws CliError if the file cannot be written. */
export function writeNew(file: string, text: string, name: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    throw new CliError(`The ${name} file ${file} ${fileError(error, 'written')}.`);
  }
}

/** Writes the items to a file, which has its name only once it is complete. */
export async function captureInto(file: string, list: List, { size }: Profile): Promise<void> {
  const part = `${file}.part`;
  let count = 0;
  async function* lines(): AsyncGenerator<string> {
    for await (const line of capture(list, size?.max)) {
      count += 1;
      yield `${line}\n`;
    }
  }
  const failure = (error: unknown): unknown =>
    isSystemError(error) ? new CliError(`The --capture file ${part} ${fileError(error, 'written')}.`) : error;
  const output = await open(part, 'wx').catch((error: unknown) => {
    throw failure(error);
  });
  try {
    await pipeline(lines, output.createWriteStream());
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw failure(error);
  }
  notify(`Captured ${counted(count, 'items')} in ${file}.`);
}

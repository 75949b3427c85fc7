/** The records that an import loads, and every reason not to load them. */
import { COLLECTIONS, commandName } from '../contract/collections.ts';
import { be, counted } from '../contract/wording.ts';
import type { createChecks } from '../import/check.ts';
import { fits, readRecords } from '../import/records.ts';
import type { Reject } from '../import/records.ts';
import { InputError } from '../import/split.ts';
import type { CheckedRecord } from '../store/store.ts';
import type { ImportRequest } from './import-request.ts';
import { inputName, readInput } from './input.ts';

/** What has been read so far. */
export interface Tally {
  good: number;
  bad: number;
  /** What is wrong with the first bad records, a line each. */
  readonly violations: string[];
}

/** Thrown through a load to call it off. */
export class CalledOff extends Error {
  /** Which input is not loaded, and why. */
  readonly lines: readonly string[];

  constructor(...lines: readonly string[]) {
    super(lines.at(-1));
    this.lines = lines;
  }
}

type Checks = ReturnType<typeof createChecks>;

const MAX_REPORTED = 20;

/**
 * @yields the good records of files, in their order.
 * @throws CalledOff where the files may not be loaded, and what `rejects` throws.
 */
export async function* recordsOf(
  files: readonly string[],
  checks: Checks,
  request: ImportRequest,
  tally: Tally,
): AsyncGenerator<readonly CheckedRecord[]> {
  const { replace, allowEmpty = false, rejects } = request;
  const isRefused = (): boolean => tally.bad > 0 && rejects === undefined;
  for (const file of files) {
    const before = tally.good + tally.bad;
    for await (const records of recordsOfFile(file, checks, request, tally)) if (!isRefused()) yield records;
    if (tally.good + tally.bad > before || allowEmpty) continue;
    const reason = 'has no record; nothing of it was loaded. Add --allow-empty if that is meant';
    throw new CalledOff(...tally.violations, `${inputName(file)} ${reason}`);
  }

  const inputs = files.map(inputName).join(', ');
  if (isRefused()) {
    const { good, bad } = tally;
    const count = `${bad.toLocaleString('en')} of ${counted(good + bad, 'records')} ${be(bad)} bad`;
    throw new CalledOff(...tally.violations, `${inputs}: ${count}; nothing of it was loaded`);
  }
  if (replace && !allowEmpty && tally.good === 0) {
    throw new CalledOff(
      ...tally.violations,
      `${inputs}: there is no good record, and --replace would leave the collection empty; nothing was changed. ` +
        'Add --allow-empty if that is meant',
    );
  }
}

async function* recordsOfFile(
  file: string,
  checks: Checks,
  { collection, replace, allowPartial = false, rejects, progress }: ImportRequest,
  tally: Tally,
): AsyncGenerator<readonly CheckedRecord[]> {
  const input = inputName(file);
  let bytes = 0;
  const chunks = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of readInput(file)) {
      bytes += chunk.length;
      yield chunk;
    }
  };
  const reject = (bad: Reject): void => {
    tally.bad += 1;
    if (tally.violations.length < MAX_REPORTED) tally.violations.push(violationLine(input, bad));
    if (rejects !== undefined) {
      rejects.add(file, bad);
      return;
    }
    // The first is told from the others: a file of another collection would only be told the same again and again.
    const other = tally.bad === 1 ? COLLECTIONS.find((it) => fits(bad, checks[it])) : undefined;
    if (other === undefined) return;
    const names = `${commandName(other)}, not ${commandName(collection)}`;
    throw new CalledOff(`${input}:${String(bad.line)}: this looks like ${names}; nothing of it was loaded`);
  };
  const partial = (): void => {
    if (!replace || allowPartial) return;
    throw new CalledOff(
      `${input} is one page of a longer list ("has_more" is true), and --replace would remove the records of the ` +
        'other pages; nothing of it was loaded. Add --allow-partial if that is meant',
    );
  };
  try {
    for await (const records of readRecords(chunks(), checks[collection], { reject, partial })) {
      tally.good += records.length;
      progress?.(file, tally.good + tally.bad, bytes);
      yield records;
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const at = error.line === undefined ? '' : `:${String(error.line)}:`;
    const violations = rejects === undefined ? tally.violations : [];
    throw new CalledOff(...violations, `${input}${at} ${error.message}; nothing of it was loaded`);
  }
}

function violationLine(input: string, { line, violations }: Reject): string {
  return `${input}:${String(line)}: ${violations.map(({ where, what }) => `${where}: ${what}`).join('; ')}`;
}

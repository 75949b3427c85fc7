/** Reads and checks files, and loads them into a store: one transaction for each file, or one for all files if they replace a collection. */
import { COLLECTIONS, commandName } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import { be, counted } from '../contract/wording.ts';
import type { Contract } from '../contract/document.ts';
import { pointer, schemaHash } from '../contract/schema.ts';
import { createChecks } from '../import/check.ts';
import { columnsOf } from '../import/csv.ts';
import { valuesIn } from '../import/json-text.ts';
import { InputError } from '../import/split.ts';
import { createConverter, naming } from '../import/timestamps.ts';
import type { Convert } from '../import/timestamps.ts';
import { fits, readRecords } from '../import/records.ts';
import type { Reject } from '../import/records.ts';
import { StoreBusy } from '../server/store/store.ts';
import type { CheckedRecord } from '../server/store/store.ts';
import type { Loader } from './database.ts';
import { inputName, readInput } from './input.ts';
import type { Progress } from './progress.ts';

/** What to import. */
export interface ImportRequest {
  readonly account: string;
  readonly collection: Collection;
  /** Paths; `-` is standard input. */
  readonly files: readonly string[];
  /** Whether to replace the collection with the records of the files. */
  readonly replace: boolean;
  /** Whether to accept an input without a record, and to let `replace` empty the collection. */
  readonly allowEmpty?: boolean | undefined;
  /** Whether to let `replace` load a list response with `has_more: true`, which is one page of a longer list. */
  readonly allowPartial?: boolean | undefined;
  /** The columns of CSV by the path of their property, such as `counts.total`, where they have other names. */
  readonly renamed?: ReadonlyMap<string, string> | undefined;
  /** Whether to convert RFC 3339 and Unix timestamps. */
  readonly convertTimestamps?: boolean | undefined;
  /** Whether to load the good records of a file that has a bad one. */
  readonly skipInvalid?: boolean | undefined;
  /** Collects the bad records, with `skipInvalid`. */
  readonly rejects?: Rejects | undefined;
  readonly progress?: Progress | undefined;
}

/** Collects bad records. Each is added when it is read. Then `commit` is called if its file was loaded, else `rollback`. */
export interface Rejects {
  add(file: string, bad: Reject): void;
  commit(): void;
  rollback(): void;
}

export interface ImportResult {
  readonly loaded: number;
  /** The number of bad records of the files that were loaded. */
  readonly rejected: number;
  /** How many of the loaded records were replaced by a later one with the same id; only of loads that began without records. */
  readonly repeated: number;
  readonly accountIsNew: boolean;
  /** The number of records of the account's collection, before and after the import. */
  readonly before: number;
  readonly after: number;
  /** The errors of files that were not loaded, one line each: `file:line: where: what`. */
  readonly errors: readonly string[];
  /** What else there is to say about the files, one line each. */
  readonly notes: readonly string[];
}

/**
 * Checks files and loads them. A file with a bad record is not loaded, unless `skipInvalid` is set.
 * @throws StoreError, StoreUnavailable, and errors of `rejects`.
 */
export async function importFiles(loader: Loader, contract: Contract, request: ImportRequest): Promise<ImportResult> {
  const { account, collection, files, replace, skipInvalid = false, rejects } = request;
  const hash = schemaHash(contract, collection);
  const result = { loaded: 0, rejected: 0, repeated: 0, accountIsNew: false, before: 0, after: 0 };
  const [errors, notes]: [string[], string[]] = [[], []];
  const reading: Reading = {
    contract,
    checks: createChecks(contract),
    convert: createConverter(contract, collection),
    note: (line) => notes.push(line),
  };
  let isFirst = true;

  const transactions = replace ? [files] : files.map((file) => [file]);
  for (const [index, inputFiles] of transactions.entries()) {
    const tally: Tally = { good: 0, bad: 0, violations: [] };
    try {
      const records = recordsOf(inputFiles, reading, request, tally);
      const loaded = await loader.load(account, collection, records, { replace, schemaHash: hash });
      rejects?.commit();
      if (skipInvalid && rejects === undefined) notes.push(...tally.violations);
      result.loaded += tally.good;
      result.rejected += tally.bad;
      if (replace || loaded.before === 0) result.repeated += tally.good - loaded.after;
      result.accountIsNew ||= loaded.accountIsNew;
      result.before = isFirst ? loaded.before : result.before;
      result.after = loaded.after;
      isFirst = false;
    } catch (error) {
      rejects?.rollback();
      if (error instanceof StoreBusy) {
        const inputs = transactions.slice(index).flat().map(inputName).join(', ');
        errors.push(`${inputs}: ${error.message} Not loaded`);
        break;
      }
      if (!(error instanceof ImportAborted)) throw error;
      errors.push(...error.lines);
    }
  }
  return { ...result, errors, notes };
}

/** The records of a transaction that have been read so far. */
interface Tally {
  good: number;
  bad: number;
  /** The violations of the first bad records, one line each. */
  readonly violations: string[];
}

/** Thrown by the generator of the records to abort a load. */
class ImportAborted extends Error {
  /** The violations, and in the last line the input and the reason why it is not loaded. */
  readonly lines: readonly string[];

  constructor(...lines: readonly string[]) {
    super(lines.at(-1));
    this.lines = lines;
  }
}

/** What reading any file needs. */
interface Reading {
  readonly contract: Contract;
  readonly checks: ReturnType<typeof createChecks>;
  readonly convert: Convert;
  readonly note: (line: string) => void;
}

const MAX_REPORTED = 20;

/**
 * @yields the good records of the files, in the order of the files.
 * @throws ImportAborted if the files must not be loaded, and errors of `rejects`.
 */
async function* recordsOf(
  files: readonly string[],
  reading: Reading,
  request: ImportRequest,
  tally: Tally,
): AsyncGenerator<readonly CheckedRecord[]> {
  const { replace, allowEmpty = false, skipInvalid = false } = request;
  const isRejected = (): boolean => tally.bad > 0 && !skipInvalid;
  for (const file of files) {
    const before = tally.good + tally.bad;
    for await (const records of recordsOfFile(file, reading, request, tally)) if (!isRejected()) yield records;
    if (tally.good + tally.bad > before || allowEmpty) continue;
    const reason = 'has no records; not loaded. To allow this, add --allow-empty';
    throw new ImportAborted(...tally.violations, `${inputName(file)} ${reason}`);
  }

  const inputs = files.map(inputName).join(', ');
  if (isRejected()) {
    const { good, bad } = tally;
    const count = `${bad.toLocaleString('en')} of ${counted(good + bad, 'records')} ${be(bad)} invalid`;
    throw new ImportAborted(...tally.violations, `${inputs}: ${count}; not loaded`);
  }
  if (replace && !allowEmpty && tally.good === 0) {
    throw new ImportAborted(
      ...tally.violations,
      `${inputs}: no valid records, so --replace would empty the collection; nothing was changed. ` +
        'To allow this, add --allow-empty',
    );
  }
}

async function* recordsOfFile(
  file: string,
  { contract, checks, convert, note }: Reading,
  request: ImportRequest,
  tally: Tally,
): AsyncGenerator<readonly CheckedRecord[]> {
  const { collection, replace, rejects, progress, renamed = new Map<string, string>() } = request;
  const { allowPartial = false, skipInvalid = false, convertTimestamps = false } = request;
  const input = inputName(file);
  let canConvert = false;
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
    if (!canConvert && !convertTimestamps && convert(bad.text).text !== bad.text) {
      canConvert = true;
      note(
        `${input}:${String(bad.line)}: has an RFC 3339 or Unix timestamp; to convert these, add --timestamps convert`,
      );
    }
    rejects?.add(file, bad);
    if (skipInvalid) return;
    // If the first bad record fits another collection, so does the file: one message replaces those about every record.
    const other = tally.bad === 1 ? COLLECTIONS.find((candidate) => fits(bad, checks[candidate])) : undefined;
    if (other === undefined) return;
    const names = `${commandName(other)}, not ${commandName(collection)}`;
    throw new ImportAborted(`${input}:${String(bad.line)}: this looks like ${names}; not loaded`);
  };
  const partial = (): void => {
    if (!replace || allowPartial) return;
    throw new ImportAborted(
      `${input} is one page of a longer list ("has_more" is true), and --replace would remove the records of the ` +
        'other pages; not loaded. To allow this, add --allow-partial',
    );
  };
  try {
    const columns = columnsOf(contract, collection, renamed, (sentence) => {
      note(`${input}: ${sentence}`);
    });
    const check = convertTimestamps ? naming(contract, checks[collection]) : checks[collection];
    const options = { columns, convert: convertTimestamps ? convert : undefined, reject, partial };
    for await (const records of readRecords(chunks(), check, options)) {
      tally.good += records.length;
      progress?.(file, tally.good + tally.bad, bytes);
      yield records;
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const position = error.line === undefined ? '' : `:${String(error.line)}:`;
    const violations = skipInvalid ? [] : tally.violations;
    throw new ImportAborted(...violations, `${input}${position} ${error.message}; not loaded`);
  }
}

function violationLine(input: string, { line, violations, columns, text }: Reject): string {
  const phrases = violations.map(({ where, what }) => {
    const column = columns?.get(where);
    return `${where}${column === undefined ? '' : ` (${column}, ${cellAt(where, text)})`}: ${what}`;
  });
  return `${input}:${String(line)}: ${phrases.join('; ')}`;
}

const MAX_SHOWN = 40;

/** @returns the value at a JSON pointer of a record, as the row of CSV has it. */
function cellAt(where: string, text: string): string {
  const { start, end } = valuesIn(text).find(({ path }) => pointer(path) === where) ?? { start: 0, end: 0 };
  const literal = text.slice(start, end);
  if (['null', '""'].includes(literal)) return 'empty';
  return literal.length > MAX_SHOWN ? `${literal.slice(0, MAX_SHOWN)}…` : literal;
}

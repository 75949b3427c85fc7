/**
 * Reads the rows of CSV as records: JSON texts, as in every other format. Numbers keep their literals, so that a number that
 * would lose precision is found.
 */
import { Readable, pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { Options } from 'csv-parse';
import { recordSchemaOf } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import type { Contract, Schema } from '../contract/document.ts';
import { typeNameOf } from '../contract/record-rules.ts';
import { pointer } from '../contract/schema.ts';
import type { Allowed } from '../contract/wording.ts';
import { InputError, MAX_RECORD_BYTES } from './split.ts';
import type { RawRecord } from './split.ts';

/** The properties of a collection's records, and the columns that hold them. */
export interface Columns {
  readonly schema: Schema;
  /** The property whose value names the type of another property. */
  readonly typeNames: ReadonlyMap<string, string>;
  /** The name of the column of each property whose column has another name, by its path, such as `counts.total`. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Called with a sentence about the input. */
  readonly note: (sentence: string) => void;
}

/** @returns the columns of a collection. The keys of `renamed` are among `pathsOf`. */
export function columnsOf(
  contract: Contract,
  collection: Collection,
  renamed: Columns['renamed'],
  note: Columns['note'],
): Columns {
  const schema = recordSchemaOf(contract, collection);
  const typeNames = Object.keys(schema.properties ?? {}).flatMap((name) => {
    const typeName = typeNameOf(collection, name);
    return typeName === undefined ? [] : [[name, typeName] as const];
  });
  return { schema, typeNames: new Map(typeNames), renamed, note };
}

/** @returns the paths of all properties that a column can hold, such as `counts.total`. */
export function pathsOf({ properties }: Schema): readonly string[] {
  return Object.entries(properties ?? {}).flatMap(([name, schema]) =>
    schema.properties === undefined ? [name] : pathsOf(schema).map((path) => `${name}.${path}`),
  );
}

/** `null` is an empty cell that is not in quotes. */
type Cell = string | null;
interface Row {
  readonly record: readonly Cell[];
  readonly raw: string;
}

const BATCH_ROWS = 100;

/**
 * @param chunks CSV whose first row names the columns.
 * @yields its rows, as JSON texts.
 * @throws InputError if a required property has no column, or the input is not CSV in UTF-8.
 */
export async function* readCsv(
  chunks: AsyncIterable<Buffer>,
  delimiter: string,
  columns: Columns,
): AsyncGenerator<readonly RawRecord[]> {
  let line = 1;
  let header: Header | undefined;

  const onRow = ({ record: cells, raw }: Row): RawRecord | undefined => {
    // Empty lines come before the row. The parser gives the first character of a CRLF that ends a line.
    const [empty = ''] = /^[\r\n]*/.exec(raw) ?? [];
    const start = line + (empty.match(/\r\n?|\n/g)?.length ?? 0);
    // A row ends with its line, even at the end of the input.
    line = start + breaksIn(raw.slice(empty.length).replace(/\r?\n?$/, '')) + 1;
    if (header === undefined) {
      header = readHeader(cells, start, columns);
      return undefined;
    }
    return cells.every((cell) => cell === null) ? undefined : recordOf(cells, start, header);
  };
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n'],
    skip_empty_lines: true,
    relax_column_count: true, // Such a row is an invalid record, not the end of the input.
    max_record_size: MAX_RECORD_BYTES,
    raw: true,
    cast: (text, { quoting }) => (text === '' && !quoting ? null : text),
    on_record: onRow as unknown as NonNullable<Options['on_record']>, // Its declaration does not know what `raw` and `cast` make of a row.
  } satisfies Options);

  let batch: RawRecord[] = [];
  try {
    // The iteration throws the error.
    for await (const record of pipeline(Readable.from(utf8Of(chunks)), parser, () => undefined)) {
      batch.push(record as RawRecord); // `onRow` returns them.
      if (batch.length < BATCH_ROWS) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    throw error instanceof CsvError ? new InputError(line, faultOf(error)) : error;
  }
  yield batch;
}

const breaksIn = (text: string): number => text.split('\n').length - 1;

function faultOf({ code, column }: CsvError): string {
  const cell = typeof column === 'number' ? ` in column ${String(column + 1)}` : '';
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return `has a quote${cell} that is not closed`;
    case 'CSV_MAX_RECORD_SIZE':
      return `has a record larger than ${String(MAX_RECORD_BYTES)} bytes; a quote may not be closed`;
    default:
      return `has a quote${cell} that neither begins nor ends a cell; write "" for a quote, in a cell that is in quotes`;
  }
}

/** @throws InputError if the bytes are not UTF-8. */
async function* utf8Of(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  const decode = (part?: Buffer): void => {
    try {
      decoder.decode(part, { stream: part !== undefined });
    } catch {
      throw new InputError(line, 'is not UTF-8 text');
    }
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      decode(chunk.subarray(start, end + 1));
      line += 1;
      start = end + 1;
    }
    decode(chunk.subarray(start));
    yield chunk;
  }
  decode();
}

/** Writes the JSON of a value from the cells of a row. */
type Write = (cells: readonly Cell[]) => string;

interface Header {
  readonly width: number;
  readonly write: Write;
  /** The column of each property, by its JSON pointer. */
  readonly columns: ReadonlyMap<string, string>;
}

const MAX_NAMES = 20;
const MAX_NAME = 60;
/** @returns names for a message: of many the first ones, and of long ones the beginning. */
function quoted(names: readonly string[]): string {
  const shown = names
    .slice(0, MAX_NAMES)
    .map((name) => JSON.stringify(name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name));
  return `${shown.join(', ')}${names.length > MAX_NAMES ? ` and ${String(names.length - MAX_NAMES)} more` : ''}`;
}

function readHeader(cells: readonly Cell[], line: number, { schema, typeNames, renamed, note }: Columns): Header {
  const names = cells.map((cell) => cell ?? '');
  const paths = pathsOf(schema);
  const columnOf = (path: string): string => renamed.get(path) ?? path;
  const wanted = paths.map(columnOf);
  const fault = (message: string): never => {
    if (names.some((name) => name.includes('\r')))
      throw new InputError(line, 'has lines that end with CR alone, as those of old Macs; end them with LF');
    throw new InputError(line, `${message}; its columns are ${quoted(names)}`);
  };

  const twice = wanted.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice !== undefined) fault(`has more than one column ${quoted([twice])}`);
  const absent = [...renamed.values()].filter((name) => !names.includes(name));
  if (absent.length > 0) fault(`has no column ${quoted(absent)}, which --map names`);

  const columns = new Map<string, string>();
  const missing: string[] = [];
  const indexOf = (path: string): number => names.indexOf(columnOf(path));
  const writer = (schema: Schema, path: readonly string[], isRequired: boolean): Write | undefined => {
    if (schema.properties !== undefined) {
      const members = Object.entries(schema.properties).flatMap(([name, inner]) => {
        const required = isRequired && (schema as Allowed & { required?: readonly string[] }).required?.includes(name);
        const write = writer(inner, [...path, name], required === true);
        return write === undefined ? [] : [{ name: JSON.stringify(name), write }];
      });
      if (members.length === 0) return undefined;
      return (row) => `{${members.map(({ name, write }) => `${name}:${write(row)}`).join(',')}}`;
    }
    const index = indexOf(path.join('.'));
    if (index === -1) {
      // A property that has one value needs no column.
      const [only, ...others] = schema.enum ?? [];
      if (only !== undefined && others.length === 0) return () => JSON.stringify(only);
      if (isRequired) missing.push(path.join('.'));
      return undefined;
    }
    columns.set(pointer(path), `column ${String(index + 1)} ${quoted([names[index] ?? ''])}`);
    const typeName = typeNames.get(path.join('.'));
    const typeIndex = typeName === undefined ? -1 : indexOf(typeName);
    return (row) => jsonOf(schema, row[index] ?? null, row[typeIndex] ?? undefined);
  };
  const write = writer(schema, [], true);
  if (missing.length > 0 || write === undefined) {
    const example = `--map ${String(missing[0])}=Column`;
    return fault(`has no column for ${missing.join(', ')}; name each with --map, such as ${example}`);
  }

  const unused = names.filter((name) => !wanted.includes(name));
  if (unused.length > 0) note(`ignored, because no property has this name: column ${quoted(unused)}`);
  return { width: names.length, write, columns };
}

function recordOf(cells: readonly Cell[], line: number, { width, write, columns }: Header): RawRecord {
  const fault =
    cells.length !== width
      ? `must have ${String(width)} cells like the header, but has ${String(cells.length)}`
      : cells[0]?.startsWith('\uFEFF') === true
        ? 'must not begin with a byte order mark (U+FEFF)'
        : undefined;
  const position = { line, column: 1, columns };
  return fault === undefined
    ? { ...position, text: write(cells) }
    : { ...position, text: JSON.stringify(cells), fault };
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const NUMERIC = new Set(['integer', 'number']);

/** @param type the value of the property that names the type of this one. */
function jsonOf(schema: Allowed, cell: Cell, type: string | undefined): string {
  const branches = schema.oneOf ?? [schema];
  if (cell === null) return branches.some(({ nullable }) => nullable === true) ? 'null' : '""';
  const types = branches.map((branch) => branch.type ?? '');
  const reads = (name: string): boolean => types.includes(name) && (!types.includes('string') || type === name);
  if (NUMBER.test(cell) && [...NUMERIC].some(reads)) return cell;
  if (/^(?:true|false)$/.test(cell) && reads('boolean')) return cell;
  return JSON.stringify(cell);
}

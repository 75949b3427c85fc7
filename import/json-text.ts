/**
 * Scans JSON text for facts that `JSON.parse` does not report: the offsets of values, duplicate members, the literals of
 * numbers, and the offset of a syntax error. A reviver cannot find them: it sees only the last of duplicate members, it gets
 * no offsets, and it is not called for malformed text.
 */

/** A value in a JSON text. */
export interface JsonValue {
  /** The names and indices that lead to the value, outermost first. */
  readonly path: readonly string[];
  /** Offsets into the text. */
  readonly start: number;
  readonly end: number;
  /** Whether an earlier member of the same object has the same name. */
  readonly isDuplicate: boolean;
}

/** A syntax error in a JSON text. */
export class JsonError extends Error {
  /** The offset of the error, and what was expected there. */
  readonly offset: number;
  readonly expected: string;

  constructor(offset: number, expected: string) {
    super(`${expected} is expected at offset ${String(offset)}`);
    this.offset = offset;
    this.expected = expected;
  }
}

// Bounds the recursion. No record nests as deep.
const MAX_DEPTH = 100;

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/**
 * @returns all values of a text, children before their parents.
 * @throws JsonError if it is not JSON, or nests deeper than 100 levels.
 */
export function scanJson(text: string): readonly JsonValue[] {
  const values: JsonValue[] = [];
  scan(text, (path, isDuplicate, start, end) => values.push({ path: [...path], start, end, isDuplicate }));
  return values;
}

/** A value that parsing would alter or drop. */
export class AlteredError extends Error {
  readonly path: JsonValue['path'];

  /** @param what a phrase whose subject is the value: `appears more than once`. */
  constructor(path: JsonValue['path'], what: string) {
    super(what);
    this.path = path;
  }
}

/**
 * Parses a text like `JSON.parse`, unless that would alter or drop a value. It takes little more memory.
 * @throws JsonError like `scanJson`; AlteredError for the first such value.
 */
export function parseUnaltered(text: string): unknown {
  scan(text, (path, isDuplicate, start, end) => {
    const what = alteration(text, { start, end, isDuplicate });
    if (what !== undefined) throw new AlteredError([...path], what);
  });
  return JSON.parse(text);
}

const MAX_SHOWN = 40;

/** @returns how parsing alters or drops a value of a text, as a phrase; `undefined` if it does neither. */
export function alteration(
  text: string,
  { start, end, isDuplicate }: Pick<JsonValue, 'start' | 'end' | 'isDuplicate'>,
): string | undefined {
  if (isDuplicate) return 'appears more than once';
  if (!/[-\d]/.test(text.charAt(start))) return undefined;
  const literal = text.slice(start, end);
  if (isExact(literal)) return undefined;
  const shown = literal.length > MAX_SHOWN ? `${literal.slice(0, MAX_SHOWN)}…` : literal;
  return `must be a number that a double can represent exactly; ${shown} would become ${String(Number(literal))}`;
}

/** @returns whether parsing a literal and writing it again gives the same number. */
function isExact(literal: string): boolean {
  return decimal(literal) === decimal(String(Number(literal)));
}

/** @returns a normal form of a number: its digits without leading and trailing zeros, and the power of ten. */
function decimal(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  let length = digits.length;
  while (digits[length - 1] === '0') length -= 1;
  const power = Number(exponent) - fraction.length + digits.length - length;
  return length === 0 ? '0' : `${sign}${digits.slice(0, length)}e${String(power)}`;
}

/** @param visit called after each value. The array of its path is only valid during the call. */
function scan(
  text: string,
  visit: (path: readonly string[], isDuplicate: boolean, start: number, end: number) => void,
): void {
  const path: string[] = [];
  let offset = 0;

  const fail = (expected: string): never => {
    throw new JsonError(offset, expected);
  };
  /** Moves past a match of a sticky pattern. @returns whether there is a match. */
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = offset;
    if (!pattern.test(text)) return false;
    offset = pattern.lastIndex;
    return true;
  };
  /** Moves past spaces and one mark. @returns whether the mark is there. */
  const take = (mark: string): boolean => {
    skip(SPACE);
    if (text[offset] !== mark) return false;
    offset += 1;
    return true;
  };

  const string = (): void => {
    offset += 1;
    for (skip(PLAIN); text[offset] !== '"'; skip(PLAIN)) {
      if (offset === text.length) fail('the closing quote of a string');
      if (text[offset] !== '\\') fail('an escape instead of this control character');
      if (!skip(ESCAPE)) fail('an escape such as \\n or \\u0041');
    }
    offset += 1;
  };
  const name = (): string => {
    skip(SPACE);
    if (text[offset] !== '"') fail('a name in double quotes');
    const start = offset;
    string();
    return JSON.parse(text.slice(start, offset)) as string; // It has just been scanned as a string.
  };
  const object = (): void => {
    const names = new Set<string>();
    if (take('}')) return;
    do {
      const key = name();
      if (!take(':')) fail('a colon');
      member(key, names.has(key));
      names.add(key);
    } while (take(','));
    if (!take('}')) fail('a comma or }');
  };
  const array = (): void => {
    let index = 0;
    if (take(']')) return;
    do {
      member(String(index));
      index += 1;
    } while (take(','));
    if (!take(']')) fail('a comma or ]');
  };
  const member = (key: string, isDuplicate = false): void => {
    path.push(key);
    value(isDuplicate);
    path.pop();
  };
  const value = (isDuplicate = false): void => {
    skip(SPACE);
    const start = offset;
    if (path.length > MAX_DEPTH) fail(`an end of nesting after ${String(MAX_DEPTH)} levels`);
    if (take('{')) object();
    else if (take('[')) array();
    else if (text[offset] === '"') string();
    else if (!skip(SCALAR)) fail('a value');
    visit(path, isDuplicate, start, offset);
  };

  value();
  skip(SPACE);
  if (offset < text.length) fail('the end of the record');
}

/** @returns all values of a text, like `scanJson`; an empty list if `scanJson` throws. */
export function valuesIn(text: string): readonly JsonValue[] {
  try {
    return scanJson(text);
  } catch (error) {
    if (error instanceof JsonError) return [];
    throw error;
  }
}

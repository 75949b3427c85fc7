/**
 * Where the values of a JSON text stand in it. `JSON.parse` loses what the audit needs: digits of numbers beyond 2^53, and the bytes of an
 * item. A library that keeps them would be a tenth of the package.
 */

/** The names that lead to a value, from the body on. */
export type Path = readonly string[];

/** An object of JSON: neither an array nor null. */
export type Values = Readonly<Record<string, unknown>>;
export const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A part of a text: its first character, and the one after its last. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** @returns the values of an array or an object, in their order, each with its name. A body may nest as deeply as it likes. */
function* children(text: string, { start, end }: Span): Generator<{ readonly name: string; readonly value: Span }> {
  let [depth, index]: [number, number] = [0, 0];
  let name: string | undefined;
  let value: Span | undefined;
  for (const [token, at] of tokensIn(text, start, end)) {
    const isEnd = token === ']' || token === '}';
    if (depth === 1 && token === ':') {
      name = JSON.parse(text.slice(value?.start, value?.end)) as string; // A string, because the text is valid.
      value = undefined;
    } else if (depth === 1 && (token === ',' || isEnd)) {
      if (value !== undefined) yield { name: name ?? String(index), value };
      value = undefined;
      index += 1;
    } else if (depth > 0) value = { start: value?.start ?? at, end: at + token.length };
    if (isEnd) depth -= 1;
    else if (token === '[' || token === '{') depth += 1;
  }
}

const MARKS = new Set('[]{},:');
const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/** @returns strings, marks, and numbers or words. Without a pattern: of a string with millions of escapes, one would exhaust the stack. */
function* tokensIn(text: string, start: number, end: number): Generator<readonly [token: string, at: number]> {
  const other = /[^\s[\]{},:"]+/y;
  for (let at = start; at < end;) {
    const mark = text.charAt(at);
    let next = at + 1;
    if (mark === '"') {
      for (; text.charCodeAt(next) !== QUOTE && next < end; next += 1)
        if (text.charCodeAt(next) === BACKSLASH) next += 1;
      next += 1;
    } else if (!MARKS.has(mark)) {
      other.lastIndex = at;
      next = other.test(text) ? other.lastIndex : next; // White space otherwise.
      if (next === at + 1 && /\s/.test(mark)) {
        at = next;
        continue;
      }
    }
    yield [text.slice(at, next), at];
    at = next;
  }
}

function find(text: string, path: Path): Span | undefined {
  let span: Span = { start: text.search(/\S/), end: text.trimEnd().length };
  for (const name of path) {
    if (!'[{'.includes(text.charAt(span.start))) return undefined;
    // The last one of a name, as `JSON.parse` does.
    const found = [...children(text, span)].findLast((it) => it.name === name);
    if (found === undefined) return undefined;
    span = found.value;
  }
  return span;
}

/** @returns the text of a value in a valid JSON text; `undefined` if there is none. */
export function sourceAt(text: string, path: Path): string | undefined {
  const span = find(text, path);
  return span && text.slice(span.start, span.end);
}

/** @returns the texts of the elements of an array in a valid JSON text. */
export function elementsAt(text: string, path: Path): readonly string[] {
  const span = find(text, path);
  if (span === undefined || text[span.start] !== '[') return [];
  return [...children(text, span)].map(({ value }) => text.slice(value.start, value.end));
}

/** A name may choose an object of an array by one of its values: `links[rel=next]`. */
const CHOICE = /^(.*)\[(\w+)=([^\]]*)\]$/;

/** @returns the value at a path; `undefined` if there is none. */
export function valueAt(body: unknown, path: Path): unknown {
  let value = body;
  for (const name of path) value = memberOf(value, name);
  return value;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, name)) return (value as Readonly<Record<string, unknown>>)[name]; // An object that has it.
  const [, array, key = '', wanted] = CHOICE.exec(name) ?? [];
  const all = array === undefined ? undefined : array === '' ? value : memberOf(value, array);
  return Array.isArray(all) ? all.find((it: unknown) => memberOf(it, key) === wanted) : undefined;
}

export interface Found {
  readonly path: Path;
  /** A plain value, or an array. */
  readonly value: unknown;
}

// A body that says more outside of its items says it to nobody.
const MAX_VALUES = 10_000;

/** @returns the plain values and the arrays of a body, outside of other arrays, as far as people look: to a depth, and up to a number. */
export function* valuesIn(body: unknown, maxDepth: number): Generator<Found> {
  let left = MAX_VALUES;
  function* inside(value: unknown, path: Path): Generator<Found> {
    left -= 1;
    if (left < 0) return;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) yield { path, value };
    else if (path.length < maxDepth)
      for (const [name, inner] of Object.entries(value)) {
        if (left <= 0) return;
        yield* inside(inner, [...path, name]);
      }
  }
  yield* inside(body, []);
}

/** @returns the path that a text names: `meta.next`; a name that has a dot is quoted: `"@odata.next".link`. The empty text is the body. */
export const pathOf = (text: string): Path =>
  [...text.matchAll(/"(?:[^"\\]|\\.)*"|[^."]+/g)].map(([name]) => (name.startsWith('"') ? unquoted(name) : name));

function unquoted(name: string): string {
  try {
    return JSON.parse(name) as string; // It is in quotes.
  } catch {
    return name.slice(1, -1); // A user's, with an escape that is none.
  }
}

/** @returns the text that names a path. */
export const pathText = (path: Path): string =>
  path.map((name) => (/[."]/.test(name) || name === '' ? JSON.stringify(name) : name)).join('.');

/**
 * Where the values of a JSON text stand in it. `JSON.parse` loses what the audit needs: digits of numbers beyond 2^53, and the bytes of an
 * item. A library that keeps them would be a tenth of the package.
 */

/** The names that lead to a value, from the body on. */
export type Path = readonly string[];

/** A part of a text: its first character, and the one after its last. */
interface Span {
  readonly start: number;
  readonly end: number;
}

const isSpace = (text: string, at: number): boolean => ' \t\n\r'.includes(text.charAt(at)) && at < text.length;

function skipSpace(text: string, at: number): number {
  let to = at;
  while (isSpace(text, to)) to += 1;
  return to;
}

/** @returns the end of a string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** @returns the end of the value that begins at `start`. It does not call itself, so a body may nest as deeply as it likes. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length;) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at);
    else if ('[{'.includes(character)) {
      depth += 1;
      at += 1;
    } else if (']}'.includes(character)) {
      if (depth === 0) return at; // The end of what contains a number or a word.
      depth -= 1;
      at += 1;
    } else if (depth === 0 && (character === ',' || isSpace(text, at))) return at;
    else at += 1;
    if (depth === 0 && '"]}'.includes(character)) return at;
  }
  return text.length;
}

/** @returns the values of an array or an object, in their order, each with its name. The text is valid JSON. */
function* children(text: string, { start }: Span): Generator<{ readonly name: string; readonly value: Span }> {
  const isObject = text[start] === '{';
  let at = skipSpace(text, start + 1);
  for (let index = 0; at < text.length && !']}'.includes(text.charAt(at)); index += 1) {
    let name = String(index);
    if (isObject) {
      const end = endOfString(text, at);
      name = JSON.parse(text.slice(at, end)) as string; // A string, because the text is valid.
      at = skipSpace(text, skipSpace(text, end) + 1); // After the colon.
    }
    const end = endOfValue(text, at);
    yield { name, value: { start: at, end } };
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
}

function find(text: string, path: Path): Span | undefined {
  let span: Span = { start: skipSpace(text, 0), end: text.length };
  for (const name of path) {
    if (!'[{'.includes(text.charAt(span.start))) return undefined;
    let found: Span | undefined;
    for (const child of children(text, span)) if (child.name === name) found = child.value; // The last one, as `JSON.parse` does.
    if (found === undefined) return undefined;
    span = found;
  }
  return { start: span.start, end: endOfValue(text, span.start) };
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

/** @returns the value at a path; `undefined` if there is none. */
export function valueAt(body: unknown, path: Path): unknown {
  let value = body;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name]; // An object that has it.
  }
  return value;
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

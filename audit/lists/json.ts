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

// A string, a mark, or a number or a word. A string is not read by its characters: it may have millions.
const TOKEN = /"(?:[^"\\]+|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

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

function* tokensIn(text: string, start: number, end: number): Generator<readonly [token: string, at: number]> {
  const tokens = new RegExp(TOKEN);
  tokens.lastIndex = start;
  for (let found = tokens.exec(text); found !== null && found.index < end; found = tokens.exec(text))
    yield [found[0], found.index];
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

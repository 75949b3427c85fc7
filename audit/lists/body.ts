/** The body of a list that is read by POST: a JSON object, or the text of a form. Its plain values are parameters as those of a query are. */
import { isObject, pathOf, pathText, valuesIn } from './json.ts';
import type { Path, Values } from './json.ts';

/** A string is a form, such as `limit=2&offset=0`. */
export type Body = string | Values;
/** A parameter by its name, with dots where it stands deeper in the body, and its value. */
export type Member = readonly [name: string, value: string | number];

const MAX_DEPTH = 4;

/** @returns the strings and the numbers of a body outside of its arrays. Of a name that a form has twice, none is one. */
export function membersOf(body: Body): readonly Member[] {
  if (typeof body === 'string') {
    const pairs = [...new URLSearchParams(body)];
    return pairs.filter(([name]) => pairs.filter(([other]) => other === name).length === 1);
  }
  return [...valuesIn(body, MAX_DEPTH)].flatMap(({ path, value }): readonly Member[] =>
    typeof value === 'string' || typeof value === 'number' ? [[pathText(path), value]] : [],
  );
}

function formWith(body: string, members: readonly Member[]): string {
  const form = new URLSearchParams(body);
  for (const [name, value] of members) form.set(name, String(value));
  return form.toString();
}

/** @returns the body with these parameters. @param members in place of those of the same names. */
export function withMembers(body: Body, members: readonly Member[]): Body {
  if (typeof body === 'string') return formWith(body, members);
  return members.reduce<Values>((all, [name, value]) => withValue(all, pathOf(name), value), body);
}

/** @returns the body without the parameters of these names. */
export function withoutMembers(body: Body, names: readonly string[]): Body {
  if (typeof body === 'string') {
    const form = new URLSearchParams(body);
    for (const name of names) form.delete(name);
    return form.toString();
  }
  return names.reduce<Values>((all, name) => withoutValue(all, pathOf(name)), body);
}

// `fromEntries` defines what it is given: a name such as `__proto__` is a name.
function withValue(values: unknown, [name = '', ...rest]: Path, value: unknown): Values {
  const all = new Map(Object.entries(isObject(values) ? values : {}));
  return Object.fromEntries(all.set(name, rest.length === 0 ? value : withValue(all.get(name), rest, value)));
}

const withoutValue = (values: Values, [name = '', ...rest]: Path): Values =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      key !== name ? [[key, value]] : rest.length > 0 && isObject(value) ? [[key, withoutValue(value, rest)]] : [],
    ),
  );

/** A value of JSON as it stands in a text: numbers keep their digits. */
class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * @param params the parameters of a request, decoded.
 * @param isText whether a parameter is a string whatever it looks like.
 * @returns the text of the body. In JSON, a value that looks like a number, an object or an array is one.
 */
export function bodyText(
  body: Body,
  params: readonly (readonly [name: string, value: string])[],
  isText: (name: string) => boolean,
): string {
  if (typeof body === 'string') return formWith(body, params);
  const values = params.reduce<Values>(
    (all, [name, value]) => withValue(all, pathOf(name), !isText(name) && isRaw(value) ? new Raw(value) : value),
    body,
  );
  return jsonOf(values);
}

const jsonOf = (value: unknown): string => {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, inner]) => `${JSON.stringify(name)}:${jsonOf(inner)}`)
    .join(',')}}`;
};

function isRaw(text: string): boolean {
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return true;
  if (!/^[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Values of JSON, and how they are set at the paths of a profile. */
import { valueAt } from '../lists/json.ts';
import type { Path } from '../lists/json.ts';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = Readonly<Record<string, Json>>;

/** A number that JSON writes with digits that a double does not have. */
export class Digits {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): string {
    return `\0${this.text}\0`;
  }
}

/** @returns the text of a value, with every digit of its numbers. */
export const jsonText = (value: unknown): string => JSON.stringify(value).replaceAll(/"\\u0000(\d+)\\u0000"/g, '$1');

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Digits);

type Writable = Record<string, unknown>;

const CHOICE = /^(.*)\[(\w+)=([^\]]*)\]$/;

/** @returns the object or array that a name of a path names in another one, which is created if it is missing. */
function childOf(parent: Writable, name: string): Writable {
  const [, array, key = '', wanted = ''] = CHOICE.exec(name) ?? [];
  if (array === undefined || Object.hasOwn(parent, name)) {
    const child = parent[name];
    if (isObject(child)) return child; // It is a copy of ours.
    return (parent[name] = {});
  }
  const known = array === '' ? parent : parent[array];
  const all: unknown[] = Array.isArray(known) ? known : (parent[array] = []);
  const found: unknown = all.find((it) => isObject(it) && it[key] === wanted);
  if (isObject(found)) return found; // As above.
  const made: Writable = { [key]: wanted };
  all.push(made);
  return made;
}

/** Sets a value at a path of a body, which must not be the body itself. */
export function setAt(body: unknown, path: Path, value: unknown): void {
  const [last] = path.slice(-1);
  if (last === undefined) return;
  let parent = body as Writable; // An object: a path leads into it.
  for (const name of path.slice(0, -1)) parent = childOf(parent, name);
  parent[last] = value;
}

/**
 * Removes what a path names: the object that stands for the next page on the way to it, otherwise the value alone. An object that is empty then
 * goes, too, and so does an object of an array that a name chooses.
 */
export function removeAt(body: unknown, path: Path): void {
  const at = aboutNext(path);
  const [last = ''] = at.slice(-1);
  const parent = valueAt(body, at.slice(0, -1));
  const [, array, key = '', wanted] = CHOICE.exec(last) ?? [];
  if (array !== undefined) {
    const all = array === '' ? parent : valueAt(parent, [array]);
    if (Array.isArray(all)) {
      const index = all.findIndex((it: unknown) => isObject(it) && it[key] === wanted);
      if (index >= 0) all.splice(index, 1);
    }
    return;
  }
  if (!isObject(parent) || !Object.hasOwn(parent, last)) return;
  Reflect.deleteProperty(parent, last);
  if (Object.keys(parent).length === 0 && at.length > 1) removeOnly(body, at.slice(0, -1));
}

/** Removes what a path names, and nothing else. */
export function removeOnly(body: unknown, path: Path): void {
  const parent = valueAt(body, path.slice(0, -1));
  if (isObject(parent)) Reflect.deleteProperty(parent, path.at(-1) ?? '');
}

/** @returns the path up to the first name that says that it is about the next, or previous, page; otherwise the whole path. */
export function aboutNext(path: Path): Path {
  const at = path.findIndex((name) => /next|prev|continue/i.test(name));
  return at < 0 ? path : path.slice(0, at + 1);
}

export const copyOf = <T>(value: T): T => structuredClone(value);

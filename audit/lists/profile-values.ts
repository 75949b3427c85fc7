/** How the values of a profile are read: each reader names what is wrong, and what is allowed. */
import { parse } from 'yaml';

/** A profile is wrong. The message names what, and what is allowed. */
export class ProfileError extends Error {}

type Values = Readonly<Record<string, unknown>>;
export type Env = Readonly<Record<string, string | undefined>>;

/** Reads a value. @param what its name. @throws ProfileError that names it. */
export type Read<T> = (what: string, value: unknown, env: Env) => T;

export const plain: Read<string | number | boolean> = (what, value) => {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  throw new ProfileError(`${what} must be a text`);
};
export const text: Read<string> = (...value) => String(plain(...value));

/** A text in which `${NAME}` is a value of the environment. */
export const filled: Read<string> = (what, value, env) =>
  text(what, value, env).replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
    const found = env[name] ?? '';
    if (found === '') throw new ProfileError(`the environment has no ${name}`);
    return found;
  });

export const count: Read<number> = (what, value) => {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  throw new ProfileError(`${what} must be a whole number`);
};

export const oneOf =
  <const T>(...allowed: readonly T[]): Read<T> =>
  (what, value) => {
    const found = allowed.find((it) => it === value);
    if (found === undefined) throw new ProfileError(`${what} must be ${allowed.map(String).join(' or ')}`);
    return found;
  };

/** A text that must look like something. @param message what it must be. */
export const like =
  (isRight: (it: string) => boolean, message: string): Read<string> =>
  (...value) => {
    const it = text(...value);
    if (!isRight(it)) throw new ProfileError(message);
    return it;
  };

export function objectOf(what: string, value: unknown): Values {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ProfileError(`${what} must be an object`);
  return value as Values; // An object.
}

export const map: Read<Readonly<Record<string, string>>> = (what, value, env) =>
  Object.fromEntries(
    Object.entries(objectOf(what, value)).map(([name, it]) => [name, filled(`${what}.${name}`, it, env)]),
  );

type ReadValues<T extends Readonly<Record<string, Read<unknown>>>, R extends keyof T> = {
  readonly [K in R]: ReturnType<T[K]>;
} & { readonly [K in Exclude<keyof T, R>]?: ReturnType<T[K]> };

/** An object that has no other keys than these. */
export const shape =
  <T extends Readonly<Record<string, Read<unknown>>>, R extends keyof T & string = never>(
    keys: T,
    ...required: readonly R[]
  ): Read<ReadValues<T, R>> =>
  (what, value, env) => {
    const at = (key: string): string => (what === '' ? key : `${what}.${key}`);
    const values = objectOf(what === '' ? 'a profile' : what, value);
    const unknown = Object.keys(values).find((it) => !Object.hasOwn(keys, it));
    if (unknown !== undefined)
      throw new ProfileError(`unknown key ${at(unknown)}; the keys are ${Object.keys(keys).join(', ')}`);
    const missing = required.find((it) => values[it] === undefined);
    if (missing !== undefined) throw new ProfileError(`${at(missing)} is missing`);
    const read = Object.entries(keys).flatMap(([key, of]) =>
      values[key] === undefined ? [] : [[key, of(at(key), values[key], env)]],
    );
    return Object.fromEntries(read) as ReadValues<T, R>; // Each key was read, if it is there.
  };

/** @returns a value with `${NAME}` filled in, however deep. */
export const filledIn: Read<unknown> = (what, value, env) => {
  if (typeof value === 'string') return filled(what, value, env);
  if (Array.isArray(value)) return value.map((inner: unknown) => filledIn(what, inner, env));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, filledIn(`${what}.${name}`, inner, env)]),
  );
};

/** @throws ProfileError if a text is not YAML. */
export function parseYaml(yaml: string): unknown {
  try {
    return parse(yaml);
  } catch (error) {
    throw new ProfileError(`it is not YAML: ${String((error as Error).message.split('\n')[0])}`); // The library throws only errors.
  }
}

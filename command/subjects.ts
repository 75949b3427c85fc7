/** The lists that a command audits: that of its URL, or those of a file. */
import process from 'node:process';
import type { AuditOptions } from '../audit/lists/audit.ts';
import { Schemas } from '../audit/lists/openapi-responses.ts';
import { OpenApi } from '../audit/lists/openapi.ts';
import type { Operation } from '../audit/lists/openapi.ts';
import { redactionOf } from '../audit/lists/session.ts';
import { LONG, quote } from '../audit/rules/text.ts';
import type { Shown, Text } from '../audit/rules/text.ts';
import { isHttp } from '../audit/lists/profile.ts';
import { ProfileError } from '../audit/lists/profile-values.ts';
import type { Given, Profile } from '../audit/lists/profile.ts';
import { joined, parseProfiles } from '../audit/lists/profiles.ts';
import type { Named } from '../audit/lists/profiles.ts';
import { UsageError } from './command-errors.ts';
import { orUsageError, readInput } from './judging.ts';

export interface Subject {
  /** Its name, if a file names several. */
  readonly name: Shown | undefined;
  readonly given: Given;
  /** The only origin that is requested: that of the URL by default, which a document may have made. */
  readonly origin?: string;
  /** The operation of a document that it is. */
  readonly described?: NonNullable<AuditOptions['described']>;
  /** The parameters without a value that it needs. */
  readonly missing?: readonly string[];
}

/** What a command audits. */
export interface Subjects {
  readonly lists: readonly Subject[];
  /** The names of all lists of the file, also of those that are not chosen; empty texts for a list without a name. */
  readonly names: readonly string[];
  /** Every operation of a document, if there is one. */
  readonly operations?: readonly (Pick<Operation, 'method' | 'why'> & { readonly path: Shown })[];
  /** @returns a text as it may be shown, without the secrets of any list. */
  readonly show: (text: Text) => Shown;
}

export interface SubjectOptions {
  readonly profile?: string;
  readonly openapi?: string;
  readonly lists?: readonly string[];
}
/** Adds what the options say of a list to what a file says of it. */
type AsGiven = (url: string | undefined, saved: Partial<Profile>) => Given;

/** @returns the lists that a URL and options name. @throws UsageError */
export function subjectsOf(
  url: string | undefined,
  { profile, openapi, lists: wanted }: SubjectOptions,
  given: AsGiven,
): Subjects {
  const named = profile === undefined ? [{ name: undefined, profile: {} }] : profilesIn(profile, url);
  const alone = named.find(({ name }) => name === undefined);
  if (openapi !== undefined) {
    if (isHttp(openapi)) throw new UsageError('--openapi takes a file, not a URL: download it first');
    if (url === undefined || !isHttp(url))
      throw new UsageError('--openapi needs the URL before its paths, such as http://localhost:8000/v1');
    if (alone === undefined) throw new UsageError('the --profile file names lists, and so does --openapi');
    const told = given(url, alone.profile);
    if (told.method === 'POST')
      throw new UsageError('--openapi sends only GET: audit a list that is read by POST by its URL');
    return describedIn(openapi, url, told, wanted);
  }
  if (alone !== undefined && wanted !== undefined) throw new UsageError('--lists needs a file that names lists');
  const lists = chosen(named, wanted).map(({ name, profile: saved }) => ({
    name,
    given: given(name === undefined ? url : undefined, saved),
  }));
  const { show } = redactionOf(lists.map((list) => list.given));
  const shown = (name: string): Shown => show(quote(name, LONG));
  return {
    lists: lists.map(({ name, ...list }) => ({ name: name === undefined ? name : shown(name), ...list })),
    names: named.map(({ name = '' }) => shown(name)),
    show,
  };
}

function profilesIn(file: string, url: string | undefined): readonly Named[] {
  const text = readInput('profile', file);
  return orUsageError(ProfileError, `the --profile file ${file} is invalid: `, () =>
    parseProfiles(text, process.env, url === undefined || !isHttp(url) ? undefined : url),
  );
}

/** @returns the lists of a document, below a base URL. */
function describedIn(
  file: string,
  base: string,
  { params = {}, ...others }: Given,
  wanted: readonly string[] | undefined,
): Subjects {
  const text = readInput('openapi', file);
  const document = orUsageError(ProfileError, `the --openapi file ${file} cannot be used: `, () => new OpenApi(text));
  const { operations } = document;
  const schemas = new Schemas(document);
  const found = operations.flatMap(({ path, list }) => (list === undefined ? [] : [{ name: path, list }]));
  if (found.length === 0) throw new UsageError(`no operation of ${file} returns an array of objects`);
  const valueOf = (name: string): string | undefined => (Object.hasOwn(params, name) ? params[name] : undefined);
  const { show } = redactionOf([{ params, ...others }]);
  const shown = (name: string): Shown => show(quote(name, LONG));
  const declared = new Set(found.flatMap(({ list }) => [...list.inPath, ...list.inQuery]));
  const lists = chosen(found, wanted).map(({ name, list }): Subject => {
    const path = name.replaceAll(/\{([^{}]*)\}/g, (_, param: string) => encodeURIComponent(valueOf(param) ?? ''));
    // A parameter that no operation declares, such as a key, belongs to all.
    const own = Object.entries(params).filter(([param]) => list.inQuery.includes(param) || !declared.has(param));
    return {
      name: shown(name),
      given: { ...list.profile, ...others, url: joined(base, path), params: Object.fromEntries(own) },
      origin: new URL(base).origin,
      described: { operation: list, schemas },
      missing: list.required.filter((needed) => valueOf(needed) === undefined),
    };
  });
  return {
    lists,
    names: found.map(({ name }) => shown(name)),
    operations: operations.map(({ path, ...operation }) => ({ ...operation, path: shown(path) })),
    show,
  };
}

/** @returns the lists that are wanted, in the order of the file. */
function chosen<T extends { readonly name: string | undefined }>(
  all: readonly T[],
  wanted: readonly string[] | undefined,
): readonly T[] {
  const unknown = wanted?.find((name) => !all.some((subject) => subject.name === name));
  if (unknown !== undefined)
    throw new UsageError(
      `unknown list ${JSON.stringify(unknown)}; the lists are ${all.map(({ name }) => name).join(', ')}`,
    );
  return wanted === undefined ? all : all.filter(({ name }) => name !== undefined && wanted.includes(name));
}

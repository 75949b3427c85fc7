/** The lists that a command audits: that of its URL, or those of a file. */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import type { AuditOptions } from '../lists/audit.ts';
import { Schemas } from '../lists/openapi-responses.ts';
import { OpenApi } from '../lists/openapi.ts';
import type { Operation } from '../lists/openapi.ts';
import { ProfileError, isHttp } from '../lists/profile.ts';
import type { Given, Profile } from '../lists/profile.ts';
import { joined, parseProfiles } from '../lists/several.ts';
import type { Named } from '../lists/several.ts';
import { fileError } from './errors.ts';

export interface Subject {
  /** Its name, if a file names several. */
  readonly name: string | undefined;
  readonly given: Given;
  /** The operation of a document that it is. */
  readonly described?: NonNullable<AuditOptions['described']>;
  /** The parameters without a value that it needs. */
  readonly missing?: readonly string[];
}

/** What a command audits. */
export interface Subjects {
  readonly lists: readonly Subject[];
  /** Every operation of a document, if there is one. */
  readonly operations?: readonly Operation[];
}

interface SubjectOptions {
  readonly profile?: string;
  readonly openapi?: string;
  readonly list?: readonly string[];
}
type UsageError = (what: string) => never;
/** Adds what the options say of a list to what a file says of it. */
type AsGiven = (url: string | undefined, saved: Partial<Profile>) => Given;

/** @returns the lists that a URL and options name. */
export function subjectsOf(
  url: string | undefined,
  options: SubjectOptions,
  given: AsGiven,
  usageError: UsageError,
): Subjects {
  const { profile: file, openapi, list: wanted } = options;
  if (openapi !== undefined) return describedIn(openapi, url, options, given, usageError);
  const named = file === undefined ? [] : profilesIn(file, url, usageError);
  const [first] = named;
  const isNamed = first?.name !== undefined;
  if (!isNamed) {
    if (wanted !== undefined) usageError('--list needs a file that names lists');
    return { lists: [{ name: undefined, given: given(url, first?.profile ?? {}) }] };
  }
  const lists = chosen(named, wanted, usageError).map(({ name, profile }) => ({
    name,
    given: given(undefined, profile),
  }));
  return { lists };
}

/** @returns the lists of a document, behind a base URL. */
function describedIn(
  file: string,
  base: string | undefined,
  { profile, list: wanted }: SubjectOptions,
  given: AsGiven,
  usageError: UsageError,
): Subjects {
  if (base === undefined || !isHttp(base))
    return usageError('--openapi needs the URL before its paths, such as http://localhost:8000/v1');
  const document = documentIn(file, usageError);
  const [first, second] = profile === undefined ? [] : profilesIn(profile, base, usageError);
  if (second !== undefined || first?.name !== undefined)
    usageError('the --profile file names lists, and so does --openapi');
  const schemas = new Schemas(document);
  const found = document.operations.flatMap(({ path, list }) => (list === undefined ? [] : [{ name: path, list }]));
  if (found.length === 0) usageError(`no operation of ${file} returns an array of objects`);
  const { params = {}, ...others } = given(base, first?.profile ?? {});
  const declared = new Set(
    document.operations.flatMap(({ list }) => [...(list?.inPath ?? []), ...(list?.inQuery ?? [])]),
  );
  const lists = chosen(found, wanted, usageError).map(({ name, list }): Subject => {
    const path = name.replaceAll(/\{([^{}]*)\}/g, (_, it: string) => encodeURIComponent(params[it] ?? ''));
    // A parameter that no operation declares, such as a key, belongs to all.
    const own = Object.entries(params).filter(([it]) => list.inQuery.includes(it) || !declared.has(it));
    return {
      name,
      given: { ...list.profile, ...others, url: joined(base, path), params: Object.fromEntries(own) },
      described: { operation: list, schemas },
      missing: list.required.filter((it) => params[it] === undefined),
    };
  });
  return { lists, operations: document.operations };
}

function documentIn(file: string, usageError: UsageError): OpenApi {
  try {
    return new OpenApi(readText('--openapi', file, usageError));
  } catch (error) {
    if (error instanceof ProfileError) return usageError(`the --openapi file ${file} cannot be used: ${error.message}`);
    throw error;
  }
}

function profilesIn(file: string, url: string | undefined, usageError: UsageError): readonly Named[] {
  const text = readText('--profile', file, usageError);
  try {
    return parseProfiles(text, process.env, url === undefined || !isHttp(url) ? undefined : url);
  } catch (error) {
    if (error instanceof ProfileError) return usageError(`the --profile file ${file} is invalid: ${error.message}`);
    throw error;
  }
}

/** @returns the lists that are wanted, in the order of the file. */
function chosen<T extends { readonly name: string | undefined }>(
  all: readonly T[],
  wanted: readonly string[] | undefined,
  usageError: UsageError,
): readonly T[] {
  const unknown = wanted?.find((name) => !all.some((it) => it.name === name));
  if (unknown !== undefined)
    return usageError(
      `unknown list ${JSON.stringify(unknown)}; the lists are ${all.map(({ name }) => name).join(', ')}`,
    );
  return wanted === undefined ? all : all.filter(({ name }) => name !== undefined && wanted.includes(name));
}

function readText(option: string, file: string, usageError: UsageError): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    return usageError(`the ${option} file ${file} ${fileError(error, 'read')}`);
  }
}

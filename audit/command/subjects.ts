/** The lists that a command audits: that of its URL, or those of a file. */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { ProfileError, isHttp } from '../lists/profile.ts';
import type { Given, Profile } from '../lists/profile.ts';
import { parseProfiles } from '../lists/several.ts';
import type { Named } from '../lists/several.ts';
import { fileError } from './errors.ts';

export interface Subject {
  /** Its name, if a file names several. */
  readonly name: string | undefined;
  readonly given: Given;
}

interface SubjectOptions {
  readonly profile?: string;
  readonly list?: readonly string[];
}
type UsageError = (what: string) => never;

/** @param given adds what the options say of a list to what a file says of it. */
export function subjectsOf(
  url: string | undefined,
  { profile: file, list: wanted }: SubjectOptions,
  given: (url: string | undefined, saved: Partial<Profile>) => Given,
  usageError: UsageError,
): readonly Subject[] {
  const named = file === undefined ? [] : profilesIn(file, url, usageError);
  const [first] = named;
  const isNamed = first?.name !== undefined;
  if (!isNamed) {
    if (wanted !== undefined) usageError('--list needs a file that names lists');
    return [{ name: undefined, given: given(url, first?.profile ?? {}) }];
  }
  return chosen(named, wanted, usageError).map(({ name, profile }) => ({ name, given: given(undefined, profile) }));
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

/** The profiles that the package has, by their names. */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { UsageError, fileError } from './command-errors.ts';

const FOLDER = dirname(createRequire(import.meta.url).resolve('#profiles/github.yaml'));

/** @returns the names of the bundled profiles. */
const bundledNames = (): readonly string[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.replace(/\.yaml$/, ''))
    .sort();

/** @returns the file of a bundled profile; `undefined` if there is none of this name. */
export function bundledFile(name: string): string | undefined {
  if (!/^[a-z][a-z0-9-]*$/.test(name)) return undefined;
  const file = join(FOLDER, `${name}.yaml`);
  return statSync(file, { throwIfNoEntry: false }) === undefined ? undefined : file;
}

/** @returns the URL of a bundled profile. */
export const bundledUrl = (file: string): string => /^url: (.*)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '';

/** Whether a URL of a bundled profile has parts that are the user's, such as ORG. */
export const hasOwnParts = (url: string): boolean => /[A-Z]{3,}/.test(url.replace(/\?.*$/s, ''));

/** @param profile a bundled name, or a file. @throws UsageError */
export function readProfile(profile: string): string {
  const bundled = bundledFile(profile);
  try {
    return readFileSync(bundled ?? profile, 'utf8');
  } catch (error) {
    const isName = /^[\w-]+$/.test(profile);
    throw new UsageError(
      isName
        ? `no profile is called ${JSON.stringify(profile)}. Give a file, or one of ${bundledNames().join(', ')}`
        : `the profile ${profile} ${fileError(error, 'read')}`,
    );
  }
}

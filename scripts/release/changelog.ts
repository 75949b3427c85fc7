/** Reads CHANGELOG.md, which has the form of Keep a Changelog: a section for each version, the newest first. */

export interface Section {
  /** A version, or `Unreleased`. */
  readonly name: string;
  readonly date: string | undefined;
  readonly body: string;
}

export const UNRELEASED = 'Unreleased';
/** The headings of a section, in this order. */
export const KINDS: readonly string[] = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];

const SECTION = /^## \[?(Unreleased|\d+\.\d+\.\d+)\]?(?: - (\d{4}-\d{2}-\d{2}))?$/;

/** @returns the sections of a changelog. @throws Error if a heading is not that of a version. */
export function sectionsOf(changelog: string): readonly Section[] {
  const [, ...parts] = changelog.split(/^(?=## )/m);
  return parts.map((part) => {
    const [heading = '', ...lines] = part.split('\n');
    const [, name, date] = SECTION.exec(heading) ?? [];
    if (name === undefined)
      throw new Error(`CHANGELOG.md: "${heading}" is neither "## ${UNRELEASED}" nor "## 1.2.3 - 2026-12-31".`);
    return { name, date, body: lines.join('\n').trim() };
  });
}

/** @returns a sentence for each place where a changelog does not have the form of Keep a Changelog. */
export function faultsOf(changelog: string): readonly string[] {
  if (!changelog.startsWith('# Changelog\n')) return ['The first line must be "# Changelog".'];
  const sections = sectionsOf(changelog);
  if (sections.length === 0) return ['There is no section.'];
  return sections.flatMap((section, at) => [
    ...faultsOfSection(section, at === 0),
    ...faultsOfOrder(section, sections[at + 1]),
  ]);
}

function* faultsOfSection({ name, date, body }: Section, isFirst: boolean): Generator<string> {
  if (name === UNRELEASED && !isFirst) yield `${name} must be the first section.`;
  if ((name === UNRELEASED) !== (date === undefined)) {
    yield name === UNRELEASED ? `${name} must have no date.` : `${name} must have a date.`;
  }
  const parts = body.split(/^(?=### )/m).filter((it) => it.startsWith('### '));
  const kinds = parts.map((it) => it.slice('### '.length).split('\n', 1)[0] ?? '');
  for (const it of kinds.filter((kind) => !KINDS.includes(kind))) {
    yield `${name}: "### ${it}" must be one of ${KINDS.join(', ')}.`;
  }
  const expected = KINDS.filter((it) => kinds.includes(it));
  const known = kinds.filter((it) => KINDS.includes(it));
  if (known.join() !== expected.join())
    yield `${name} must have each heading once, in the order ${expected.join(', ')}.`;
  for (const [at, part] of parts.entries()) {
    if (part.trim().split('\n').length === 1) yield `${name}: "### ${kinds[at] ?? ''}" is empty.`;
  }
  if (parts.length === 0 && name !== UNRELEASED) yield `${name} has no changes.`;
}

function* faultsOfOrder({ name, date }: Section, older: Section | undefined): Generator<string> {
  if (older === undefined || name === UNRELEASED || older.name === UNRELEASED) return;
  if (compareVersions(name, older.name) <= 0) yield `${name} must be newer than ${older.name}, which follows it.`;
  if (date !== undefined && older.date !== undefined && date < older.date) {
    yield `${name} has an earlier date than ${older.name}.`;
  }
}

/** @returns a negative number if `a` is older than `b`, 0 if they are equal. */
export function compareVersions(a: string, b: string): number {
  const numbers = (it: string): readonly number[] => it.split('.').map(Number);
  const others = numbers(b);
  return (
    numbers(a)
      .map((it, at) => it - (others[at] ?? 0))
      .find((it) => it !== 0) ?? 0
  );
}

/**
 * @param isTagged whether this commit is the release. Before it, the changes may still be unreleased.
 * @returns the changes of a version.
 * @throws Error if the changelog has no section for the version.
 */
export function notesOf(changelog: string, version: string, isTagged: boolean): string {
  const sections = sectionsOf(changelog);
  const [newest] = sections;
  const section = sections.find((it) => it.name === version) ?? (isTagged ? undefined : newest);
  if (section === undefined || (section.name !== version && section.name !== UNRELEASED)) {
    const otherwise = isTagged ? '' : `, nor "## ${UNRELEASED}" as its first`;
    throw new Error(`CHANGELOG.md has no section "## ${version} - DATE"${otherwise}.`);
  }
  if (section.body === '') throw new Error(`CHANGELOG.md: the section ${section.name} is empty.`);
  return `${section.body}\n`;
}

/** The changelog has the form of Keep a Changelog, and the release notes are one of its sections. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { UNRELEASED, compareVersions, faultsOf, notesOf, sectionsOf } from '../../scripts/release/changelog.ts';
import { PACKAGES, manifestIn } from '../../scripts/release/packages.ts';
import { textOf } from '../support/docs.ts';
import { ROOT } from '../support/project.ts';

const CHANGELOG = `# Changelog

Words.

## Unreleased

### Added

- A.

## [1.10.0] - 2026-02-01

### Changed

- B.

### Fixed

- C.

## 1.9.0 - 2026-01-01

### Security

- D.
`;

test('CHANGELOG.md has the form, and its newest section is that of the packages', () => {
  const changelog = textOf('CHANGELOG.md');
  expect(faultsOf(changelog)).toEqual([]);
  const versions = PACKAGES.map((it) => manifestIn(join(ROOT, it.folder)).version);
  expect(new Set(versions).size).toBe(1);
  const [version = ''] = versions;
  const sections = sectionsOf(changelog);
  expect([version, UNRELEASED]).toContain(sections[0]?.name);
  for (const it of sections)
    if (it.name !== UNRELEASED) expect(compareVersions(version, it.name)).toBeGreaterThanOrEqual(0);
  expect(notesOf(changelog, version, false)).toContain('### Added\n');
});

test('package-lock.json has the version of the packages', () => {
  const { version } = manifestIn(ROOT);
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    version: string;
    packages: Record<string, { version: string }>;
  };
  expect([lock.version, lock.packages['']?.version, lock.packages['client']?.version]).toEqual([
    version,
    version,
    version,
  ]);
});

describe('the form', () => {
  test('is right', () => {
    expect(faultsOf(CHANGELOG)).toEqual([]);
    expect(sectionsOf(CHANGELOG).map(({ name, date }) => [name, date])).toEqual([
      ['Unreleased', undefined],
      ['1.10.0', '2026-02-01'],
      ['1.9.0', '2026-01-01'],
    ]);
  });

  test.each([
    ['# Changelog', '# Changes', 'The first line must be "# Changelog".'],
    [
      '### Added',
      '### New',
      'Unreleased: "### New" must be one of Added, Changed, Deprecated, Removed, Fixed, Security.',
    ],
    ['### Fixed', '### Changed', '1.10.0 must have each heading once, in the order Changed.'],
    ['### Changed', '### Security', '1.10.0 must have each heading once, in the order Fixed, Security.'],
    ['- C.\n', '', '1.10.0: "### Fixed" is empty.'],
    ['### Security\n\n- D.', '- D.', '1.9.0 has no changes.'],
    ['## 1.9.0 - 2026-01-01', '## 1.9.0', '1.9.0 must have a date.'],
    ['## Unreleased', '## Unreleased - 2026-03-01', 'Unreleased must have no date.'],
    ['## 1.9.0 - 2026-01-01', '## Unreleased', 'Unreleased must be the first section.'],
    ['## 1.9.0', '## 1.11.0', '1.10.0 must be newer than 1.11.0, which follows it.'],
    ['2026-01-01', '2026-02-02', '1.10.0 has an earlier date than 1.9.0.'],
  ])('%j is not %j', (right, wrong, fault) => {
    expect(CHANGELOG).toContain(right);
    expect(faultsOf(CHANGELOG.replace(right, wrong))).toEqual([fault]);
  });

  test('a heading that is no version is an error', () => {
    expect(() => sectionsOf('# Changelog\n\n## v1\n')).toThrow(
      'CHANGELOG.md: "## v1" is neither "## Unreleased" nor "## 1.2.3 - 2026-12-31".',
    );
  });
});

describe('the release notes', () => {
  test('are the section of the version, tagged or not', () => {
    for (const isTagged of [true, false]) {
      expect(notesOf(CHANGELOG, '1.10.0', isTagged)).toBe('### Changed\n\n- B.\n\n### Fixed\n\n- C.\n');
    }
  });

  test('are the unreleased changes until the commit has a tag', () => {
    expect(notesOf(CHANGELOG, '1.11.0', false)).toBe('### Added\n\n- A.\n');
    expect(() => notesOf(CHANGELOG, '1.11.0', true)).toThrow('CHANGELOG.md has no section "## 1.11.0 - DATE".');
  });

  test('must not be those of another version, or empty', () => {
    const released = CHANGELOG.replace(/## Unreleased[^]*?(?=## \[)/, '');
    expect(() => notesOf(released, '1.11.0', false)).toThrow(
      'CHANGELOG.md has no section "## 1.11.0 - DATE", nor "## Unreleased" as its first.',
    );
    const empty = CHANGELOG.replace('### Added\n\n- A.\n', '');
    expect(() => notesOf(empty, '1.11.0', false)).toThrow('CHANGELOG.md: the section Unreleased is empty.');
  });
});

/** SBOMs: what is made of the output of `npm sbom`, and what is wrong with one. */
import { describe, expect, test } from '@jest/globals';
import { normalize, sbomFaults, schemaFaults } from '../../scripts/release/sbom.ts';
import type { Bom, Component } from '../../scripts/release/sbom.ts';

const component = (name: string, source?: string): Component & { type: string } => ({
  'bom-ref': `${name}@1.0.0`,
  type: 'library',
  name,
  version: '1.0.0',
  scope: 'required',
  externalReferences: [
    { type: 'website', url: `https://example.com/${name}` },
    ...(source === undefined ? [] : [{ type: 'distribution', url: source }]),
  ],
});

/** As npm makes it: the project uses `app`, which uses `a`, and `peer` if it is installed. `shared` is of both. */
const MADE = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  serialNumber: 'urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79',
  version: 1,
  metadata: { timestamp: '2026-01-01T00:00:00.000Z', tools: [{ name: 'cli' }], component: component('project') },
  components: [
    component('peer'),
    component('of-peer'),
    component('shared', 'https://registry.example.com/shared.tgz'),
    component('app', 'file:../app.tgz'),
    component('a'),
  ],
  dependencies: [
    { ref: 'project@1.0.0', dependsOn: ['peer@1.0.0', 'app@1.0.0'] },
    { ref: 'peer@1.0.0', dependsOn: ['shared@1.0.0', 'of-peer@1.0.0'] },
    { ref: 'of-peer@1.0.0' },
    { ref: 'shared@1.0.0', dependsOn: [] },
    { ref: 'app@1.0.0', dependsOn: ['peer@1.0.0', 'a@1.0.0'] },
    { ref: 'a@1.0.0', dependsOn: ['shared@1.0.0'] },
  ],
} as const satisfies Bom & Record<string, unknown>;
const INSTALLED = ['a', 'app', 'of-peer', 'peer', 'shared'].map((name) => ({ name, version: '1.0.0', licence: 'MIT' }));

const bom = normalize(MADE, 'app', ['peer']);

describe('the SBOM of a package', () => {
  test('is about the package, without time, number, project and addresses', () => {
    expect(bom).toEqual({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      version: 1,
      metadata: { tools: [{ name: 'cli' }], component: component('app') },
      components: [
        component('a'),
        { ...component('of-peer'), scope: 'optional' },
        { ...component('peer'), scope: 'optional' },
        component('shared'),
      ],
      dependencies: [
        { ref: 'a@1.0.0', dependsOn: ['shared@1.0.0'] },
        { ref: 'app@1.0.0', dependsOn: ['a@1.0.0', 'peer@1.0.0'] },
        { ref: 'of-peer@1.0.0', dependsOn: [] },
        { ref: 'peer@1.0.0', dependsOn: ['of-peer@1.0.0', 'shared@1.0.0'] },
        { ref: 'shared@1.0.0', dependsOn: [] },
      ],
    });
  });

  test('does not depend on the order of the packages, the time or the folder', () => {
    const again: Bom = {
      ...MADE,
      serialNumber: 'urn:uuid:00000000-0000-4000-8000-000000000000',
      metadata: { ...MADE.metadata, timestamp: '2027-01-01T00:00:00.000Z', component: component('other') },
      components: MADE.components
        .toReversed()
        .map((it) => (it.name === 'app' ? component('app', 'file:/x/app.tgz') : it)),
      dependencies: MADE.dependencies.map((it) => ({ ...it, ref: it.ref.replace('project', 'other') })).toReversed(),
    };
    expect(JSON.stringify(normalize(again, 'app', ['peer']))).toBe(JSON.stringify(bom));
  });

  test('requires that the package is installed', () => {
    expect(() => normalize(MADE, 'ap', [])).toThrow('npm sbom: the project has no package ap.');
  });
});

describe('faults:', () => {
  test('a right one has none', () => {
    expect(sbomFaults(bom, INSTALLED)).toEqual([]);
    expect(schemaFaults(bom)).toEqual([]);
  });

  test('a package that runs is missing, or one is listed that does not', () => {
    const installed = [...INSTALLED.filter((it) => it.name !== 'a'), { name: 'a', version: '1.0.1', licence: 'MIT' }];
    expect(sbomFaults(bom, installed)).toEqual([
      'The SBOM of app does not list a@1.0.1, which is installed.',
      'The SBOM of app lists a@1.0.0, which is not installed.',
    ]);
  });

  test('it was made at a time and place', () => {
    expect(sbomFaults(MADE, [...INSTALLED, { name: 'project', version: '1.0.0', licence: undefined }])).toEqual([
      'The SBOM of project has a timestamp.',
      'The SBOM of project has a serial number.',
      'The SBOM of project has a path of this machine.',
    ]);
  });

  test.each([
    [{ licenses: [{ license: { id: 'MTI' } }] }, /\/components\/0\/licenses\/0\/license\/id must be equal to one of/],
    [{ version: 1 }, /\/components\/0\/version must be string/],
    [
      { externalReferences: [{ type: 'vcs', url: 'a b' }] },
      /\/components\/0\/externalReferences\/0\/url must match format/,
    ],
  ])('the schema of CycloneDX rejects %j', (wrong, message) => {
    const [first, ...others] = bom.components;
    const invalid = { ...bom, components: [{ ...first, ...wrong }, ...others] } as Bom; // Invalid on purpose.
    expect(schemaFaults(invalid).join('\n')).toMatch(message);
  });
});

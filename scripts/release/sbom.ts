/** The list of all packages that run (SBOM) in the form of CycloneDX, made from an installed tarball. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { idOf } from './installed.ts';
import type { Installed } from './installed.ts';

interface Reference {
  readonly type: string;
  readonly url: string;
}
export interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly scope?: 'required' | 'optional';
  readonly externalReferences?: readonly Reference[];
}
interface Dependency {
  readonly ref: string;
  readonly dependsOn?: readonly string[];
}
/** The parts of a document that are used here. */
export interface Bom {
  readonly specVersion: string;
  readonly serialNumber?: string;
  readonly metadata: { readonly timestamp?: string; readonly tools?: unknown; readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly Dependency[];
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Makes the SBOM of a package from the one of a project that has only installed it: the package is the subject, and nothing depends
 * on when, where or in which order it was installed.
 * @param made the output of `npm sbom` in the project.
 * @param peers the packages that the project has installed because they are optional peers. They and what only they use have the
 *   scope `optional`.
 * @throws Error if the project has not installed the package.
 */
export function normalize(made: Bom, name: string, peers: readonly string[]): Bom {
  const subject = made.components.find((it) => it.name === name);
  if (subject === undefined) throw new Error(`npm sbom: the project has no package ${name}.`);
  const project = made.metadata.component['bom-ref'];
  const { serialNumber: _number, ...document } = made;
  const { timestamp: _time, ...metadata } = made.metadata;
  const uses = new Map(made.dependencies.map((it) => [it.ref, it.dependsOn ?? []]));
  const isPeer = (ref: string): boolean =>
    made.components.some((it) => it['bom-ref'] === ref && peers.includes(it.name));
  const required = reachable(subject['bom-ref'], (ref) => {
    const used = uses.get(ref) ?? [];
    return ref === subject['bom-ref'] ? used.filter((it) => !isPeer(it)) : used;
  });
  return {
    ...document,
    metadata: { ...metadata, component: withoutSource(subject) },
    components: made.components
      .filter((it) => it !== subject)
      .map((it) => ({
        ...withoutSource(it),
        scope: required.has(it['bom-ref']) ? ('required' as const) : ('optional' as const),
      }))
      .toSorted((a, b) => byText(a['bom-ref'], b['bom-ref'])),
    dependencies: made.dependencies
      .filter((it) => it.ref !== project)
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.toSorted(byText) }))
      .toSorted((a, b) => byText(a.ref, b.ref)),
  };
}

/** @returns a component without the address that it was downloaded from: a path of this machine, or its registry. */
function withoutSource({ externalReferences = [], ...component }: Component): Component {
  return { ...component, externalReferences: externalReferences.filter((it) => it.type !== 'distribution') };
}

function reachable(from: string, next: (ref: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set([from]);
  for (const ref of found) for (const it of next(ref)) found.add(it);
  return found;
}

/**
 * @param installed all packages in `node_modules` of the project, as they are on disk.
 * @returns a sentence for each package that is only in one of both, and for each that may have been made elsewhere.
 */
export function sbomFaults(bom: Bom, installed: readonly Installed[]): readonly string[] {
  const { component, timestamp } = bom.metadata;
  const listed = new Set([component, ...bom.components].map(idOf));
  const onDisk = new Set(installed.map(idOf));
  const what = `The SBOM of ${component.name}`;
  return [
    ...[...onDisk].filter((it) => !listed.has(it)).map((it) => `${what} does not list ${it}, which is installed.`),
    ...[...listed].filter((it) => !onDisk.has(it)).map((it) => `${what} lists ${it}, which is not installed.`),
    ...(timestamp === undefined ? [] : [`${what} has a timestamp.`]),
    ...(bom.serialNumber === undefined ? [] : [`${what} has a serial number.`]),
    ...(JSON.stringify(bom).includes('"file:') ? [`${what} has a path of this machine.`] : []),
  ];
}

const SCHEMAS = join(
  dirname(fileURLToPath(import.meta.resolve('@cyclonedx/cyclonedx-library/package.json'))),
  'res/schema',
);
const schemaOf = (name: string): object =>
  JSON.parse(readFileSync(join(SCHEMAS, `${name}.SNAPSHOT.schema.json`), 'utf8')) as object; // JSON schemas are objects.

/** @returns the places where an SBOM violates the JSON schema of its version of CycloneDX. */
export function schemaFaults(bom: Bom): readonly string[] {
  const ajv = new Ajv({ strict: false, allErrors: true });
  for (const it of ['iri-reference', 'uri']) ajv.addFormat(it, /^[^\s<>"{}|\\^`]*$/);
  ajv.addFormat('idn-email', /^[^\s@]+@[^\s@]+$/);
  ajv.addFormat('date-time', (it) => !Number.isNaN(Date.parse(it)));
  // The schemas refer to each other by file name.
  for (const it of ['spdx', 'jsf-0.82'])
    ajv.addSchema(schemaOf(it), `http://cyclonedx.org/schema/${it}.SNAPSHOT.schema.json`);
  const validate = ajv.compile(schemaOf(`bom-${bom.specVersion}`));
  validate(bom);
  const { name } = bom.metadata.component;
  return (validate.errors ?? []).map((it) => `The SBOM of ${name}: ${it.instancePath} ${it.message ?? ''}.`);
}

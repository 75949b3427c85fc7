/**
 * Compares the contract with the last released one, and the step of its version with the step that the changes require.
 * `node scripts/contract-change.ts [RELEASED CURRENT]` exits with 0 if the step is sufficient, with 1 if not.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { isNode, LineCounter, parseDocument } from 'yaml';

/** A change as `redocly diff --format json` reports it. */
export interface Change {
  /** The position of the change, as a path through its operation. */
  readonly path?: string;
  readonly typeName: string;
  readonly kind: 'added' | 'removed' | 'modified';
  /** Redocly's rating; `patch` also stands for changes without a rule. */
  readonly impact: Step;
  readonly verdicts: readonly { readonly message: string }[];
  readonly property?: string;
  readonly base?: Side;
  readonly revision?: Side;
}
interface Side {
  readonly file: string;
  readonly pointer: string;
  readonly line: number;
  readonly value?: unknown;
}

/** In ascending order. */
const STEPS = ['patch', 'minor', 'major'] as const;
type Step = (typeof STEPS)[number];

/** The report of `redocly diff` on two contracts. */
export interface Difference {
  readonly infoVersions: { readonly base: string; readonly revision: string };
  readonly changes: readonly Change[];
}

export interface Judgement {
  readonly accepted: boolean;
  /** Each change with its position and the step that it requires. */
  readonly text: string;
}

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** @returns the differences between the contracts in two files. */
export function differenceOf(released: string, current: string): Difference {
  const redocly = [pathOf('../node_modules/@redocly/cli/bin/cli.js'), 'diff', released, current];
  const options = ['--config', pathOf('../redocly.yaml'), '--format', 'json', '--fail-on', 'none'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...redocly, ...options], {
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`redocly diff failed: ${stderr}`);
  const difference = JSON.parse(stdout) as Difference;
  return { ...difference, changes: [...difference.changes, ...changedNames(released, current)] };
}

const NAMES = 'x-problem-names';

/** @returns a change for each response whose error names differ: Redocly does not compare extensions. */
function changedNames(released: string, current: string): readonly Change[] {
  const [before, after] = [errorNames(released), errorNames(current)];
  return [...before].flatMap(([response, base]) => {
    const revision = after.get(response);
    if (revision === undefined || String(base.value) === String(revision.value)) return [];
    return [{ typeName: 'Response', kind: 'modified', impact: 'major', verdicts: [], property: NAMES, base, revision }];
  });
}

/** @returns the error names of each response component of a contract, with their positions. */
function errorNames(file: string): ReadonlyMap<string, Side> {
  const lineCounter = new LineCounter();
  const document = parseDocument(readFileSync(file, 'utf8'), { lineCounter });
  const { components } = document.toJS() as { components: { responses: Record<string, { [NAMES]?: unknown }> } };
  const sides = Object.entries(components.responses).map(([name, { [NAMES]: value }]) => {
    const node = document.getIn(['components', 'responses', name, NAMES], true);
    const { line } = lineCounter.linePos(isNode(node) ? (node.range?.[0] ?? 0) : 0);
    return [name, { file, pointer: `#/components/responses/${name}/${NAMES}`, line, value }] as const;
  });
  return new Map(sides);
}

/** Accepts the changes if the version step is at least the step that each change requires, and every removal was announced. */
export function judge({ infoVersions: { base: from, revision: to }, changes }: Difference): Judgement {
  const taken = takenStep(from, to);
  const rated = changes.map((change) => ({ change, step: neededStep(change) }));
  const needed = STEPS.findLast((it) => rated.some(({ step }) => step === it));
  const lines = rated.map(({ change, step }) => `${step}: ${whatOf(change)}\n       ${whereOf(change)}`);

  const isEnough = rank(needed) <= rank(taken);
  const version = taken === undefined ? `The version is still ${from}` : `${from} to ${to} is a ${taken} step`;
  const conclusion = isEnough
    ? `${version}, which is sufficient.`
    : `${version}, but these changes require a ${String(needed)} step of info.version.`;
  const unannounced = changes
    .filter(isUnannounced)
    .map((it) => `Not announced: ${whatOf(it)} First release a contract that marks it \`deprecated: true\`.`);
  return {
    accepted: isEnough && unannounced.length === 0,
    text: [...lines, conclusion, ...unannounced, ''].join('\n'),
  };
}

// A patch requires no step: the version may stay the same.
const rank = (step: Step | undefined): number => Math.max(0, STEPS.indexOf(step ?? 'patch'));

function whatOf({ typeName, kind, verdicts, property, base, revision }: Change): string {
  if (verdicts.length > 0) return verdicts.map((it) => it.message).join(' ');
  if (property === undefined) return `${typeName} was ${kind}.`;
  return `\`${property}\` of ${typeName} changed from ${short(base?.value)} to ${short(revision?.value)}.`;
}

function short(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}

function whereOf({ base, revision }: Change): string {
  const side = revision ?? base;
  return side === undefined ? 'unknown position' : `${side.file}:${String(side.line)} ${side.pointer}`;
}

// Texts for readers: programs do not depend on them.
const WORDS = ['title', 'summary', 'description', 'example', 'x-internal'];
const WORDY_TYPES = ['Info', 'Contact', 'License', 'ExternalDocs', 'Example', 'ExamplesMap'];
// Redocly rates these by direction: a change that it rates `patch` relaxes a rule for clients or strengthens a guarantee.
const BOUNDS = [
  ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'pattern', 'multipleOf'],
  ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'uniqueItems', 'required'],
].flat();

/**
 * @returns the smallest version step that announces a change. A change for which Redocly has no rule is major unless it is known
 * to be harmless: a renamed component, tag or path parameter breaks generated clients, and a changed default breaks
 * their callers.
 */
function neededStep(change: Change): Step {
  const { typeName, kind, impact, property = '', revision } = change;
  if (WORDY_TYPES.includes(typeName) || WORDS.includes(property)) return 'patch';
  if (property === 'enum') return stepOfEnum(change);
  if (impact !== 'patch') return impact;
  if (kind === 'added' || property === 'deprecated') return 'minor';
  if (typeName === 'Schema' && BOUNDS.includes(property)) return 'minor';
  // A parameter may become optional; a required response header may not.
  if (property === 'required') return (revision?.value === true) === (typeName === 'Header') ? 'minor' : 'major';
  return 'major';
}

/**
 * @returns whether a change removes a path, an operation, a parameter, a header or a property that the released contract
 * did not mark as `deprecated`. A part that OpenAPI cannot deprecate, such as a status, requires only a major step.
 */
function isUnannounced({ path = '', typeName, kind, base }: Change): boolean {
  if (kind !== 'removed') return false;
  if (typeName === 'PathItem') return !Object.values(Object(base?.value) as object).every(isDeprecated);
  const canBeDeprecated =
    ['Operation', 'Parameter', 'Header'].includes(typeName) ||
    (typeName === 'Schema' && /\/properties\/[^/]+$/.test(path));
  return canBeDeprecated && !isDeprecated(base?.value);
}

const isDeprecated = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'deprecated' in value && value.deprecated === true;

function stepOfEnum({ impact, base, revision }: Change): Step {
  const [before, after] = [base?.value, revision?.value];
  // Redocly rates a value removed from a response as harmless, but generated code loses its name.
  if (!Array.isArray(before) || !Array.isArray(after) || !before.every((it) => after.includes(it))) return 'major';
  if (before.length === after.length) return 'patch';
  return impact === 'major' ? 'major' : 'minor';
}

/** @returns the step from one version to another; `undefined` if they are the same. */
function takenStep(from: string, to: string): Step | undefined {
  const [before, after] = [parts(from), parts(to)];
  const first = before.findIndex((it, index) => it !== after[index]);
  if (first === -1) return undefined;
  if (Number(after[first]) < Number(before[first]))
    throw new Error(`The version must not decrease, but it changes from ${from} to ${to}.`);
  return STEPS.toReversed()[first];
}

function parts(version: string): readonly string[] {
  const [, ...numbers] = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(version) ?? [];
  if (numbers.length === 0) throw new Error(`Invalid version, not three numbers: ${version}`);
  return numbers;
}

if (import.meta.main) {
  const [released = pathOf('released/openapi.yaml'), current = pathOf('../openapi.yaml')] = process.argv.slice(2);
  const { accepted, text } = judge(differenceOf(released, current));
  process.stdout.write(text);
  process.exitCode = accepted ? 0 : 1;
}

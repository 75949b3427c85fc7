/** Which step of the contract's version a change of it needs, and which step two versions are apart. */

/** A change as `redocly diff --format json` reports it. */
export interface Change {
  /** Where, by way of the operation that has it. */
  readonly path?: string;
  readonly typeName: string;
  readonly kind: 'added' | 'removed' | 'modified';
  /** What Redocly makes of it; `patch` also stands for whatever it has no rule for. */
  readonly impact: Step;
  readonly verdicts: readonly { readonly message: string }[];
  readonly property?: string;
  readonly base?: Side;
  readonly revision?: Side;
}
export interface Side {
  readonly file: string;
  readonly pointer: string;
  readonly line: number;
  readonly value?: unknown;
}

/** From the least to the greatest. */
export const STEPS = ['patch', 'minor', 'major'] as const;
export type Step = (typeof STEPS)[number];

// Said to people, and read by no program.
const WORDS = ['title', 'summary', 'description', 'example', 'x-internal'];
const WORDY_TYPES = ['Info', 'Contact', 'License', 'ExternalDocs', 'Example', 'ExamplesMap'];
// Redocly judges these by direction: what it leaves at `patch` lets a client do more, or promises it more.
const BOUNDS = [
  ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'pattern', 'multipleOf'],
  ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'uniqueItems', 'required'],
].flat();

/**
 * @returns the least step of the version that announces a change. What Redocly has no rule for is major here unless it
 * is known to harm no one: a component, tag or path parameter by another name breaks generated clients, as another
 * default breaks their callers.
 */
export function neededStep(change: Change): Step {
  const { typeName, kind, impact, property = '', revision } = change;
  if (WORDY_TYPES.includes(typeName) || WORDS.includes(property)) return 'patch';
  if (property === 'enum') return stepOfEnum(change);
  if (impact !== 'patch') return impact;
  if (kind === 'added' || property === 'deprecated') return 'minor';
  if (typeName === 'Schema' && BOUNDS.includes(property)) return 'minor';
  // A parameter may become optional, a header that is always sent may not.
  if (property === 'required') return (revision?.value === true) === (typeName === 'Header') ? 'minor' : 'major';
  return 'major';
}

/**
 * @returns whether something is taken from callers that the released contract did not call `deprecated`: a path, an
 * operation, a parameter, a header or a property. What OpenAPI cannot deprecate, such as a status, needs a major step alone.
 */
export function isUnannounced({ path = '', typeName, kind, base }: Change): boolean {
  if (kind !== 'removed') return false;
  if (typeName === 'PathItem') return !Object.values(Object(base?.value) as object).every(isDeprecated);
  const isUsed =
    ['Operation', 'Parameter', 'Header'].includes(typeName) ||
    (typeName === 'Schema' && /\/properties\/[^/]+$/.test(path));
  return isUsed && !isDeprecated(base?.value);
}

const isDeprecated = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'deprecated' in value && value.deprecated === true;

function stepOfEnum({ impact, base, revision }: Change): Step {
  const [before, after] = [base?.value, revision?.value];
  // Redocly sees no harm in an answer that loses a value, but its name is gone from generated code.
  if (!Array.isArray(before) || !Array.isArray(after) || !before.every((it) => after.includes(it))) return 'major';
  if (before.length === after.length) return 'patch';
  return impact === 'major' ? 'major' : 'minor';
}

/** @returns the step from one version to another; `undefined` if they are the same. */
export function takenStep(from: string, to: string): Step | undefined {
  const [before, after] = [parts(from), parts(to)];
  const first = before.findIndex((it, index) => it !== after[index]);
  if (first === -1) return undefined;
  if (Number(after[first]) < Number(before[first])) throw new Error(`The version goes back from ${from} to ${to}.`);
  return STEPS.toReversed()[first];
}

function parts(version: string): readonly string[] {
  const [, ...numbers] = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(version) ?? [];
  if (numbers.length === 0) throw new Error(`Not a version of three numbers: ${version}`);
  return numbers;
}

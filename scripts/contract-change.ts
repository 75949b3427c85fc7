/**
 * Refuses a contract that differs from the last released one by more than its version says.
 * `node scripts/contract-change.ts [RELEASED CURRENT]`: exit 0 if the step of the version was taken, 1 if not.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { isUnannounced, neededStep, STEPS, takenStep } from './contract-step.ts';
import type { Change, Side, Step } from './contract-step.ts';

/** What `redocly diff` reports of two contracts. */
export interface Difference {
  readonly infoVersions: { readonly base: string; readonly revision: string };
  readonly changes: readonly Change[];
}

export interface Judgement {
  readonly accepted: boolean;
  /** What was changed, where, and the step each change needs. */
  readonly text: string;
}

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** @returns the differences of the contracts in two files. */
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
  return { ...difference, changes: [...difference.changes, ...movedNames(released, current)] };
}

const NAMES = 'x-problem-names';

/** @returns the answers whose error names are others than they were: Redocly looks into no extension. */
function movedNames(released: string, current: string): readonly Change[] {
  const [before, after] = [errorNames(released), errorNames(current)];
  return [...before].flatMap(([response, base]) => {
    const revision = after.get(response);
    if (revision === undefined || String(base.value) === String(revision.value)) return [];
    return [{ typeName: 'Response', kind: 'modified', impact: 'major', verdicts: [], property: NAMES, base, revision }];
  });
}

/** @returns the error names of each response component of a contract, and where they are. */
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

/** @returns whether the step of the version is at least the one that every change needs, and every removal was announced. */
export function judge({ infoVersions: { base: from, revision: to }, changes }: Difference): Judgement {
  const taken = takenStep(from, to);
  const rated = changes.map((change) => ({ change, step: neededStep(change) }));
  const needed = STEPS.findLast((it) => rated.some(({ step }) => step === it));
  const lines = rated.map(({ change, step }) => `${step}: ${whatOf(change)}\n       ${whereOf(change)}`);

  const isEnough = rank(needed) <= rank(taken);
  const version = taken === undefined ? `The version is still ${from}` : `${from} to ${to} is a ${taken} step`;
  const conclusion = isEnough
    ? `${version}, which is enough.`
    : `${version}, but these changes need a ${String(needed)} step of info.version.`;
  const unannounced = changes
    .filter(isUnannounced)
    .map((it) => `Not announced: ${whatOf(it)} Release a contract first that has it with \`deprecated: true\`.`);
  return {
    accepted: isEnough && unannounced.length === 0,
    text: [...lines, conclusion, ...unannounced, ''].join('\n'),
  };
}

// Patches are free: a version that stays where it is announces them as well.
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
  const place = revision ?? base;
  return place === undefined ? 'somewhere' : `${place.file}:${String(place.line)} ${place.pointer}`;
}

if (import.meta.main) {
  const [released = pathOf('released/openapi.yaml'), current = pathOf('../openapi.yaml')] = process.argv.slice(2);
  const { accepted, text } = judge(differenceOf(released, current));
  process.stdout.write(text);
  process.exitCode = accepted ? 0 : 1;
}

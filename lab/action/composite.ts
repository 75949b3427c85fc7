/**
 * Runs a composite action as a runner of GitHub does: each step is a script of bash with its environment, and steps pass values through files.
 * It knows what `action.yml` uses. Anything else is an error, so that no step passes because it was not understood.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { run } from '../../test/support/tester.ts';
import type { Ran } from '../../test/support/tester.ts';

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

interface Step {
  readonly name: string;
  readonly id?: string;
  readonly shell: string;
  readonly run: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly 'working-directory'?: string;
}

type Values = Readonly<Record<string, string>>;

const STEP_KEYS = new Set(['name', 'id', 'shell', 'run', 'env', 'working-directory']);
// As GitHub documents `shell: bash`.
const BASH = ['bash', '--noprofile', '--norc', '-eo', 'pipefail'] as const;

/** @returns the action in a file. @throws Error if it uses what is not known here. */
export function readAction(file: string): Action {
  const action = parse(readFileSync(file, 'utf8')) as Action; // Checked below, as far as it is used.
  if (action.runs.using !== 'composite') throw new Error(`${file} is not a composite action.`);
  for (const step of action.runs.steps) {
    const unknown = Object.keys(step).filter((key) => !STEP_KEYS.has(key));
    if (unknown.length > 0) throw new Error(`A step has ${unknown.join(', ')}, which is not known here.`);
    if (step.shell !== 'bash') throw new Error(`The step "${step.name}" runs in ${step.shell}, not in bash.`);
    if (step.run.includes('${{')) throw new Error(`The script of the step "${step.name}" contains an expression.`);
  }
  return action;
}

/** @returns a text with the values of its expressions. Like on GitHub, a value that is not set is empty. */
function fill(text: string, inputs: Values, outputs: ReadonlyMap<string, Values>): string {
  return text.replaceAll(/\$\{\{ *(.*?) *\}\}/g, (_, expression: string) => {
    const [, input] = /^inputs\.([\w-]+)$/.exec(expression) ?? [];
    if (input !== undefined) return inputs[input] ?? '';
    const [, id = '', output] = /^steps\.([\w-]+)\.outputs\.([\w-]+)$/.exec(expression) ?? [];
    if (output !== undefined) return outputs.get(id)?.[output] ?? '';
    throw new Error(`The expression ${expression} is not known here.`);
  });
}

/** @returns the values that a step has written to its file of outputs, one on a line. */
const outputsIn = (file: string): Values =>
  Object.fromEntries(
    [...readFileSync(file, 'utf8').matchAll(/^([\w-]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );

/**
 * Runs an action until a step fails.
 * @param workspace the folder in which the job has its files.
 * @param given the inputs, as in `with`.
 * @param path the variable PATH of the runner.
 * @returns whether all steps succeeded, and what they printed.
 */
export async function runAction(
  { inputs: declared, runs }: Action,
  workspace: string,
  given: Values,
  path: string,
): Promise<Ran> {
  // GitHub does not require what an action declares as required: it is empty.
  const defaults = Object.entries(declared).map(([name, input]) => [name, input.default ?? ''] as const);
  const inputs: Values = { ...Object.fromEntries(defaults), ...given };
  const runner = mkdtempSync(join(tmpdir(), 'rollcall-runner-'));
  const outputs = new Map<string, Values>();
  let output = '';
  try {
    const temp = join(runner, 'temp');
    mkdirSync(temp);
    for (const [at, step] of runs.steps.entries()) {
      const [script, outputFile] = [join(runner, `${String(at)}.sh`), join(runner, `${String(at)}.outputs`)];
      writeFileSync(script, step.run);
      writeFileSync(outputFile, '');
      const env = Object.entries(step.env ?? {}).map(([name, text]) => [name, fill(text, inputs, outputs)] as const);
      const common = { PATH: path, RUNNER_TEMP: temp, GITHUB_OUTPUT: outputFile, GITHUB_ACTIONS: 'true' };
      const cwd = resolve(workspace, fill(step['working-directory'] ?? '.', inputs, outputs));
      const ran = await run([...BASH, script], { cwd, env: { ...Object.fromEntries(env), ...common } });
      output += ran.output;
      if (!ran.ok) return { ok: false, output };
      if (step.id !== undefined) outputs.set(step.id, outputsIn(outputFile));
    }
    return { ok: true, output };
  } finally {
    rmSync(runner, { recursive: true, force: true });
  }
}

/**
 * Runs a composite action as a runner of GitHub does: each step is a script of bash with its environment, and steps pass values through files.
 * It knows what `action.yml` uses. Anything else is an error, so that no step passes because it was not understood.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { parse } from 'yaml';

export interface Action {
  readonly inputs: Readonly<Record<string, { readonly required?: boolean; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

export interface Step {
  readonly name: string;
  readonly id?: string;
  readonly shell: string;
  readonly run: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly 'working-directory'?: string;
}

export interface StepsRan {
  /** The names of the steps that ran. The last one failed if `code` is not 0. */
  readonly steps: readonly string[];
  readonly code: number;
  /** What the steps printed. */
  readonly log: string;
  /** The outputs of the action. */
  readonly outputs: Readonly<Record<string, string>>;
}

const STEP_KEYS = new Set(['name', 'id', 'shell', 'run', 'env', 'working-directory']);
// As GitHub documents `shell: bash`.
const BASH = ['--noprofile', '--norc', '-eo', 'pipefail'];
const STEP_MS = 180_000;
const MAX_LOG = 4_000_000;

/** @returns the action in a file. @throws Error if it uses what is not known here. */
export function readAction(file: string): Action {
  const action = parse(readFileSync(file, 'utf8')) as Action; // Checked below, as far as it is used.
  if (action.runs.using !== 'composite') throw new Error(`${file} is not a composite action.`);
  for (const step of action.runs.steps) {
    const unknown = Object.keys(step).filter((it) => !STEP_KEYS.has(it));
    if (unknown.length > 0) throw new Error(`A step has ${unknown.join(', ')}, which is not known here.`);
    if (step.shell !== 'bash') throw new Error(`The step "${step.name}" runs in ${step.shell}, not in bash.`);
    if (step.run.includes('${{')) throw new Error(`The script of the step "${step.name}" contains an expression.`);
  }
  return action;
}

type Values = Readonly<Record<string, string>>;

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
function outputsIn(file: string): Values {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((it) => it !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([\w-]+)=(.*)$/.exec(line) ?? [];
      if (name === '') throw new Error(`This line sets no output: ${line}`);
      return [name, value];
    }),
  );
}

/** Runs a script to its end. @throws Error if it does not end in time. */
function runScript(file: string, cwd: string, env: NodeJS.ProcessEnv): Promise<{ code: number; log: string }> {
  return new Promise((settle, reject) => {
    const child = spawn('bash', [...BASH, file], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: STEP_MS });
    let log = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        if (log.length < MAX_LOG) log += text;
      });
    }
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === null) reject(new Error(`A step was ended by ${String(signal)}:\n${log}`));
      else settle({ code, log });
    });
  });
}

/**
 * Runs an action until a step fails.
 * @param workspace the folder in which the job has its files.
 * @param given the inputs, as in `with`.
 * @param path the variable PATH of the runner.
 */
export async function runAction(
  { inputs: declared, outputs: results, runs }: Action,
  workspace: string,
  given: Values,
  path = process.env['PATH'] ?? '',
): Promise<StepsRan> {
  const unknown = Object.keys(given).filter((it) => !Object.hasOwn(declared, it));
  if (unknown.length > 0) throw new Error(`The action has no input ${unknown.join(', ')}.`);
  // GitHub does not require what an action declares as required: it is empty.
  const defaults = Object.entries(declared).map(([name, it]) => [name, it.default ?? ''] as const);
  const inputs: Values = { ...Object.fromEntries(defaults), ...given };
  const runner = mkdtempSync(join(tmpdir(), 'rollcall-runner-'));
  const outputs = new Map<string, Values>();
  const steps: string[] = [];
  let [code, log] = [0, ''];
  try {
    const temp = join(runner, 'temp');
    mkdirSync(temp);
    for (const [at, step] of runs.steps.entries()) {
      if (code !== 0) break;
      const [script, outputFile] = [join(runner, `${String(at)}.sh`), join(runner, `${String(at)}.outputs`)];
      writeFileSync(script, step.run);
      writeFileSync(outputFile, '');
      const env = Object.entries(step.env ?? {}).map(([name, it]) => [name, fill(it, inputs, outputs)] as const);
      const common = { PATH: path, HOME: runner, RUNNER_TEMP: temp, GITHUB_OUTPUT: outputFile, GITHUB_ACTIONS: 'true' };
      const inherited = Object.entries(process.env).filter(([name]) =>
        /^(npm_config_|SSL_|NODE_EXTRA_|\w*_proxy$)/i.test(name),
      );
      const cwd = resolve(workspace, fill(step['working-directory'] ?? '.', inputs, outputs));
      const ran = await runScript(script, cwd, { ...Object.fromEntries([...inherited, ...env]), ...common });
      steps.push(step.name);
      log += ran.log;
      ({ code } = ran);
      if (step.id !== undefined) outputs.set(step.id, outputsIn(outputFile));
    }
    const entries = Object.entries(results).map(([name, { value }]) => [name, fill(value, inputs, outputs)] as const);
    return { steps, code, log, outputs: Object.fromEntries(entries) };
  } finally {
    rmSync(runner, { recursive: true, force: true });
  }
}

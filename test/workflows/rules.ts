/** What the workflows and the action must obey besides what actionlint checks. Each function returns problems as text; none if all is well. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { GROUPS } from '../../scripts/tasks.ts';
import { ROOT } from '../support/project.ts';

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

type Container = string | { readonly image: string };

interface Job {
  readonly permissions?: Readonly<Record<string, string>> | string;
  readonly 'timeout-minutes'?: number;
  readonly 'runs-on'?: string;
  readonly container?: Container;
  readonly services?: Readonly<Record<string, Container>>;
  readonly strategy?: { readonly matrix?: Matrix };
  readonly steps?: readonly Step[];
}

type Matrix = Readonly<Record<string, readonly (string | Readonly<Record<string, string>>)[]>>;

/** The parts of a workflow that the rules read. */
export interface Workflow {
  readonly on: unknown;
  readonly permissions?: unknown;
  readonly concurrency?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = '.github/workflows';
export const WORKFLOWS: readonly string[] = readdirSync(join(ROOT, FOLDER)).map((it) => `${FOLDER}/${it}`);

/** @returns a workflow. Its steps and permissions are checked by actionlint. */
export const workflowOf = (text: string): Workflow => parse(text) as Workflow;

/** Permissions with which a job may publish, and the only workflow whose jobs may have them. */
const PUBLISHING = 'release.yml';
/** The longest that a job of a pull request may take, in minutes. */
export const PULL_REQUEST_MINUTES = 10;

/** Every `uses` is a local action or has the digest of a commit, and a comment with its version. One action has one digest everywhere. */
export function pinProblems(texts: Readonly<Record<string, string>>): readonly string[] {
  const digests = new Map<string, string>();
  return Object.entries(texts).flatMap(([file, text]) =>
    text.split('\n').flatMap((line) => {
      const [, used] = /^\s*(?:- )?uses: *(.+)$/.exec(line) ?? [];
      if (used === undefined || used.startsWith('./')) return [];
      const [, action, digest] = /^([\w.-]+\/[\w./-]+)@([0-9a-f]{40}) # v\d+\.\d+\.\d+$/.exec(used) ?? [];
      if (action === undefined || digest === undefined)
        return [`${file}: ${used} is not pinned by a digest with a version`];
      const pinned = digests.get(action) ?? used;
      digests.set(action, pinned);
      return pinned === used ? [] : [`${file}: ${used} is pinned elsewhere as ${pinned}`];
    }),
  );
}

/** Every container has a tag and a digest. */
export function containerProblems(file: string, { jobs }: Workflow): readonly string[] {
  const PINNED = /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/;
  return Object.entries(jobs).flatMap(([name, { container, services = {} }]) =>
    [container, ...Object.values(services)]
      .flatMap((it) => (typeof it === 'object' ? it.image : (it ?? [])))
      .filter((it) => !PINNED.test(it))
      .map((it) => `${file}: the image ${it} of ${name} is not pinned by a tag and a digest`),
  );
}

/** Least permissions, time limits, no credentials on disk, and no expression in a script. */
export function jobProblems(file: string, { permissions, concurrency, on, jobs }: Workflow): readonly string[] {
  const problems: string[] = [];
  const add = (isProblem: boolean, text: string): void => {
    if (isProblem) problems.push(`${file}: ${text}`);
  };
  add(JSON.stringify(permissions) !== '{}', 'permissions of the workflow are not {}');
  add(concurrency === undefined, 'has no concurrency');
  const isOfPullRequests = JSON.stringify(on).includes('pull_request');
  add(JSON.stringify(on).includes('pull_request_target'), 'runs on pull_request_target');
  for (const [name, job] of Object.entries(jobs)) {
    const granted = job.permissions;
    add(granted === undefined || typeof granted === 'string', `${name} does not list its permissions`);
    const writes = Object.entries(typeof granted === 'object' ? granted : {}).flatMap(([it, access]) =>
      access === 'write' ? it : [],
    );
    add(writes.length > 0 && !file.endsWith(PUBLISHING), `${name} may write ${writes.join(', ')}`);
    const minutes = job['timeout-minutes'];
    add(minutes === undefined, `${name} has no timeout-minutes`);
    add(isOfPullRequests && (minutes ?? 0) > PULL_REQUEST_MINUTES, `${name} may take more than ten minutes`);
    add(job['runs-on']?.endsWith('-latest') === true, `${name} runs on a system that changes`);
    for (const step of job.steps ?? []) {
      const keeps = step.uses?.startsWith('actions/checkout@') === true && step.with?.['persist-credentials'] !== false;
      add(keeps, `${name} checks out with credentials`);
      add(step.run?.includes('${{') === true, `${name} has an expression in a script: ${step.run ?? ''}`);
    }
  }
  return problems;
}

/** @returns the commands of a job, with each value of its matrix in place of the variable that has it. */
function commandsOf({ steps = [], strategy }: Job): readonly string[] {
  const tasks = Object.values(strategy?.matrix ?? {}).flatMap((values) =>
    values.flatMap((it) => (typeof it === 'string' ? [] : (it['task'] ?? []))),
  );
  return steps.flatMap(({ run = '' }) =>
    run.includes('"$TASK"') ? tasks.map((it) => run.replace('"$TASK"', it)) : [run],
  );
}

/** Every npm script, task and file of the project that a script of a workflow names is there. */
export function nameProblems(file: string, { jobs }: Workflow): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const problemsOf = (command: string): readonly string[] => {
    const runs = [...command.matchAll(/\bnpm run ([\w:-]+)(?: -- ([\w-]+))?/g)];
    const wrong = runs.flatMap(([text, script = '', task = '']) => {
      if (!Object.hasOwn(scripts, script)) return [`${text} names no script`];
      const group = GROUPS[script];
      return group === undefined || task === '' || task.startsWith('-') || Object.hasOwn(group.tasks, task)
        ? []
        : [`${text} names no task`];
    });
    const paths = [...command.matchAll(/(?<![\w./-])((?:\.ci|scripts|test|server)\/[\w./-]+)/g)].map(
      ([, it = '']) => it,
    );
    return [...wrong, ...paths.filter((it) => !existsSync(join(ROOT, it))).map((it) => `${it} does not exist`)];
  };
  return Object.values(jobs).flatMap((job) =>
    commandsOf(job).flatMap((it) => problemsOf(it).map((text) => `${file}: ${text}`)),
  );
}

/**
 * The tasks of `npm run check`, `npm run test:e2e` and `npm run bench`: `node scripts/tasks.ts GROUP [NAME] [ARGUMENTS]`.
 * Arguments after a name go to its last command unchanged. Exit codes and signals pass through.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { delimiter } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

type Command = readonly [program: string, ...args: readonly string[]];

export interface Task {
  readonly does: string;
  /** About how long it takes on two cores, as CI runs it. */
  readonly takes: string;
  /** What it needs besides Node. */
  readonly needs?: string;
  /** Builds that the commands need. */
  readonly first?: readonly Command[];
  /** Run one after the other, until one fails. */
  readonly commands: readonly Command[];
}

interface Group {
  /** Without a name: every task in order, a list of the tasks, or one task, which then takes the arguments. */
  readonly unnamed: { readonly run: 'all' | 'none' } | { readonly run: 'one'; readonly name: string };
  readonly tasks: Readonly<Record<string, Task>>;
}

const BUILD: Command = ['npm', 'run', 'build'];
const BUILD_SERVER: Command = ['tsc', '-p', 'server'];
const BUILD_CLIENT: Command = ['npm', 'run', 'build', '-w', 'client'];

const suite = (name: string): readonly Command[] => [['node', `test/${name}/run.ts`]];
const jest = (files: string, ...options: readonly string[]): Command => [
  ...(['npm', 'test', '--', '--testMatch', `<rootDir>/test/${files}`] as const),
  ...options,
];
const SQLITE = ['--selectProjects', 'sqlite'];
const POSTGRES = ['--selectProjects', 'postgres'];

const CHECK: Readonly<Record<string, Task>> = {
  drift: {
    does: 'generated/ is what `npm run generate` makes of openapi.yaml and control.yaml',
    takes: '5 s',
    commands: [['node', 'scripts/generate.ts', '--check']],
  },
  contract: {
    does: 'lints the contracts, `openapi.yaml` and `control.yaml`: Redocly `recommended-strict`, Spectral and OWASP, every rule',
    takes: '15 s',
    commands: [
      ['redocly', 'lint', 'openapi.yaml', 'generated/openapi-3.1.json', 'control.yaml'],
      ['spectral', 'lint', '--fail-severity', 'hint', 'openapi.yaml', 'generated/openapi-3.1.json', 'control.yaml'],
    ],
  },
  change: {
    does: 'compares the contract with the last released one, `scripts/released/openapi.yaml`: what can break a client needs a major step of `info.version`, an addition a minor one, words none',
    takes: '5 s',
    commands: [['node', 'scripts/contract-change.ts']],
  },
  types: {
    does: 'compiles server, client, tests and the modules of the pages',
    takes: '30 s',
    commands: [
      ['tsc', '-p', '.'],
      ['tsc', '-p', 'client'],
      ['tsc', '-p', 'server/pages/assets'],
    ],
  },
  lint: { does: 'ESLint, without warnings', takes: '1 min', commands: [['eslint', '--max-warnings', '0', '.']] },
  format: { does: 'Prettier', takes: '20 s', commands: [['prettier', '--check', '.']] },
  tests: { does: 'the tests, as `npm test`', takes: '5 min', commands: [['npm', 'test', '--']] },
};

const E2E: Readonly<Record<string, Task>> = {
  processes: {
    does: 'processes that are killed or crash: commands and servers, and the workers of `serve --workers`',
    takes: '5 min',
    commands: [jest('processes/*.processes.ts', ...SQLITE), jest('processes/postgres/*.processes.ts', ...POSTGRES)],
  },
  control: {
    does: 'abuses the control API of a started demo: pages of a browser, no key, huge bodies, a cue that always fires, 100,000 accounts',
    takes: '5 min',
    needs: 'a Chromium',
    commands: suite('control'),
  },
  drivers: {
    does: 'the oldest driver of PostgreSQL that package.json allows, with the suites that use it, and the error by an older one',
    takes: '2 min',
    commands: suite('drivers'),
  },
  extension: {
    does: 'adds a collection to a copy of the project, as CONTRIBUTING.md says, where all of `npm run check` passes',
    takes: '2 min',
    commands: suite('extension'),
  },
  disk: {
    does: 'a disk that is full, for real, in the way of everything that writes; mounts a small one',
    takes: '2 min',
    needs: 'root, or a sudo that asks for nothing',
    commands: suite('disk'),
  },
  package: {
    does: 'the packages as they are published, installed by another project, whose suites run on Node 22.18 and 24, with fake timers too',
    takes: '5 min',
    first: [BUILD],
    commands: [['bash', 'scripts/package.sh']],
  },
  browser: {
    does: 'the console, the reference, and the client, also in a page of another origin; each test in both browsers, or in one: `-- browser --selectProjects firefox`',
    takes: '6 min',
    needs: 'a Chromium and a Firefox',
    first: [BUILD_CLIENT],
    commands: [['npm', 'test', '--', '--config', 'test/browser/jest.config.js']],
  },
  playwright: {
    does: 'a Playwright suite of another team against the packed test kit: a page on another origin',
    takes: '1 min',
    needs: 'a Chromium',
    commands: suite('playwright'),
  },
  languages: {
    does: 'suites in Python, Go and TypeScript against `rollcall demo --control` of the packed package, each of which must also fail with a changed record, cue or fault',
    takes: '1 min',
    needs: 'python3 with pytest and pytest-xdist, and go',
    commands: suite('languages'),
  },
  runtimes: {
    does: 'the packed client on Node 20, 22 and 24, Bun, Deno and workerd, each from npm',
    takes: '2 min',
    commands: suite('runtimes'),
  },
  mutants: {
    does: 'single faults in front of Rollcall, one after the other, each of which `rollcall conform` must name',
    takes: '3 min',
    commands: suite('mutants'),
  },
  mutation: {
    does: 'mutates `server` and `client` at 40 random places, in a copy of the project: the tests must find 95 % of the faults; `-- mutation --seed N --count N --only PATTERN`',
    takes: '1 h',
    commands: suite('mutation'),
  },
  proxies: {
    does: 'nginx and Caddy with the configurations of docs/proxies.md, every rule of the contract through them, and their responses while Rollcall is stopped',
    takes: '1 min',
    needs: 'nginx, caddy and openssl',
    commands: suite('proxies'),
  },
  recipes: {
    does: 'the systemd unit of docs/, verified, its container file, whose steps are taken without a container, and the commands of docs/postgresql.md',
    takes: '1 min',
    needs: 'systemd-analyze and PostgreSQL',
    commands: suite('recipes'),
  },
  cache: {
    does: 'cached responses are the same as others on both engines, with limits, origins and expiring keys, for longer than `npm test`; and mutants of the caches are found',
    takes: '5 min',
    commands: suite('cache'),
  },
  hostile: {
    does: '100,000 hostile requests (or `-- hostile N`) and 2,000 slow connections of each kind against a started server: responses, memory, speed',
    takes: '2 min',
    commands: suite('hostile'),
  },
  overload: {
    does: 'three times the requests that a started server can complete, at a rate that does not wait for it: what it accepts stays fast, the rest is rejected at once',
    takes: '1 min',
    commands: suite('overload'),
  },
  soak: {
    does: 'pages, single records, imports, revocations and hostile requests for an hour, or `-- soak --minutes N`: memory, open files and CPU for each thing done stay flat',
    takes: '1 h',
    commands: suite('soak'),
  },
  restarts: {
    does: 'the workers of a started server are stopped one after the other, a hundred times, or `-- restarts --restarts N`: no request on an open connection is lost',
    takes: '5 min',
    commands: suite('restarts'),
  },
  heavy: {
    does: 'a million records: memory, a server meanwhile, kill -9',
    takes: '2 min',
    commands: [jest('heavy/*.heavy.ts', '--runInBand')],
  },
  testers: {
    does: 'Schemathesis, which sends valid and invalid requests and checks every response, and must also find injected faults',
    takes: '8 min',
    needs: 'python3',
    commands: [['node', 'test/testers/main.ts']],
  },
  codegen: {
    does: 'what generators make of the contract, see docs/codegen.md: all that are not slow, all of them (`codegen --all`), or those that are named; `codegen --prove-red` shows that rows can fail',
    takes: '20 min',
    needs: 'Python, Go, Rust, Java, Maven, PHP and Ruby',
    commands: suite('codegen'),
  },
};

const BENCH: Readonly<Record<string, Task>> = {
  servers: {
    does: 'CPU per request beside other servers over the same table, start, memory, imports; `-- --help` has its options',
    takes: '1 h',
    needs: 'wrk',
    first: [BUILD_SERVER],
    commands: suite('bench'),
  },
  quick: {
    does: 'the same, small',
    takes: '5 min',
    needs: 'wrk',
    first: [BUILD_SERVER],
    commands: [['node', 'test/bench/run.ts', '--quick']],
  },
  client: {
    does: 'what the client costs over bare `fetch`',
    takes: '1 min',
    commands: [['node', 'test/bench/client-overhead.ts']],
  },
  pages: {
    does: 'what console and reference weigh, and when they show something on a slow phone',
    takes: '1 min',
    needs: 'a Chromium',
    commands: [['node', 'test/bench/pages.ts']],
  },
  scale: {
    does: 'PostgreSQL with ten million records of 100,000 accounts: plans, storage, CPU per page, imports',
    takes: '1 h',
    needs: 'wrk, and 12 GB of disk',
    first: [BUILD_SERVER],
    commands: [['node', 'test/bench/scale/run.ts']],
  },
  first: {
    does: 'is the first request as fast as the hundredth?',
    takes: '1 min',
    commands: [['node', 'test/bench/first-request.ts']],
  },
  conform: {
    does: 'exit code, requests and time of `rollcall conform` against Rollcall: accounts of many sizes, proxies, latency, a rate limit; `-- conform --write` writes them into docs/conform.md',
    takes: '10 min',
    needs: 'nginx, caddy and openssl',
    commands: [['node', 'test/bench/conform.ts']],
  },
};

/** The groups by the npm script that runs their tasks. */
export const GROUPS: Readonly<Record<string, Group>> = {
  check: { unnamed: { run: 'all' }, tasks: CHECK },
  'test:e2e': { unnamed: { run: 'none' }, tasks: E2E },
  bench: { unnamed: { run: 'one', name: 'servers' }, tasks: BENCH },
};

/** @returns the commands of a task, the last of them with the arguments. */
export function commandsOf({ first = [], commands }: Task, args: readonly string[] = []): readonly Command[] {
  return [...first, ...commands.map((it, at): Command => (at === commands.length - 1 ? [...it, ...args] : it))];
}

function listOf(script: string, { tasks }: Group): string {
  const width = Math.max(...Object.keys(tasks).map((it) => it.length));
  const lines = Object.entries(tasks).map(
    ([name, { does, takes, needs }]) =>
      `  ${name.padEnd(width)}  ${does} (${takes}${needs === undefined ? '' : `; needs ${needs}`})\n`,
  );
  return `npm run ${script} -- NAME [arguments]\n\n${lines.join('')}`;
}

/** @returns the commands that the arguments of an npm script select, or the list of its tasks as text if they select none. */
export function plan(script: string, [name, ...args]: readonly string[]): readonly Command[] | string {
  const group = GROUPS[script];
  if (group === undefined) throw new Error(`No group of tasks is named ${script}: ${Object.keys(GROUPS).join(', ')}.`);
  const { unnamed, tasks } = group;
  const isNamed = name !== undefined && !name.startsWith('-');
  if (!isNamed && unnamed.run === 'one') {
    return plan(script, [unnamed.name, ...(name === undefined ? [] : [name]), ...args]);
  }
  if (name === '--help' || (name === undefined && unnamed.run === 'none')) return listOf(script, group);
  if (name === undefined) return Object.values(tasks).flatMap((it) => commandsOf(it));
  const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
  if (task === undefined) throw new Error(`npm run ${script} has no task ${name}: ${Object.keys(tasks).join(', ')}.`);
  return commandsOf(task, args);
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BIN = fileURLToPath(new URL('../node_modules/.bin', import.meta.url));

/** Runs commands until one fails. The process ends like the last command: with its exit code, or by its signal. */
export async function runAll(commands: readonly Command[]): Promise<void> {
  const env = { ...process.env, PATH: `${BIN}${delimiter}${process.env['PATH'] ?? ''}` };
  let received: NodeJS.Signals | undefined;
  let child: ChildProcess | undefined;
  const forward = (signal: NodeJS.Signals): void => {
    received = signal;
    // A terminal sends SIGINT to all processes of its foreground group: the child has received it.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child?.kill(signal);
  };
  for (const it of SIGNALS) process.on(it, forward);
  let code: number | null = 0;
  let signal: NodeJS.Signals | null = null;
  for (const [program, ...args] of commands) {
    if (code !== 0) break;
    if (received !== undefined) {
      // The previous command survived the signal. The remaining commands still do not run.
      signal = received;
      break;
    }
    process.stderr.write(`\n> ${[program, ...args].join(' ')}\n`);
    child = spawn(program, args, { cwd: ROOT, env, stdio: 'inherit' });
    [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]; // As Node documents it.
  }
  for (const it of SIGNALS) process.off(it, forward);
  if (signal === null) process.exitCode = code ?? 1;
  else process.kill(process.pid, signal);
}

if (import.meta.main) {
  const [script = '', ...words] = process.argv.slice(2);
  try {
    const planned = plan(script, words);
    if (typeof planned === 'string') process.stdout.write(planned);
    else await runAll(planned);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

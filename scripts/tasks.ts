/**
 * Runs the tasks of `npm run check`, `npm run test:e2e` and `npm run bench`: `node scripts/tasks.ts GROUP [NAME] [ARGUMENTS]`.
 * Arguments after a name are passed unchanged to the last command of the task. Exit codes and signals are passed through.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { delimiter } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

type Command = readonly [program: string, ...args: readonly string[]];

export interface Task {
  /** The description, for the list of tasks and for CONTRIBUTING.md. */
  readonly does: string;
  /** The approximate duration on two cores, as in CI. */
  readonly takes: string;
  /** Requirements besides Node. */
  readonly needs?: string;
  /** Builds that the commands require. */
  readonly first?: readonly Command[];
  /** Run in order until one fails. */
  readonly commands: readonly Command[];
}

interface Group {
  /** The default without a name: all tasks in order, a list of the tasks, or one task, which takes the arguments. */
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
    does: 'Checks that `generated/` is up to date with `openapi.yaml` and `control.yaml`',
    takes: '5 s',
    commands: [['node', 'scripts/generate.ts', '--check']],
  },
  contract: {
    does: 'Lints `openapi.yaml` and `control.yaml` with Redocly `recommended-strict` and with all rules of Spectral and OWASP',
    takes: '15 s',
    commands: [
      ['redocly', 'lint', 'openapi.yaml', 'generated/openapi-3.1.json', 'control.yaml'],
      ['spectral', 'lint', '--fail-severity', 'hint', 'openapi.yaml', 'generated/openapi-3.1.json', 'control.yaml'],
    ],
  },
  change: {
    does: 'Compares the contract with the last released one, `scripts/released/openapi.yaml`: a breaking change requires a new major version, an addition a new minor version, a changed description none',
    takes: '5 s',
    commands: [['node', 'scripts/contract-change.ts']],
  },
  types: {
    does: 'Compiles the server, the client, the tests and the page scripts',
    takes: '30 s',
    commands: [
      ['tsc', '-p', '.'],
      ['tsc', '-p', 'client'],
      ['tsc', '-p', 'server/pages/assets'],
    ],
  },
  lint: {
    does: 'Runs ESLint; warnings are errors',
    takes: '1 min',
    commands: [['eslint', '--max-warnings', '0', '.']],
  },
  format: { does: 'Checks the formatting with Prettier', takes: '20 s', commands: [['prettier', '--check', '.']] },
  tests: { does: 'Runs the tests, like `npm test`', takes: '5 min', commands: [['npm', 'test', '--']] },
};

const E2E: Readonly<Record<string, Task>> = {
  processes: {
    does: 'Kills and crashes commands, servers and the workers of `serve --workers`',
    takes: '5 min',
    commands: [jest('processes/*.processes.ts', ...SQLITE), jest('processes/postgres/*.processes.ts', ...POSTGRES)],
  },
  control: {
    does: 'Abuses the control API of a running demo: requests from web pages, without a key or with huge bodies, a cue that always fires, 100,000 accounts',
    takes: '5 min',
    needs: 'Chromium',
    commands: suite('control'),
  },
  drivers: {
    does: 'Runs the PostgreSQL suites with the oldest `pg` that `package.json` allows, and checks that an older version is rejected',
    takes: '2 min',
    commands: suite('drivers'),
  },
  upgrades: {
    does: 'Packs the previous release from its commit, and serves its database, settings file and client with this release, and the reverse',
    takes: '2 min',
    needs: 'the whole history in git',
    commands: suite('upgrades'),
  },
  extension: {
    does: 'Adds a collection to a copy of the project, following CONTRIBUTING.md, and runs the parts of `npm run check` that depend on the contract; `-- --all` runs all of it',
    takes: '3 min',
    commands: suite('extension'),
  },
  disk: {
    does: 'Runs everything that writes to disk on a small file system that is full',
    takes: '2 min',
    needs: 'root or passwordless sudo',
    commands: suite('disk'),
  },
  release: {
    does: 'Packs both packages in two clones of the last commit: the digests must be the same; checks the tarballs, SBOMs, licences and release notes',
    takes: '1 min',
    commands: [['node', 'scripts/release/run.ts', '--dry-run', '--quick']],
  },
  package: {
    does: 'Installs the packed packages in empty projects and runs suites against them on Node 22.18 and 24, also with fake timers',
    takes: '5 min',
    first: [BUILD],
    commands: [['bash', 'scripts/package.sh']],
  },
  browser: {
    does: 'Tests the console, the reference and the client in Chromium and Firefox, the client also from another origin; `-- browser --selectProjects firefox` runs one browser',
    takes: '8 min',
    needs: 'Chromium and Firefox',
    first: [BUILD_CLIENT],
    commands: [['npm', 'test', '--', '--config', 'test/browser/jest.config.js']],
  },
  playwright: {
    does: 'Runs the Playwright suite of another project against the packed test kit, with the page on another origin',
    takes: '1 min',
    needs: 'Chromium',
    commands: suite('playwright'),
  },
  languages: {
    does: 'Runs suites in Python, Go and TypeScript against `rollcall demo --control` from the packed package; each suite must fail if a record, cue or fault is changed',
    takes: '1 min',
    needs: 'python3 with pytest and pytest-xdist, and go',
    commands: suite('languages'),
  },
  runtimes: {
    does: 'Runs the packed client on Node 20, 22 and 24, Bun, Deno and workerd, each installed from npm',
    takes: '2 min',
    commands: suite('runtimes'),
  },
  workflows: {
    does: 'Lints the workflows and the action for GitHub with actionlint and shellcheck, and checks that their actions are pinned and that the tasks they run exist',
    takes: '1 min',
    needs: 'go and shellcheck',
    commands: [jest('workflows/*.test.ts', ...SQLITE), ...suite('workflows')],
  },
  action: {
    does: 'Runs the steps of the action for GitHub, `action.yml`, as a runner does: against a conforming server, a server with a fault, no server, and with wrong inputs',
    takes: '1 min',
    needs: 'curl',
    commands: suite('action'),
  },
  'first-minutes': {
    does: 'Runs the commands of README.md, and of the pages it links to, in a clean root file system, for each of its readers: API consumer, generator team, contract tester, operator; prints how long each took',
    takes: '2 min',
    needs: 'mmdebstrap, bubblewrap, and root or passwordless sudo',
    commands: suite('first-minutes'),
  },
  mutants: {
    does: 'Runs `rollcall conform` against Rollcall behind a proxy that injects one fault at a time; `conform` must report each fault',
    takes: '3 min',
    commands: suite('mutants'),
  },
  mutation: {
    does: 'Mutates `server` and `client` at 40 random places, in a copy of the project; the tests must find 95 % of the mutants; `-- mutation --seed N --count N --only PATTERN` changes the selection',
    takes: '1 h',
    commands: suite('mutation'),
  },
  examine: {
    does: 'Runs `rollcall examine` on a client with one fault at a time, and on correct clients in TypeScript, Python and Go; `examine` must report each fault, and nothing else; `-- examine NAME` runs some',
    takes: '5 min',
    needs: 'python3 and go',
    commands: suite('examine'),
  },
  proxies: {
    does: 'Runs nginx and Caddy with the configurations in docs/proxies.md: tests every rule of the contract through them, and their responses while Rollcall is stopped',
    takes: '1 min',
    needs: 'nginx, caddy and openssl',
    commands: suite('proxies'),
  },
  recipes: {
    does: 'Verifies the systemd units in docs/, restores a scheduled backup, and runs the commands in docs/postgresql.md and docs/backups.md',
    takes: '1 min',
    needs: 'systemd-analyze and PostgreSQL',
    commands: suite('recipes'),
  },
  image: {
    does: 'Builds the container image for amd64 and arm64, compares it with docs/Containerfile, and runs it without a container runtime: on amd64 with `conform` and with the service of docs/compose.yaml, on arm64 emulated',
    takes: '2 min',
    needs: 'Debian with umoci, skopeo, bubblewrap, qemu-user-static and docker-compose',
    commands: suite('image'),
  },
  monitoring: {
    does: 'Checks the metrics of servers with traffic, on both engines, and the alert rules in docs/alerts.yml with their tests; each test must fail if its rule is changed',
    takes: '1 min',
    needs: 'promtool',
    commands: suite('monitoring'),
  },
  failover: {
    does: 'Runs the configurations in docs/high-availability.md under load: a switchover, and failovers when the machine or the Patroni of the primary is killed; all responses must be correct or 503, and no import may be lost or incomplete',
    takes: '3 min',
    needs: 'etcd, patroni, haproxy and PostgreSQL',
    commands: suite('failover'),
  },
  cache: {
    does: 'Compares cached with uncached responses on both engines, with rate limits, CORS origins and expiring keys, for longer than `npm test`; also checks that faults injected into the caches are found',
    takes: '5 min',
    commands: suite('cache'),
  },
  hostile: {
    does: 'Sends 100,000 hostile requests (`-- hostile N` changes the number) and opens 2,000 slow connections of each kind: checks responses, memory and speed',
    takes: '2 min',
    commands: suite('hostile'),
  },
  overload: {
    does: 'Sends three times as many requests per second as the server can complete: all responses must be 200 or 503, as declared in the contract, and take at most 0.6 x the CPU time of a response at capacity; prints latencies, but does not check them',
    takes: '1 min',
    commands: suite('overload'),
  },
  soak: {
    does: 'Sends page requests, gets, imports, revocations and hostile requests for an hour (`-- soak --minutes N` changes the time): memory, open files and CPU per operation must stay flat',
    takes: '1 h',
    commands: suite('soak'),
  },
  restarts: {
    does: 'Stops the workers of a server one after the other, 100 times (`-- restarts --restarts N` changes the number): no request on an open connection may be lost',
    takes: '5 min',
    commands: suite('restarts'),
  },
  heavy: {
    does: 'Imports a million records: checks memory, a server that runs at the same time, and `kill -9`',
    takes: '2 min',
    commands: [jest('heavy/*.heavy.ts', '--runInBand')],
  },
  testers: {
    does: 'Runs Schemathesis, which sends valid and invalid requests and checks every response; it must also find injected faults; `-- testers --examples N` changes the number of examples (500)',
    takes: '8 min',
    needs: 'python3',
    commands: [['node', 'test/testers/main.ts']],
  },
  codegen: {
    does: 'Runs the generators in docs/codegen.md, and examines the clients: all except the slow ones, all (`codegen --all`), or the named ones; `codegen --all --write` writes docs/scoreboard.md; `codegen --prove-red` injects faults to prove that the tests can fail; `npm run test:codegen` is short for it',
    takes: '20 min',
    needs: 'Python, Go, Rust, Java, Maven, PHP and Ruby',
    commands: suite('codegen'),
  },
};

const BENCH: Readonly<Record<string, Task>> = {
  servers: {
    does: 'Measures CPU per request, start, memory and imports, and compares them with other servers that read the same database table; `-- --help` lists the options',
    takes: '1 h',
    needs: 'wrk',
    first: [BUILD_SERVER],
    commands: suite('bench'),
  },
  quick: {
    does: 'Runs a part of `servers` with fewer records',
    takes: '5 min',
    needs: 'wrk',
    first: [BUILD_SERVER],
    commands: [['node', 'test/bench/run.ts', '--quick']],
  },
  client: {
    does: 'Measures the overhead of the client over plain `fetch`',
    takes: '1 min',
    commands: [['node', 'test/bench/client-overhead.ts']],
  },
  pages: {
    does: 'Measures the size of the console and the reference, and their first contentful paint on a slow phone',
    takes: '1 min',
    needs: 'Chromium',
    commands: [['node', 'test/bench/pages.ts']],
  },
  scale: {
    does: 'Measures PostgreSQL with ten million records of 100,000 accounts: query plans, storage, CPU per page, imports',
    takes: '1 h',
    needs: 'wrk and 12 GB of disk space',
    first: [BUILD_SERVER],
    commands: [['node', 'test/bench/scale/run.ts']],
  },
  first: {
    does: 'Compares the duration of the first request with that of the hundredth',
    takes: '1 min',
    commands: [['node', 'test/bench/first-request.ts']],
  },
  conform: {
    does: 'Measures exit code, requests and time of `rollcall conform` with accounts of many sizes, proxies, latency and a rate limit; `-- conform --write` updates docs/conform.md',
    takes: '10 min',
    needs: 'nginx, caddy and openssl',
    commands: [['node', 'test/bench/conform.ts']],
  },
};

/** The groups by the npm script that runs them. */
export const GROUPS: Readonly<Record<string, Group>> = {
  check: { unnamed: { run: 'all' }, tasks: CHECK },
  'test:e2e': { unnamed: { run: 'none' }, tasks: E2E },
  bench: { unnamed: { run: 'one', name: 'servers' }, tasks: BENCH },
};

/** @returns the commands of a task; the last one has the arguments. */
export function commandsOf({ first = [], commands }: Task, args: readonly string[] = []): readonly Command[] {
  return [...first, ...commands.map((it, at): Command => (at === commands.length - 1 ? [...it, ...args] : it))];
}

function listOf(script: string, { tasks }: Group): string {
  const width = Math.max(...Object.keys(tasks).map((it) => it.length));
  const lines = Object.entries(tasks).map(
    ([name, { does, takes, needs }]) =>
      `  ${name.padEnd(width)}  ${does} (${takes}${needs === undefined ? '' : `; requires ${needs}`})\n`,
  );
  return `npm run ${script} -- NAME [arguments]\n\n${lines.join('')}`;
}

/** @returns the commands that the arguments of an npm script select; if they select no task, the list of tasks as text. */
export function plan(script: string, [name, ...args]: readonly string[]): readonly Command[] | string {
  const group = GROUPS[script];
  if (group === undefined) throw new Error(`Unknown group ${script}. Groups: ${Object.keys(GROUPS).join(', ')}.`);
  const { unnamed, tasks } = group;
  const isNamed = name !== undefined && !name.startsWith('-');
  if (!isNamed && unnamed.run === 'one') {
    return plan(script, [unnamed.name, ...(name === undefined ? [] : [name]), ...args]);
  }
  if (name === '--help' || (name === undefined && unnamed.run === 'none')) return listOf(script, group);
  if (name === undefined) return Object.values(tasks).flatMap((it) => commandsOf(it));
  const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
  if (task === undefined)
    throw new Error(`npm run ${script} has no task ${name}. Tasks: ${Object.keys(tasks).join(', ')}.`);
  return commandsOf(task, args);
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BIN = fileURLToPath(new URL('../node_modules/.bin', import.meta.url));

/** Runs commands until one fails. The process ends like the last command: with the same exit code or by the same signal. */
export async function runAll(commands: readonly Command[]): Promise<void> {
  const env = { ...process.env, PATH: `${BIN}${delimiter}${process.env['PATH'] ?? ''}` };
  let received: NodeJS.Signals | undefined;
  let child: ChildProcess | undefined;
  const forward = (signal: NodeJS.Signals): void => {
    received = signal;
    // A terminal sends SIGINT to all processes of the foreground group, so the child has already received it.
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

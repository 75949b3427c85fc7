/** The machines of docs/postgresql.md as processes on this one. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { give } from '../../test/support/postgres.ts';
import { childrenOf, isAlive } from '../../test/support/processes.ts';
import { must } from '../../test/support/project.ts';
import { start, until } from '../support/program.ts';
import type { Program } from '../support/program.ts';
import { MACHINES, SERVERS, readRecipe } from './recipe.ts';
import type { Machine, Recipe, Server } from './recipe.ts';

const READY_MS = 240_000; // On a busy machine.
const RESPONSE_MS = 5000;
const SHOWN_OF_LOG = 3000; // Characters of each program.

/** A member as Patroni's REST API describes it. */
interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

export interface Roles {
  readonly primary: Server;
  readonly standby: Server;
}

export interface Cluster {
  readonly folder: string;
  readonly localized: Recipe['localized'];
  /** Waits until there is a primary and the other server is its synchronous standby. */
  readonly settled: () => Promise<Roles>;
  /** Waits until another server than this one is the primary. */
  readonly failedOver: (from: Server) => Promise<void>;
  /** Kills everything on a machine at once, as when it loses its power. */
  readonly kill: (server: Server) => Promise<void>;
  /** Kills Patroni alone. PostgreSQL goes on as what it was. */
  readonly killPatroni: (server: Server) => Promise<void>;
  /** Starts again what was killed. */
  readonly start: (server: Server) => void;
  readonly remove: () => Promise<void>;
}

/** Starts all machines, and HAProxy on the one that Rollcall runs on. */
export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-failover-'));
  give(folder);
  const { uid, gid } = statSync(folder); // PostgreSQL does not run as root.
  const recipe = readRecipe(folder);
  const etcd = new Map<Machine, Program>();
  const others = new Map<Server | 'haproxy', Program>();
  const run = (argv: readonly string[], env: Readonly<Record<string, string>> = {}): Program =>
    start(argv, {
      ...{ cwd: folder, uid, gid },
      env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', HOME: folder, ...env },
    });
  const put = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const startEtcd = (machine: Machine): void => {
    if (!etcd.has(machine)) etcd.set(machine, run(['etcd'], recipe.etcd(machine)));
  };
  const startPatroni = (server: Server): void => {
    const socket = recipe.data(server, 'socket'); // Its name is that of the port, which both have.
    mkdirSync(socket, { recursive: true });
    give(socket);
    others.set(server, run(['patroni', put(`${server}.yml`, recipe.patroni(server))]));
  };
  const logs = (): string =>
    [...etcd, ...others].map(([name, it]) => `--- ${name}\n${it.log().slice(-SHOWN_OF_LOG)}`).join('\n');
  const cluster: Cluster = {
    folder,
    localized: recipe.localized,
    settled: async () => {
      let roles: Roles | undefined;
      await until(
        'there is a primary with a synchronous standby',
        READY_MS,
        async () => (roles = rolesIn(await membersOf(recipe))) !== undefined,
        logs,
      );
      if (roles === undefined) throw new Error('It is set by then.');
      return roles;
    },
    failedOver: (from) => {
      const hasOther = (all: readonly Member[]): boolean =>
        all.some((it) => it.role === 'leader' && it.name !== from && it.state === 'running');
      return until(`${from} is no longer the primary`, READY_MS, async () => hasOther(await membersOf(recipe)), logs);
    },
    kill: async (server) => {
      const postmaster = postmasterOf(recipe, server);
      const backends = childrenOf(postmaster);
      await Promise.all([others.get(server)?.kill(), etcd.get(server)?.kill()]);
      etcd.delete(server);
      for (const it of [postmaster, ...backends]) killIfAlive(it);
      await until('a killed PostgreSQL server has ended', READY_MS, () => !isAlive(postmaster));
    },
    killPatroni: async (server) => {
      await others.get(server)?.kill();
      if (!isAlive(postmasterOf(recipe, server))) throw new Error('PostgreSQL has ended with Patroni.');
    },
    start: (server) => {
      startEtcd(server);
      startPatroni(server);
    },
    remove: async () => {
      // Patroni stops its server. It asks etcd, which comes last.
      await Promise.all([...others.values()].map((it) => it.stop()));
      await Promise.all([...etcd.values()].map((it) => it.stop()));
      for (const it of SERVERS) killServer(recipe, it);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    for (const it of MACHINES) startEtcd(it);
    for (const it of SERVERS) startPatroni(it);
    const config = put('haproxy.cfg', recipe.haproxy);
    must(folder, 'haproxy', '-c', '-f', config);
    others.set('haproxy', run(['haproxy', '-db', '-f', config]));
    await cluster.settled();
    return cluster;
  } catch (error) {
    await cluster.remove();
    throw error;
  }
}

/** @returns the members as Patroni describes them; none while it does not respond. */
async function membersOf({ api }: Recipe): Promise<readonly Member[]> {
  for (const server of SERVERS) {
    try {
      const response = await fetch(`${api(server)}/cluster`, { signal: AbortSignal.timeout(RESPONSE_MS) });
      const { members } = (await response.json()) as { readonly members: readonly Member[] };
      return members;
    } catch {
      // It is down: the other one knows.
    }
  }
  return [];
}

function rolesIn(members: readonly Member[]): Roles | undefined {
  const running = members.filter(({ state }) => state === 'running' || state === 'streaming');
  const named = (role: string): Server | undefined =>
    SERVERS.find((it) => running.some(({ name, role: own }) => name === it && own === role));
  const [primary, standby] = [named('leader'), named('sync_standby')];
  return primary === undefined || standby === undefined ? undefined : { primary, standby };
}

const postmasterOf = ({ data }: Recipe, server: Server): number =>
  Number(/^\d+/.exec(readFileSync(join(data(server, 'postgres'), 'postmaster.pid'), 'utf8'))?.[0]);

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended with the others.
  }
}

/** Kills a PostgreSQL server whose Patroni was killed. */
function killServer(recipe: Recipe, server: Server): void {
  try {
    const pid = postmasterOf(recipe, server);
    if (isAlive(pid)) killIfAlive(pid);
  } catch {
    // Patroni has stopped it: it has no file any more.
  }
}

/** The configurations of docs/postgresql.md for its machines, on this one: other addresses and folders, and nothing else. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { onlyCodeBelow } from '../../test/support/docs.ts';
import { ownNetwork } from '../network.ts';

export const PAGE = 'docs/postgresql.md';
const HEADING = 'Configure the servers';
/** The address at which the page has HAProxy. */
const HAPROXY = '127.0.0.1';

const BIN = '/usr/lib/postgresql/15/bin';

/** The machines of the page, each with etcd; the first two have PostgreSQL. */
export const ADDRESSES = { 'db-1': '10.0.0.1', 'db-2': '10.0.0.2', 'db-3': '10.0.0.3' } as const;
export type Machine = keyof typeof ADDRESSES;
export type Server = Exclude<Machine, 'db-3'>;
export const MACHINES = Object.keys(ADDRESSES) as readonly Machine[]; // `Object.keys` returns `string[]`.
export const SERVERS: readonly Server[] = ['db-1', 'db-2'];

export interface Recipe {
  /** @returns a text of the page with the addresses and files that are used here. */
  readonly localized: (text: string) => string;
  /** The environment of etcd. */
  readonly etcd: (machine: Machine) => Readonly<Record<string, string>>;
  readonly patroni: (server: Server) => string;
  readonly haproxy: string;
  /** The URL of Patroni's REST API. */
  readonly api: (server: Server) => string;
  readonly data: (machine: Machine, of: 'etcd' | 'postgres' | 'socket') => string;
}

/** @returns the folder of the programs of PostgreSQL: that of the page, or of the version that another Debian or Ubuntu has. */
function programsFolder(): string {
  const installed = globSync('/usr/lib/postgresql/*/bin').toSorted();
  const folder = installed.includes(BIN) ? BIN : installed.at(-1);
  if (folder === undefined) throw new Error('PostgreSQL is not installed: there is no /usr/lib/postgresql.');
  return folder;
}

/** Replaces a text. @throws Error if it is not there. */
function replaced(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`${PAGE} does not have: ${from}`);
  return text.replaceAll(from, to);
}

/** @returns the configuration of the first machine, changed for another one, in the lines that match. */
const forMachine = (text: string, machine: Machine, lines: RegExp): string =>
  text.replaceAll(lines, (line) => line.replace('db-1', machine).replace(ADDRESSES['db-1'], ADDRESSES[machine]));

/** @param folder where the files are. */
export function readRecipe(folder: string): Recipe {
  const code = (language: string): string => onlyCodeBelow(PAGE, HEADING, language);
  const network = ownNetwork();
  const localized = (text: string): string =>
    text
      .replaceAll(HAPROXY, `${network}.4`)
      .replaceAll('10.0.0.0/24', '127.0.0.0/8')
      .replaceAll('10.0.0.', `${network}.`)
      .replaceAll('/etc/patroni/config.yml', join(folder, 'db-1.yml'));
  const data: Recipe['data'] = (machine, of) => join(folder, `${machine}-${of}`);
  return {
    localized,
    data,
    haproxy: localized(code('haproxy')),
    api: (server) => localized(`http://${ADDRESSES[server]}:8008`),
    etcd: (machine) => {
      const settings = localized(forMachine(code('ini'), machine, /^ETCD_(?!INITIAL_CLUSTER).*$/gm));
      const variables = [...settings.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]);
      return { ...Object.fromEntries(variables), ETCD_DATA_DIR: data(machine, 'etcd') } as Readonly<
        Record<string, string>
      >;
    },
    patroni: (server) => {
      const text = forMachine(code('yaml'), server, /^(name: | +(listen|connect_address): ).*$/gm);
      // The user of the tests may not write where Debian has sockets and the home of postgres.
      const own = [
        data(server, 'postgres'),
        `parameters: { unix_socket_directories: '${data(server, 'socket')}' }`,
        `pgpass: ${join(folder, `${server}.pgpass`)}`,
      ];
      const here = replaced(text, BIN, programsFolder());
      return localized(replaced(here, '/var/lib/postgresql/15/rollcall', own.join('\n  ')));
    },
  };
}

/**
 * Count gates: `npm run counts`. What a request costs, counted: allocated bytes against a bare contender in the same run, statements, and
 * what is held once garbage is collected. Nothing here depends on how fast the machine is. Ends with 1 if a count is out of its bound.
 */
import { writeFileSync } from 'node:fs';
import { createBuilders } from '../../server/testing/index.ts';
import { openFolder } from '../support/cli.ts';
import { startMeasured } from './measured.ts';
import type { Measured } from './measured.ts';
import { LIST, ask, mixed, sendBroken } from './requests.ts';
import type { Answer, Ask } from './requests.ts';
import manifest from '../../package.json' with { type: 'json' };

const RECORDS = 4000;
const WARM_UP = 300;
const REQUESTS = 300;
/** How far a ratio may be above what it was, which repeats to 0.1 %, and below it, so that the bound stays close. */
const ABOVE = 1.003;
const BELOW = 0.97;
/** Bytes depend on the version of Node. */
const IS_PINNED = process.versions.node === manifest.devDependencies.node;
const CLIENT_RATIOS = { ready: 1.8007, network: 1.292 };
const ROUNDS = 500;
/** More than the server remembers to have seen once. */
const FILLING = 10_500;
const HELD_PER_ROUND = 40;
const HELD_FILES = 5;

/** What a request is counted with. */
interface Work {
  readonly name: string;
  readonly server: 'usual' | 'uncached';
  readonly ask: (n: number) => Ask;
  /** Its bytes by those of bare `node:http` with the same response. Without it, only statements are counted. */
  readonly ratio?: number;
  readonly statements: number;
  readonly warmUp?: number;
  readonly requests?: number;
}
type Send = (times: number) => Promise<void>;

const { contactImport } = createBuilders({ seed: 'counts' });
const records = Array.from({ length: RECORDS }, () => contactImport());
const idAt = (n: number): string => records[n % RECORDS]?.id ?? '';
const folder = openFolder();
const running: Measured[] = [];
try {
  await countAll();
} finally {
  await Promise.all(running.map((measured) => measured.stop()));
  folder.remove();
}

async function countAll(): Promise<void> {
  const input = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  await folder.run(['import', 'contact-imports', '--account', 'a'], { input });
  const key = (await folder.run(['keys', 'create', '--account', 'a'])).stdout.trim();
  const serve = (...options: readonly string[]): Promise<Measured> =>
    start('../../server/main.ts', 'serve', '--port', '0', ...options);
  const servers = { usual: await serve(), uncached: await serve('--cache', '0') };
  const works = worksOf(key);
  const answers: Answer[] = [];
  for (const work of works) answers.push(await ask(servers[work.server].url, work.ask(0)));
  writeFileSync(folder.path('answers.json'), JSON.stringify(answers));
  const bare = await start('./bare.ts', folder.path('answers.json'));

  print('count', 'measured', 'bare', 'ratio', 'bound', '');
  for (const [nth, { name, ratio, statements, ...work }] of works.entries()) {
    const server = servers[work.server];
    const counted = await count(server, sender(server.url, work.ask), work);
    if (ratio !== undefined) {
      const target = `/${String(nth)}`;
      const { bytes } = await count(
        bare,
        sender(bare.url, (n) => ({ ...work.ask(n), target })),
        work,
      );
      judgeRatio(name, counted.bytes, bytes, ratio);
    }
    print(`${name}, statements`, counted.statements, '', '', statements, verdict(counted.statements === statements));
  }
  const url = `${bare.url}/${String(works.findIndex((work) => work.server === 'usual'))}`;
  for (const [transport, ratio] of Object.entries(CLIENT_RATIOS)) {
    const caller = (name: string): Promise<Measured> => start('./client.ts', name, transport, url);
    const [client, fetch] = [await caller('client'), await caller('fetch')];
    const bytes = [(await count(client, client.repeat)).bytes, (await count(fetch, fetch.repeat)).bytes] as const;
    judgeRatio(`client, ${transport}`, ...bytes, ratio);
  }
  await countHeld(
    await serve('--admin-port', '0', '--rate-limit', '999999999/s', '--cors-origin', 'https://a.example'),
    key,
  );
}

async function start(program: string, ...argv: readonly string[]): Promise<Measured> {
  const measured = await startMeasured(program, argv, folder.path(''));
  running.push(measured);
  return measured;
}

function worksOf(key: string): readonly Work[] {
  const headers = { authorization: `Bearer ${key}` };
  const get = (target: string, status = 200, more = {}): Ask => ({ target, headers: { ...headers, ...more }, status });
  return [
    { name: 'page, cached', server: 'usual', ask: () => get(LIST), ratio: 1.2522, statements: 1 },
    {
      ...{ name: 'page, at a new cursor', server: 'usual', ratio: 2.2845, statements: 5 },
      ask: (n) => get(`${LIST}?after=${idAt(n)}`),
    },
    {
      // The contract has so many limits. Each is a new request template.
      ...{ name: 'page, of a new limit', server: 'usual', statements: 5, warmUp: 0, requests: 100 },
      ask: (n) => get(`${LIST}?limit=${String(n + 1)}`),
    },
    { name: 'page, --cache 0', server: 'uncached', ask: () => get(LIST), ratio: 3.8264, statements: 6 },
    { name: 'by id', server: 'usual', ask: (n) => get(`${LIST}/${idAt(n)}`), ratio: 1.6766, statements: 5 },
    { name: '304', server: 'usual', ask: () => get(LIST, 304, { 'if-none-match': '*' }), ratio: 1.3283, statements: 1 },
    { name: '422', server: 'usual', ask: () => get(`${LIST}?limit=0`, 422), ratio: 3.9283, statements: 1 },
    {
      ...{ name: '401', server: 'usual', ratio: 1.5141, statements: 5 },
      ask: (n) => get(LIST, 401, { authorization: `Bearer unknown-${String(n)}` }),
    },
  ];
}

/** @returns a function that sends requests which differ from all before. */
function sender(url: string, askOf: (n: number) => Ask): Send {
  let n = 0;
  return async (times) => {
    for (const end = n + times; n < end; n += 1) await ask(url, askOf(n));
  };
}

/** @returns what a request costs. */
async function count(
  measured: Measured,
  send: Send,
  { warmUp = WARM_UP, requests = REQUESTS }: Pick<Work, 'warmUp' | 'requests'> = {},
): Promise<{ bytes: number; statements: number }> {
  await send(warmUp);
  await measured.count('begin');
  await send(requests);
  const { bytes, statements, collections } = await measured.count('end');
  if (collections > 0) throw new Error('Garbage was collected while bytes were counted: count fewer requests.');
  return { bytes, statements: statements / requests };
}

/** Counts what a server holds after many different requests, and after as many more. */
async function countHeld(server: Measured, key: string): Promise<void> {
  const cursor = (n: number): string => `${LIST}?after=${idAt(n)}&limit=${String(1 + Math.floor(n / RECORDS))}`;
  const senders = mixed(key, cursor).map((askOf) => sender(server.url, askOf));
  let n = 0;
  const sendRounds = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS; round += 1, n += 1) {
      for (const send of senders) await send(1);
      await sendBroken(server.url, `BROKEN${String(n)}`);
    }
  };
  await senders[1]?.(FILLING);
  await sendRounds();
  const first = await server.count('held');
  await sendRounds();
  const last = await server.count('held');
  const bytes = (last.bytes - first.bytes) / ROUNDS;
  print('held, bytes a round', bytes.toFixed(1), '', '', HELD_PER_ROUND, verdict(bytes <= HELD_PER_ROUND));
  const files = last.openFiles - first.openFiles;
  print('held, open files', files, '', '', HELD_FILES, verdict(files <= HELD_FILES));
}

function judgeRatio(name: string, bytes: number, bare: number, expected: number): void {
  const [ratio, bound] = [bytes / bare, expected * ABOVE];
  const found = !IS_PINNED ? 'not judged' : verdict(ratio <= bound && ratio >= expected * BELOW, ratio < bound);
  print(`${name}, bytes`, bytes.toFixed(1), bare.toFixed(1), ratio.toFixed(4), bound.toFixed(4), found);
}

function verdict(isWithin: boolean, isBelow = false): string {
  if (isWithin) return 'ok';
  process.exitCode = 1;
  return isBelow ? 'RED: lower it' : 'RED';
}

function print(...cells: readonly (string | number)[]): void {
  const [name = '', ...others] = cells.map(String);
  process.stdout.write(`${name.padEnd(36)}${others.map((cell) => cell.padStart(12)).join('')}\n`);
}

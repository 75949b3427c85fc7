/**
 * Count gates: `npm run counts`, or `npm run counts -- REGEX` for some. What a request costs, counted: allocated bytes against a bare
 * contender in the same run, statements, and what is held once garbage is collected. Nothing here depends on how fast the machine is.
 * Ends with 1 if a count is out of its bound.
 */
import { writeFileSync } from 'node:fs';
import { createBuilders } from '../../testkit/index.ts';
import { openFolder } from '../support/cli.ts';
import { ndjson } from '../support/series.ts';
import { startMeasured } from './measured.ts';
import type { Measured } from './measured.ts';
import type { Counts } from './probe.ts';
import { LIST, ask, mixed, sendBroken } from './requests.ts';
import type { Answer, Ask } from './requests.ts';
import manifest from '../../package.json' with { type: 'json' };

const RECORDS = 4000;
const WARM_UP = 300;
const REQUESTS = 300;
/** How far a ratio may be above what it was: half of what one more array of headers adds. And below, so that the bound stays close. */
const ABOVE = 1.003;
const BELOW = 0.97;
/** Bytes depend on the version of Node. */
const IS_PINNED = process.versions.node === manifest.devDependencies.node;
const CLIENT_RATIOS = { ready: 1.4628, network: 1.1828 };
const ROUNDS = 500;
/** More than the server remembers to have seen once. */
const FILLING = 10_500;
const COUNTS_OF_HELD = 3;
/** Half of what a map takes that grows with one of the requests of a round. */
const HELD_PER_ROUND = 100;
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
/** Of the counts, by their names. */
const only = new RegExp(process.argv[2] ?? '');
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
  await folder.run(['import', 'contact-imports', '--account', 'a'], { input: ndjson(records) });
  const key = (await folder.run(['keys', 'create', '--account', 'a'])).stdout.trim();
  const serve = (...options: readonly string[]): Promise<Measured> =>
    start('../../cli/main.ts', 'serve', '--port', '0', ...options);
  const servers = { usual: await serve(), uncached: await serve('--cache', '0') };
  const works = worksOf(key).filter((work) => only.test(work.name));
  const answers: Answer[] = [];
  // The last one is for the client.
  for (const work of [...works, firstPage(key)]) answers.push(await ask(servers[work.server].url, work.ask(0)));
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
      );
      judgeRatio(name, counted.bytes, bytes, ratio);
    }
    print(`${name}, statements`, counted.statements, '', '', statements, verdict(counted.statements === statements));
  }
  const url = `${bare.url}/${String(works.length)}`;
  for (const [transport, ratio] of Object.entries(CLIENT_RATIOS)) {
    const name = `client, ${transport}`;
    if (!only.test(name)) continue;
    const bytes = async (caller: string): Promise<number> => {
      const measured = await start('./client.ts', caller, transport, url);
      return (await count(measured, measured.repeat)).bytes;
    };
    judgeRatio(name, await bytes('client'), await bytes('fetch'), ratio);
  }
  if (!only.test('held')) return;
  const options = ['--admin-port', '0', '--rate-limit', '999999999/s', '--cors-origin', 'https://a.example'];
  await countHeld(await serve(...options), key);
}

async function start(program: string, ...argv: readonly string[]): Promise<Measured> {
  const measured = await startMeasured(program, argv, folder.path(''));
  running.push(measured);
  return measured;
}

function firstPage(key: string): Pick<Work, 'server' | 'ask'> {
  const headers = { authorization: `Bearer ${key}` };
  return { server: 'usual', ask: () => ({ target: LIST, headers, status: 200 }) };
}

function worksOf(key: string): readonly Work[] {
  const headers = { authorization: `Bearer ${key}` };
  const get = (target: string, status = 200, more = {}): Ask => ({ target, headers: { ...headers, ...more }, status });
  return [
    { ...firstPage(key), name: 'page, cached', ratio: 1.1489, statements: 1 },
    {
      ...{ name: 'page, at a new cursor', server: 'usual', ratio: 1.7637, statements: 5 },
      ask: (n) => get(`${LIST}?after=${idAt(n)}`),
    },
    {
      // The contract has so many limits. Each is a new request template.
      ...{ name: 'page, of a new limit', server: 'usual', statements: 5, warmUp: 0, requests: 100 },
      ask: (n) => get(`${LIST}?limit=${String(n + 1)}`),
    },
    { name: 'page, --cache 0', server: 'uncached', ask: () => get(LIST), ratio: 3.5537, statements: 6 },
    { name: 'by id', server: 'usual', ask: (n) => get(`${LIST}/${idAt(n)}`), ratio: 1.4001, statements: 5 },
    { name: '304', server: 'usual', ask: () => get(LIST, 304, { 'if-none-match': '*' }), ratio: 1.2138, statements: 1 },
    { name: '422', server: 'usual', ask: () => get(`${LIST}?limit=0`, 422), ratio: 1.4128, statements: 1 },
    {
      ...{ name: '404', server: 'usual', ratio: 1.4405, statements: 5 },
      ask: (n) => get(`${LIST}/00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, 404),
    },
    {
      ...{ name: '401', server: 'usual', ratio: 1.3493, statements: 5 },
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

/**
 * Counts what a server holds the more of, the more different requests it has had. What it holds once and for all, such as code that it
 * loads after a minute, is in one count; what grows is in every one.
 */
async function countHeld(server: Measured, key: string): Promise<void> {
  const cursor = (n: number): string => `${LIST}?after=${idAt(n)}&limit=${String(1 + Math.floor(n / RECORDS))}`;
  await sender(server.url, (n) => mixed(key, cursor(n), n).cursor)(FILLING);
  let n = FILLING;
  const sendRounds = async (): Promise<Counts> => {
    for (const end = n + ROUNDS; n < end; n += 1) {
      for (const request of Object.values(mixed(key, cursor(n), n))) await ask(server.url, request);
      await sendBroken(server.url, `BROKEN${String(n)}`);
    }
    return server.count('held');
  };
  let last = await sendRounds();
  let [bytes, files] = [Infinity, Infinity];
  for (let times = 0; times < COUNTS_OF_HELD && (bytes > HELD_PER_ROUND || files > HELD_FILES); times += 1) {
    const next = await sendRounds();
    bytes = Math.min(bytes, (next.bytes - last.bytes) / ROUNDS);
    files = Math.min(files, next.openFiles - last.openFiles);
    last = next;
  }
  print('held, bytes a round', bytes.toFixed(1), '', '', HELD_PER_ROUND, verdict(bytes <= HELD_PER_ROUND));
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
  return isBelow ? 'RED: lower' : 'RED';
}

function print(...cells: readonly (string | number)[]): void {
  const [name = '', ...others] = cells.map(String);
  process.stdout.write(`${name.padEnd(36)}${others.map((cell) => cell.padStart(12)).join('')}\n`);
}

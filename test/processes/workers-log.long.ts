/** The log of `rollcall serve --workers N`: one for all, whose lines are whole, and that nobody has to read. */
import { writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Running } from '../support/cli.ts';
import { folder } from '../support/own-folder.ts';
import { childrenOf, isAlive, until } from '../support/processes.ts';

const REQUESTS = 4000;
const AT_ONCE = 50;
/** Listening, stopping, stopped. */
const STATES = 3;

/** Stops a worker, and waits until another has taken its place. */
async function replace(server: Running, pid: number, signal: NodeJS.Signals): Promise<void> {
  const [, adminUrl = ''] = await server.printed(/metrics are on (http\S+)\n/);
  process.kill(pid, signal);
  await until(() => !childrenOf(server.process.pid).includes(pid));
  await until(async () => (await fetch(`${adminUrl}/readyz`)).ok);
}
const ARGV = ['--workers', '2', '--admin-port', '0', '--log', 'json'];

test('a crash loop ends all; with --log json every line is JSON with the number of its worker, also of a crash', async () => {
  // What Node says of a crash, and a line that is cut where its process ends.
  const injected = `process.on('SIGUSR2', () => {
      console.error('Error: injected\\n    at here {}');
      process.getBuiltinModule('node:fs').writeSync(2, '{"time":"","event":"failed","error":{}');
      process.exit(7);
    });`;
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(injected)}` };
  const server = folder.start(['serve', '--create', '--port', '0', ...ARGV], env);
  await server.printed(/metrics are on/);
  const [first = 0, second = 0] = childrenOf(server.process.pid);
  await replace(server, first, 'SIGUSR2');
  const workers = childrenOf(server.process.pid);
  writeFileSync(folder.path('rollcall.db'), 'x'.repeat(100_000));
  process.kill(second, 'SIGKILL');
  const { code, stderr } = await server.ended;
  expect(code).toBe(1);
  expect([workers.length, ...workers.filter(isAlive)]).toEqual([2]);

  const lines = stderr.trimEnd().split('\n');
  const events = lines.map((it) => JSON.parse(it) as Record<string, unknown>);
  const text: unknown = expect.any(String);
  for (const it of events)
    expect(it).toMatchObject({ time: text, level: text, event: text, worker: expect.any(Number) as unknown });
  const of = (worker: number): Record<string, unknown>[] => events.filter((it) => it['worker'] === worker);
  const messagesOf = (worker: number): unknown[] =>
    of(worker).flatMap((it) => (it['event'] === 'message' ? [it['message']] : []));
  const ended = (how: string, pauseMs: number): unknown =>
    expect.stringMatching(`^rollcall: Worker \\d+ ${how}\\. Replacing it in ${String(pauseMs)} ms\\.$`);
  const broken = 'rollcall: ./rollcall.db is not a database. Choose another file.';
  expect(messagesOf(0)).toEqual([
    'The database has no active key. To create one, run: rollcall keys create --account <account> --db ./rollcall.db',
    expect.stringMatching(
      /^rollcall: 5 workers in a row exited before they listened\. Worker \d+ exited with code 1\. See above\.$/,
    ),
  ]);
  expect(messagesOf(1)).toEqual([
    ...['Error: injected', '    at here {}', '{"time":"","event":"failed","error":{}'],
    ended('exited with code 7', 100),
  ]);
  expect(messagesOf(2)).toEqual([
    ended('was killed by SIGKILL', 100),
    ...[200, 400, 800, 1600].flatMap((pauseMs) => [broken, ended('exited with code 1', pauseMs)]),
    broken,
  ]);
  expect([1, 2].map((it) => of(it).some(({ state }) => state === 'listening'))).toEqual([true, true]);
  expect([0, 1, 2].flatMap(of)).toHaveLength(events.length);
});

type Event = Readonly<Record<string, unknown>>;

/** @returns the events in the whole lines of a log. */
const eventsIn = (log: string): readonly Event[] =>
  log
    .split('\n')
    .slice(0, -1)
    .map((it) => JSON.parse(it) as Event);
/** @returns the number of these lines, and of all that were dropped. */
const countOf = (events: readonly Event[]): number =>
  events.reduce((sum, { event, lines }) => sum + (event === 'dropped' ? Number(lines) : 1), 0);
const isOfRequest = ({ event, path }: Event): boolean => event === 'dropped' || path !== undefined;

test('every request gets a response while nobody reads the log, also from workers that replaced others', async () => {
  await folder.call(['keys', 'create', '--account', 'acme']); // Else it is said that there is none.
  const server = await folder.serve(ARGV);
  for (const pid of childrenOf(server.process.pid)) await replace(server, pid, 'SIGTERM');
  let [rest, read] = ['', 0];
  server.process.stderr
    .on('data', (text: string) => {
      const all = rest + text;
      const end = all.lastIndexOf('\n') + 1;
      rest = all.slice(end);
      read += countOf(eventsIn(all.slice(0, end)).filter(isOfRequest));
    })
    .pause();
  const statuses = new Set<number>();
  const ask = async (): Promise<void> => {
    for (let at = 0; at < REQUESTS / AT_ONCE; at += 1) {
      const response = await fetch(`${server.url}/${'x'.repeat(250)}`);
      await response.arrayBuffer();
      statuses.add(response.status);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  expect([...statuses]).toEqual([404]);

  server.process.stderr.resume();
  // All is read before the stop: a process that ends waits a second for a reader, and no longer.
  await until(() => read >= REQUESTS);
  server.process.kill('SIGTERM');
  const { code, stderr } = await server.ended;
  expect(code).toBe(0);
  expect(eventsIn(stderr).filter((it) => ![0, 1, 2].includes(Number(it['worker'])))).toEqual([]);
  expect(countOf(eventsIn(stderr))).toBe(REQUESTS + STATES * 4); // Of two workers, and those before them.
});

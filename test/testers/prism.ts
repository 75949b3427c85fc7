/** Prism as a validating proxy: every response of the server's own suite passes through it. */
import { spawn } from 'node:child_process';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Exchange } from '../support/recorder.ts';
import { send, startUpstream } from './replay.ts';
import type { Passed } from './replay.ts';
import { must } from './tester.ts';
import type { Tester } from './tester.ts';

const VERSION = '5.16.0';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const recordOf = (folder: string): string => join(folder, 'record');

export const prism: Tester = {
  prepare: async (folder) => {
    await mkdir(recordOf(folder));
    await must(['npm', 'test', '--', 'test/http'], { cwd: ROOT, env: { ROLLCALL_RECORD: recordOf(folder) } });
    // Not a dependency: 200 packages, one of which reports installations from a script.
    const what = `@stoplight/prism-cli@${VERSION}`;
    await must(['npm', 'install', '--prefix', folder, '--ignore-scripts', '--no-audit', what], { cwd: folder });
  },
  test: async ({ folder, contract }) => {
    const exchanges = await readExchanges(recordOf(folder));
    await using upstream = await startUpstream(exchanges);
    await using proxy = await startProxy(folder, contract, upstream.url);
    const tally = new Map<string, number>();
    const faults: string[] = [];
    for (const [at, exchange] of exchanges.entries()) {
      const { kind, wrong } = judge(exchange, await send(proxy.url, exchange, at));
      tally.set(kind, (tally.get(kind) ?? 0) + 1);
      if (wrong !== undefined)
        faults.push(`${exchange.method} ${exchange.target} ${String(exchange.status)}: ${wrong}`);
    }
    const counts = [...tally]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([kind, count]) => `${String(count).padStart(6)} ${kind}`);
    return {
      ok: faults.length === 0 && tally.has(`${HELD}: 200`),
      output: [...faults, 'Responses', ...counts].join('\n'),
    };
  },
  finds: {
    'has_more is a string': /has_more must be string/,
    'no 422 is declared': /422: .*Unable to match the returned status code/,
    'request ids are shorter': /x-request-id/i,
  },
};

const HELD = 'held against the contract';
const UNDECLARED = 'to a path or method that the contract does not declare';
const HEAD = 'to HEAD, which Prism takes for broken JSON';

interface Violation {
  readonly location: readonly string[];
  readonly message: string;
}

/** What Prism reports of a response. Its reports of requests do not count: the suite sends wrong ones on purpose. */
function judge(exchange: Exchange, passed: Passed): { readonly kind: string; readonly wrong?: string } {
  if (exchange.method === 'HEAD') return { kind: HEAD };
  if (passed.status !== exchange.status) return { kind: 'not passed on', wrong: passed.body };
  const reported = passed.headers['sl-violations'];
  const violations = JSON.parse(typeof reported === 'string' ? reported : '[]') as readonly Violation[];
  if (violations.some(({ message }) => message === 'Selected route not found')) return { kind: UNDECLARED };
  const wrong = violations.filter(({ location }) => location[0] === 'response');
  return wrong.length === 0
    ? { kind: `${HELD}: ${String(exchange.status)}` }
    : { kind: 'in violation of it', wrong: JSON.stringify(wrong) };
}

async function readExchanges(folder: string): Promise<readonly Exchange[]> {
  const files = await readdir(folder);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return texts.flatMap((text) => text.trimEnd().split('\n')).map((line) => JSON.parse(line) as Exchange);
}

interface Proxy extends AsyncDisposable {
  readonly url: string;
}

async function startProxy(folder: string, contract: string, upstream: string): Promise<Proxy> {
  const args = ['proxy', contract, upstream, '--port', '0', '--cors', 'false', '--validate-request', 'false'];
  const child = spawn(join(folder, 'node_modules/.bin/prism'), args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      resolve();
    });
  });
  const url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const listening = /listening on (http:\S+)/.exec(printed);
      if (listening?.[1] !== undefined) resolve(listening[1]);
    });
    void ended.then(() => {
      reject(new Error(`Prism does not start:\n${printed}`));
    });
  });
  return {
    url,
    [Symbol.asyncDispose]: () => {
      child.kill();
      return ended;
    },
  };
}

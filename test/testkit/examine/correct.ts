/** The commands of correct clients in several languages. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BUILD_MS = 120_000;

interface Correct extends Disposable {
  readonly commands: readonly (readonly [name: string, command: readonly string[]])[];
}

/** @returns the commands of clients for Node, or of all; programs in Go are built in a folder that is removed at the end. */
export function correctCommands(languages: 'node' | 'all'): Correct {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-examine-'));
  const file = (name: string): string => join(import.meta.dirname, 'drivers', name);
  const goProgram = (name: string): string => {
    const program = join(folder, name.replace('.go', ''));
    const env = { ...process.env, GOFLAGS: '', GOTOOLCHAIN: 'local', GO111MODULE: 'off' };
    const { status, stderr, error } = spawnSync('go', ['build', '-o', program, file(name)], {
      ...{ env, timeout: BUILD_MS, encoding: 'utf8' },
    });
    if (status !== 0)
      throw new Error(`${name} cannot be built: ${error?.message ?? stderr}. The suite needs go: install golang-go.`);
    return program;
  };
  const node = process.execPath;
  const others = (): Correct['commands'] => [
    ['Python, urllib, with retries', ['python3', file('driver.py')]],
    ['Python, http.client, streaming', ['python3', file('streaming.py')]],
    ['Go, net/http', [goProgram('driver.go')]],
    ['Go, net/http, prefetching, with retries', [goProgram('prefetch.go')]],
  ];
  return {
    commands: [
      ['TypeScript, node:http', [node, join(import.meta.dirname, 'driver.ts')]],
      ['TypeScript, fetch', [node, file('fetch.ts')]],
      ['TypeScript, @rollcall/client', [node, file('client.ts')]],
      ...(languages === 'all' ? others() : []),
    ],
    [Symbol.dispose]: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

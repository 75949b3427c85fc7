/** Runs a client of client.ts within this process, hundreds of times faster than as a process of its own. */
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_OUTPUT_BYTES } from '../../../audit/child.ts';
import type { ChildOptions, Ending, Ran } from '../../../audit/child.ts';
import { Driver } from './client.ts';
import type { Inject } from './faults/fault.ts';

/** @returns a function that runs a client with a fault, or a correct one, as `runChild` runs a command. */
export const inProcess =
  (inject: Inject) =>
  async (words: readonly string[], { env, timeLimitMs, signal }: ChildOptions): Promise<Ran> => {
    signal.throwIfAborted();
    const started = performance.now();
    const [out, err]: [string[], string[]] = [[], []];
    const stop = new AbortController();
    const limited = new Promise<Ending>((resolve) => {
      let bytes = 0;
      const write =
        (texts: string[]) =>
        (text: string): void => {
          if (stop.signal.aborted) return;
          texts.push(text);
          bytes += text.length;
          if (bytes > MAX_OUTPUT_BYTES) resolve({ kind: 'flooded' });
        };
      const driver = new Driver({ env, write: write(out), writeError: write(err), signal: stop.signal });
      inject(driver);
      driver.run(words).then(
        (code) => {
          resolve({ kind: 'exited', code });
        },
        (error: unknown) => {
          write(err)(String(error));
          resolve({ kind: 'exited', code: 1 });
        },
      );
      sleep(timeLimitMs, undefined, { signal: stop.signal }).then(
        () => {
          resolve({ kind: 'hung' });
        },
        () => undefined,
      );
    });
    const ending = await limited;
    stop.abort();
    return { ending, stdout: out.join(''), stderr: err.join(''), ms: Math.round(performance.now() - started) };
  };

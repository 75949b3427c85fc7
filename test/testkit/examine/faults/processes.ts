/** Faults of the program around the client: output, exit codes, ends. */
import { faultsOf, prints } from './fault.ts';
import type { Inject } from './fault.ts';
import type { Driver } from '../client.ts';

const HOUR_MS = 3_600_000;
const FLOOD = 'x'.repeat(65_536);

/** Does something before a task, or instead of it. */
const before =
  (act: (driver: Driver, args: readonly string[]) => unknown): Inject =>
  (driver) => {
    const { run } = driver;
    driver.run = async (args) => {
      await act(driver, args);
      return run(args);
    };
  };
/** Does something after a task, with its exit code. */
const after =
  (act: (code: number, driver: Driver) => unknown): Inject =>
  (driver) => {
    const { run } = driver;
    driver.run = async (args) => {
      const code = await run(args);
      const other = await act(code, driver);
      return typeof other === 'number' ? other : code;
    };
  };
const hang = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, HOUR_MS));
/** Writes for ever, as fast as it is read. */
async function flood(stream: NodeJS.WriteStream, text = FLOOD): Promise<never> {
  for (;;) {
    if (!stream.write(`${text}\n`)) await new Promise((resolve) => stream.once('drain', resolve));
  }
}

export const PROCESS_FAULTS = faultsOf({
  'driver.runs': {
    'the program hangs at once': before(hang),
    'the program hangs after its task': after(hang),
    'the program waits for its input': before(
      () =>
        new Promise((resolve) =>
          process.stdin
            .resume()
            .once('data', resolve)
            .once('close', () => setTimeout(resolve, HOUR_MS)),
        ),
    ),
    'the program runs in a loop': before(() => {
      for (;;);
    }),
    'the program ignores SIGTERM and hangs': before(() => {
      process.on('SIGTERM', () => undefined);
      return hang();
    }),
    'the program floods its output': before(() => flood(process.stdout)),
    'the program floods its errors': before(() => flood(process.stderr)),
    'the program prints an endless line': before(async () => {
      for (;;) if (!process.stdout.write(FLOOD)) await new Promise((resolve) => process.stdout.once('drain', resolve));
    }),
    'the program prints a heading': before(({ say }) => {
      say('id');
    }),
    'the program prints what it does': before(({ say }, args) => {
      say(`DEBUG: running ${args.join(' ')}`);
    }),
    'the program prints how many items there are': (driver) => {
      const { print } = driver;
      driver.print = (ids) => {
        print(ids);
        driver.say(`${String(ids.length)} items`);
      };
    },
    'ids are printed as JSON': prints((ids) => ids.map((it) => JSON.stringify(it))),
    'ids are printed on one line': prints((ids) => (ids.length === 0 ? [] : [ids.join(',')])),
    'ids are printed with their number': prints((ids) => ids.map((id, at) => `${String(at + 1)} ${id}`)),
    'the output ends within a line': (driver) => {
      const { print } = driver;
      driver.print = (ids) => {
        print(ids.slice(0, -1));
        const last = ids.at(-1);
        if (last !== undefined) driver.say(last.slice(0, 20));
      };
    },
    'the program crashes at once': before(() => {
      throw new Error('Cannot find module');
    }),
    'the program ends by a signal': before(() => {
      process.kill(process.pid, 'SIGKILL');
      return hang();
    }),
    'the program ends by a signal after its task': after(() => {
      process.kill(process.pid, 'SIGSEGV');
      return hang();
    }),
    'success exits with 1': after((code) => (code === 0 ? 1 : code)),
    'success exits with 10': after((code) => (code === 0 ? 10 : code)),
    'every task prints nothing': (driver) => {
      driver.run = () => Promise.resolve(0);
    },
  },
  'driver.exit_code': {
    'errors exit with 255': after((code) => (code === 10 ? 255 : code)),
  },
});

/** The ports of which `demo` and `serve` warn are those that the platform's own `fetch` refuses. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { warnIfRefused } from '../../cli/refused-ports.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

// In place of a connection: only a request to a port that is not refused gets there.
const dispatcher = {
  dispatch: () => {
    throw new Error('reached');
  },
};

/** @returns whether `fetch` refuses the port. */
const isRefused = async (port: number): Promise<boolean> => {
  const init = { dispatcher } as unknown as RequestInit; // Node's own option.
  const { cause } = (await fetch(`http://x.test:${String(port)}`, init).catch((it: unknown) => it)) as Error;
  expect(['bad port', 'reached']).toContain((cause as Error).message);
  return (cause as Error).message === 'bad port';
};

test('they are the same', async () => {
  const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const suspects = [...Array.from({ length: 1100 }, (_, at) => at + 1), 1719, 1720, 1723, 2049, 3000, 3659, 4045, 4190];
  for (const port of [...suspects, 5060, 5061, 6000, 6566, 6665, 6669, 6679, 6697, 8080, 10_080, 65_535]) {
    written.mockClear();
    warnIfRefused(port);
    const warning = `WARNING: browsers and \`fetch\` refuse port ${String(port)}. Choose another with --port.\n`;
    expect(written.mock.calls.map(([text]) => text)).toEqual((await isRefused(port)) ? [warning] : []);
  }
});

/** How a server of the kit is set up. */
import { ANY_ORIGIN, isOrigin } from '../http/cross-origin.ts';
import { demandKnown } from './demand.ts';

export interface TestServerOptions {
  /** Whose scripts may read the answers, such as `http://localhost:5173`: everybody's unless given, nobody's with `[]`. */
  readonly corsOrigins?: readonly string[];
  /** Whether the console is at `/`, to look at the records of a test that stands still: yes, unless `false`. */
  readonly console?: boolean;
}

const OPTIONS: readonly string[] = ['corsOrigins', 'console'] satisfies (keyof TestServerOptions)[];

/** @returns all options. @throws TypeError if one is unknown or wrong. */
export function withDefaults(options: TestServerOptions): Required<TestServerOptions> {
  demandKnown('option of a server', Object.keys(options), OPTIONS);
  const { corsOrigins = [ANY_ORIGIN], console = true } = options;
  if (typeof console !== 'boolean') throw new TypeError('`console` must be true or false.');
  if (!Array.isArray(corsOrigins) || !corsOrigins.every((it) => isOrigin(String(it)))) {
    throw new TypeError(
      '`corsOrigins` must be a list of scheme, host and port alone, such as https://app.example, or *.',
    );
  }
  return { corsOrigins, console };
}

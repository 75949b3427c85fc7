/** How a server of the kit is set up. */
import { ANY_ORIGIN, isOrigin } from '../http/cross-origin.ts';
import { demandKnown } from './demand.ts';

export interface TestServerOptions {
  /** Whose scripts may read the answers, such as `http://localhost:5173`: everybody's unless given, nobody's with `[]`. */
  readonly corsOrigins?: readonly string[];
}

const OPTIONS: readonly string[] = ['corsOrigins'] satisfies (keyof TestServerOptions)[];

/** @returns all options. @throws TypeError if one is unknown or wrong. */
export function withDefaults(options: TestServerOptions): Required<TestServerOptions> {
  demandKnown('option of a server', Object.keys(options), OPTIONS);
  const { corsOrigins = [ANY_ORIGIN] } = options;
  if (!Array.isArray(corsOrigins) || !corsOrigins.every((it) => isOrigin(String(it)))) {
    throw new TypeError(
      '`corsOrigins` must be a list of scheme, host and port alone, such as https://app.example, or *.',
    );
  }
  return { corsOrigins };
}

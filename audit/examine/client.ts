/** Runs the command of a client once, against a fake of its own, and reads the ids that it prints. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChild } from '../child.ts';
import type { Ending as ChildEnding } from '../child.ts';
import { startFake } from '../fake/start.ts';
import type { Fake, SeenRequest } from '../fake/types.ts';
import { pathOf, sourceAt } from '../lists/json.ts';
import { plainId } from '../lists/list.ts';
import { namesIn } from '../lists/saved-profile.ts';

export interface Client {
  readonly command: readonly string[];
  /** The environment of the user: the variables that the profile names get the key of the fake. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long a run may take, in milliseconds. */
  readonly timeLimitMs: number;
  readonly signal: AbortSignal;
  /** Parameters that the client is asked to send, such as `status=open`. */
  readonly params: readonly string[];
  /** The key that the fake wants, if the client needs one of a certain form. */
  readonly key?: string | undefined;
}

/** The list that a client reads. */
export interface Listed {
  /** In YAML. */
  readonly profile: string;
  readonly list?: string | undefined;
  readonly url?: string | undefined;
  readonly basePath?: string | undefined;
  readonly serve?: Readonly<Record<string, string>> | undefined;
  /** The size of pages that the client asks for, once it is known. */
  readonly pageSize?: number | undefined;
  /** The filters of the profile that the client sends, once they are known. */
  readonly filtered?: readonly string[] | undefined;
  /** The command reads one item of it, and is told its id. */
  readonly reads?: 'item' | undefined;
}

/** How a run has ended: `endless` is a client that was stopped after many more requests than the list has pages. */
export type Ending = ChildEnding | { readonly kind: 'endless' };

/** What a client has done with a list. */
export interface Run {
  readonly ending: Ending;
  /** The ids of its lines, in their order. */
  readonly printed: readonly string[];
  /** The last line of its standard error. */
  readonly said: string;
  readonly requests: readonly SeenRequest[];
  /** The ids that it is to print, and those of what comes to the list meanwhile. */
  readonly ids: readonly string[];
  readonly added: readonly string[];
  readonly ms: number;
}

/** The most that a client may print: 30,000 items as JSON. */
const MAX_BYTES = 64_000_000;
/** How many requests a client may send for each page that the list has, and in any case. */
const [PER_PAGE, FREE_REQUESTS] = [3, 60];

/** The client goes on though nothing new can come. */
class Endless extends Error {}

/**
 * Runs the command for a scenario, or a pack of them.
 * @param name the scenario; the plain list if undefined.
 * @throws ProfileError if the profile cannot be served; the reason of the signal if that is aborted.
 */
export async function runClient(
  client: Client,
  listed: Listed,
  name: string | undefined,
  idPath: string,
): Promise<Run> {
  const { command, env, timeLimitMs, params } = client;
  const endless = new AbortController();
  let count = 0;
  let most = Infinity;
  await using fake = await startFake(listed.profile, {
    ...listed,
    scenario: name,
    ...(client.key !== undefined && { key: client.key }),
    seen: () => {
      count += 1;
      if (count > most) endless.abort(new Endless());
    },
  });
  const item = listed.reads === undefined ? undefined : fake.ids.at(-1);
  const ids = item === undefined ? fake.ids : [item];
  most = FREE_REQUESTS + PER_PAGE * Math.ceil(ids.length / Math.max(1, listed.pageSize ?? 1));
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-client-'));
  const names = namesIn(listed.profile);
  const started = performance.now();
  try {
    const { ending, stdout, stderr, ms } = await runChild(command, {
      env: {
        ...env,
        ...Object.fromEntries(names.map((variable) => [variable, fake.key])),
        ...{ ROLLCALL_URL: fake.url, ROLLCALL_BASE_URL: fake.baseUrl, ROLLCALL_API_KEY: fake.key },
        ...{ ROLLCALL_PARAMS: params.join('&'), ROLLCALL_ITEM: item, TMPDIR: folder },
      },
      timeLimitMs,
      maxBytes: MAX_BYTES,
      signal: AbortSignal.any([client.signal, endless.signal]),
    });
    return { ending, printed: printedIn(stdout, idPath), said: lastLine(stderr), ...seen(fake), ids, ms };
  } catch (error) {
    if (!(error instanceof Endless)) throw error;
    const ms = Math.round(performance.now() - started);
    return { ending: { kind: 'endless' }, printed: [], said: '', ...seen(fake), ids, ms };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const seen = (fake: Fake): Pick<Run, 'requests' | 'added'> => ({ requests: fake.requests(), added: fake.added });

/** @returns the ids of lines: each is an id, or the item as JSON. Numbers keep their digits, and `1` and `"1"` are one. */
export function printedIn(stdout: string, idPath: string): readonly string[] {
  return stdout.split('\n').flatMap((text) => {
    const line = text.trim();
    return line === '' ? [] : [idIn(line, idPath)];
  });
}

function idIn(line: string, idPath: string): string {
  if (!/^[{["]/.test(line)) return line;
  try {
    JSON.parse(line);
  } catch {
    return line;
  }
  const source = line.startsWith('"') ? line : sourceAt(line, pathOf(idPath));
  return source === undefined ? line : plainId(source);
}

const lastLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .at(-1) ?? '';

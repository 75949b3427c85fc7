/** Starts a fake: a server of a paginated list made from a profile. */
import { isHttp } from '../lists/profile.ts';
import { isPlainHeader } from '../lists/target.ts';
import { ProfileError } from '../lists/profile-values.ts';
import type { Profile } from '../lists/profile.ts';
import { MOVED, Responder } from './respond.ts';
import type { Reply, Request } from './respond.ts';
import { sampleOf } from './sample.ts';
import type { Sample } from './sample.ts';
import { expectedOf, together, whyNot } from './scenario.ts';
import type { Effect, Facts, Scenario } from './scenario.ts';
import { SCENARIOS } from './scenarios.ts';
import { pathIn, servedOf } from './served.ts';
import { listen } from './server.ts';
import type { Incoming, Sent } from './server.ts';
import { usualSize } from './sizes.ts';
import type { Fake, FakeOptions, SeenRequest } from './types.ts';

const KEY = 'rollcall-fake-key';
const MAX_REQUESTS = 10_000;
const RETRY_MS = 1000;
const HTML =
  '<!doctype html><html><head><title>Error</title></head><body><h1>Something went wrong</h1></body></html>\n';

/** A list that can be served, and the scenarios that it has. */
export interface Served {
  readonly profile: Profile;
  readonly sample: Sample;
  readonly facts: Facts;
}

/** @returns what is served of a profile, in YAML or as an object. @throws ProfileError */
export function servedBy(profile: string | object, options: FakeOptions = {}): Served {
  const { key = KEY, list, url, basePath = '' } = options;
  if (basePath !== '' && !/^(\/[\w.~-]+)+$/.test(basePath))
    throw new ProfileError('the base path must be like /api/v3');
  if (url !== undefined && !isHttp(url))
    throw new ProfileError('url must be a URL such as http://localhost:8000/orders');
  const yaml = typeof profile === 'string' ? profile : JSON.stringify(profile);
  const found = below(basePath, servedOf(yaml, { key, otherKey: `${key}-2` }, list, url));
  const sample = sampleOf(found);
  const hasKey = found.auth !== undefined || Object.keys(found.headers ?? {}).some((name) => !isPlainHeader(name));
  return { profile: found, sample, facts: { ids: sample.idKind, hasTotal: sample.hasTotal, hasKey } };
}

/** @returns a profile whose paths begin with a base path. */
function below(basePath: string, { url, get, other, ...profile }: Profile): Profile {
  const moved = (path: string): string =>
    isHttp(path) ? path.replace(/^(https?:\/\/[^/?#]*)/i, `$1${basePath}`) : basePath + path;
  return {
    ...profile,
    url: moved(url),
    ...(get !== undefined && { get: moved(get) }),
    ...(other !== undefined && { other: { ...other, ...(other.url !== undefined && { url: moved(other.url) }) } }),
  };
}

/** @returns what a scenario does. @throws ProfileError that says why the list cannot have it. */
function effectOf(name: string | undefined, { profile, facts }: Served): Effect {
  if (name === undefined) return {};
  const named = SCENARIOS.filter((it) => it.name === name);
  const all = named.length > 0 ? named : SCENARIOS.filter(({ pack }) => pack === name);
  const [first] = all;
  if (first === undefined) throw new ProfileError(`unknown scenario ${JSON.stringify(name)}`);
  const fitting = all.filter((it) => whyNot(it, profile, facts) === undefined);
  if (fitting.length === 0)
    throw new ProfileError(
      `the scenario ${name} does not apply to this list: ${String(whyNot(first, profile, facts))}`,
    );
  return together(fitting.map(({ does }) => does));
}

/**
 * Starts a fake on a free port of loopback. It reads no variable of the environment.
 * @param profile a profile in YAML, as `audit --save-profile` writes it, or the same as an object.
 * @throws ProfileError if it cannot be served; an error of Node if the address cannot be listened on.
 */
export async function startFake(profile: string | object, options: FakeOptions = {}): Promise<Fake> {
  const { host = '127.0.0.1', port = 0, tls, key = KEY, basePath = '', serve = {}, seen = () => undefined } = options;
  const others = new Map(Object.entries(serve).map(([path, text]) => [basePath + path, text]));
  const served = servedBy(profile, options);
  const pageSize = options.pageSize ?? usualSize(served.profile);
  const started = performance.now();
  const now = (): number => performance.now() - started;
  const runOf = (name: string | undefined): Run =>
    new Run(served, { ...effectOf(name, served), filtered: options.filtered ?? [] }, options.items, pageSize);
  let run = runOf(options.scenario);
  const schema = tls === undefined ? 'http' : 'https';

  const respond = (incoming: Incoming): Sent => {
    const current = run;
    const [own = 0, otherPort = 0] = incoming.ports;
    const atMs = now();
    current.host ??= incoming.host;
    const isElsewhere = incoming.port !== own || incoming.host !== current.host;
    // Links of a page that a redirect leads to are those of the list, so that a client that follows links elsewhere is not told twice.
    const { fault } = current.effect;
    const linkHost = fault !== undefined && 'redirect' in fault.reply ? current.host : incoming.host;
    const hostOf = (name: string, on: number): string =>
      `${schema}://${name.includes(':') ? `[${name}]` : name}:${String(on)}`;
    const name = isHost(incoming.host) ? incoming.host.replace(/:\d+$/, '') : host;
    const request: Request = {
      ...incoming,
      origin: isHost(linkHost) ? `${schema}://${linkHost}` : hostOf(host, own),
      elsewhere: isElsewhere
        ? undefined
        : {
            host: hostOf(name === 'localhost' ? '127.0.0.1' : 'localhost', own),
            port: `${schema}://${name}:${String(otherPort)}`,
          },
    };
    const other = others.get(incoming.target.replace(/\?.*$/s, ''));
    const reply =
      other === undefined
        ? faulty(current.responder.respond(request), current.responder, request)
        : writtenReply(other);
    return {
      ...reply,
      forms: (current.effect.body ?? []).filter((form) => form === 'gzip' || form === 'chunks'),
      written: () => {
        const doneMs = now();
        const { page, fault } = reply;
        const request: SeenRequest = {
          ...{ number: current.count + 1, method: incoming.method, target: incoming.target, host: incoming.host },
          ...{
            port: incoming.port,
            headers: incoming.headers,
            status: reply.drop === 'connection' ? 0 : reply.status,
            atMs,
            doneMs,
            isElsewhere,
          },
          ...(page !== undefined && fault === undefined && { items: page.items, hasNext: page.hasNext }),
          ...(fault !== undefined && { fault: Object.keys(fault)[0] ?? '' }),
          ...(reply.retry !== undefined && { retryMs: doneMs + reply.retry }),
        };
        current.add(request);
        seen(request);
      },
    };
  };
  const listening = await listen(respond, { host, port, tls });
  const shown = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  const origin = `${schema}://${shown}:${String(listening.port)}`;
  const { close } = listening;
  return {
    baseUrl: origin + basePath,
    url: origin + pathIn(served.profile.url) + new URL(served.profile.url).search,
    key,
    get ids() {
      return run.responder.ids;
    },
    get added() {
      return run.responder.added;
    },
    requests: () => [...run.requests],
    scenario: (name) => {
      run = runOf(name);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** @returns a response with a body that its user has written. */
const writtenReply = (text: string): Faulty => ({
  ...{ status: 200, text },
  headers: [['Content-Type', /^\s*[[{]/.test(text) ? 'application/json' : 'text/plain; charset=utf-8']],
});

const isHost = (host: string): boolean => /^[\w.-]+(:\d{1,5})?$|^\[[\da-f:]+\](:\d{1,5})?$/i.test(host);

/** What belongs to one scenario. */
class Run {
  readonly effect: Effect;
  readonly responder: Responder;
  readonly requests: SeenRequest[] = [];
  count = 0;
  /** The host that its first request named: any other one is another origin. */
  host: string | undefined;

  constructor({ profile, sample }: Served, effect: Effect, count: number | undefined, pageSize: number) {
    this.effect = effect;
    this.responder = new Responder(profile, sample, { effect, count, pageSize });
  }

  add(request: SeenRequest): void {
    this.count += 1;
    this.requests.push(request);
    if (this.requests.length > MAX_REQUESTS) this.requests.shift();
  }
}

interface Faulty extends Reply {
  readonly drop?: 'length' | 'chunks' | 'connection';
  readonly lateMs?: number;
  /** How long it is until the request may be repeated, from when the response is written. */
  readonly retry?: number;
}

/** @returns the reply with the fault that it has. */
function faulty(reply: Reply, responder: Responder, { target, elsewhere }: Request): Faulty {
  const { fault } = reply;
  if (fault === undefined) return reply;
  if ('closed' in fault) return { ...reply, drop: 'connection' };
  if ('cut' in fault) return { ...reply, drop: fault.cut };
  if ('lateMs' in fault) return { ...reply, lateMs: fault.lateMs };
  if ('redirect' in fault) {
    const to = fault.redirect === 'path' ? MOVED + target : `${String(elsewhere?.[fault.redirect])}${target}`;
    if (fault.redirect !== 'path' && elsewhere === undefined) return withoutFault(reply);
    return { ...reply, status: 302, headers: [['Location', to]], text: '' };
  }
  const { status, body, headers = {} } = fault;
  const after = headers['Retry-After'];
  const date = new Date(Math.ceil(Date.now() / RETRY_MS) * RETRY_MS + 3 * RETRY_MS);
  const retry =
    after === undefined ? undefined : after === 'date' ? date.getTime() - Date.now() : Number(after) * RETRY_MS;
  const all = [...Object.entries(headers), ...(status === 401 ? [responder.challenge] : [])].map(
    ([name, value]) => [name, value === 'date' ? date.toUTCString() : value] as const,
  );
  const type = body === 'html' ? 'text/html; charset=utf-8' : 'application/json';
  const error = (): string => responder.errorText(status < 300 ? 500 : status, 'the request failed');
  const text = body === 'html' ? HTML : body === 'none' ? '' : error();
  return { ...reply, status, text, headers: [['Content-Type', type], ...all], ...(retry !== undefined && { retry }) };
}

function withoutFault(reply: Reply): Reply {
  const { fault: _, ...others } = reply;
  return others;
}

/** @returns the scenarios, with why a list does not have one. */
export const scenariosOf = ({
  profile,
  facts,
}: Served): readonly { readonly scenario: Scenario; readonly why: string | undefined; readonly expect: string }[] =>
  SCENARIOS.map((scenario) => ({
    scenario,
    why: whyNot(scenario, profile, facts),
    expect: expectedOf(scenario, profile),
  }));

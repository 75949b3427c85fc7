/** The types of `@rollcall/audit/testing`. They import no others, so that the package needs none of those. */

export interface Tls {
  readonly cert: string;
  readonly key: string;
}

export interface FakeOptions {
  /** A scenario, or the name of a pack. */
  readonly scenario?: string | undefined;
  /** The number of items; by default that of the scenario, otherwise two pages and a half. */
  readonly items?: number | undefined;
  /** The size of pages with which the client reads; by default the maximum. */
  readonly pageSize?: number | undefined;
  /** The filters of the profile that the client sends: each item has their values, so that the list is as long as a scenario says. */
  readonly filtered?: readonly string[] | undefined;
  /** The key that stands for each `${NAME}` of the profile. */
  readonly key?: string | undefined;
  /** The name of the list, if the profile names several. */
  readonly list?: string | undefined;
  /** The URL of the list in the API, if that of the profile has parts such as ORG. Its path is served. */
  readonly url?: string | undefined;
  /** A path such as /api/v3 that comes before all others: `baseUrl` ends with it. */
  readonly basePath?: string | undefined;
  /** Bodies of other paths, behind `baseUrl`, that a client requests too. They need no key. */
  readonly serve?: Readonly<Record<string, string>> | undefined;
  /** 127.0.0.1 by default. */
  readonly host?: string | undefined;
  /** A free one by default. */
  readonly port?: number | undefined;
  /** With a certificate, the fake speaks HTTPS. */
  readonly tls?: Tls | undefined;
  /** Called with each request, once it was responded to. */
  readonly seen?: ((request: SeenRequest) => void) | undefined;
}

/** A request, and what it got. */
export interface SeenRequest {
  readonly number: number;
  readonly method: string;
  readonly target: string;
  readonly host: string;
  readonly port: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly status: number;
  /** How many items the page has, and whether it leads on. */
  readonly items?: number;
  readonly hasNext?: boolean;
  /** What happened instead of a page. */
  readonly fault?: string;
  /** When it came and was responded to, in milliseconds since the fake was started, and when it may be repeated. */
  readonly atMs: number;
  readonly doneMs: number;
  readonly retryMs?: number;
  /** Whether it was sent to another origin than the list's. */
  readonly isElsewhere: boolean;
}

export interface Fake extends AsyncDisposable {
  /** The URL of the list. */
  readonly url: string;
  /** The URL before its path; it ends with the base path, if there is one. */
  readonly baseUrl: string;
  readonly key: string;
  /** The ids of its items at the start of the scenario, in their order. */
  readonly ids: readonly string[];
  /** The ids of items that the scenario adds meanwhile: a client may read them. */
  readonly added: readonly string[];
  /** The latest requests, up to 10,000. */
  readonly requests: () => readonly SeenRequest[];
  /** Starts a scenario, a pack of them, or none: the list is as new, and has no requests. */
  readonly scenario: (name?: string) => void;
  readonly close: () => Promise<void>;
}

/**
 * Starts a fake on a free port of loopback. It reads no variable of the environment.
 * @param profile a profile in YAML, as `audit --save-profile` writes it, or the same as an object.
 * @throws ProfileError if it cannot be served; an error of Node if the address cannot be listened on.
 */
export declare function startFake(profile: string | object, options?: FakeOptions): Promise<Fake>;

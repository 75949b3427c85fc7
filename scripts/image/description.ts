/** What the image is, apart from its files: who runs what, how, and on which architecture. `docs/Containerfile` says the same. */

/** The architectures by the name that Debian, Go and OCI share. */
export const ARCHITECTURES = {
  amd64: { node: 'x64', platform: { architecture: 'amd64', os: 'linux' } },
  arm64: { node: 'arm64', platform: { architecture: 'arm64', os: 'linux', variant: 'v8' } },
} as const;

export type Architecture = keyof typeof ARCHITECTURES;

export const isArchitecture = (text: string): text is Architecture => Object.hasOwn(ARCHITECTURES, text);

/** The user that runs the server. It owns nothing but the volume. */
export const USER = { name: 'rollcall', id: 65_532 } as const;

/** Where the database is. The group 0 may write too: a container with a random user id is in it. */
export const VOLUME = '/data';

/** The configuration, as the OCI format names its parts. */
export const CONFIG = {
  User: String(USER.id),
  ExposedPorts: { '3000/tcp': {} },
  Env: [
    'PATH=/usr/local/bin:/usr/bin',
    'NODE_ENV=production',
    'ROLLCALL_HOST=0.0.0.0',
    `ROLLCALL_DB=${VOLUME}/rollcall.db`,
    'ROLLCALL_ADMIN_PORT=9090',
  ],
  Entrypoint: ['rollcall'],
  Cmd: ['serve', '--create'],
  Volumes: { [VOLUME]: {} },
  WorkingDir: VOLUME,
} as const;

/** The package, as its `package.json` describes it. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly repository?: string | { readonly url: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/**
 * @param parts the version of everything that the image has besides the package: Node and Debian's packages, by name.
 * @param revision the commit.
 */
export function labelsOf(
  { name, version, description, license, repository }: Manifest,
  parts: Readonly<Record<string, string>>,
  revision: string | undefined,
): Record<string, string> {
  const url = typeof repository === 'string' ? repository : repository?.url;
  return {
    'org.opencontainers.image.title': name,
    'org.opencontainers.image.description': description,
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.licenses': license,
    ...(url === undefined ? {} : { 'org.opencontainers.image.source': url.replace(/^git\+|\.git$/g, '') }),
    ...(revision === undefined ? {} : { 'org.opencontainers.image.revision': revision }),
    ...Object.fromEntries(Object.entries(parts).map(([part, its]) => [`rollcall.contains.${part}`, its])),
  };
}

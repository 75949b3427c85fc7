/** Differences between platforms: what they lack, environment variables, and the page of a browser. */
interface Global {
  readonly location?: { readonly href: string; readonly origin: string };
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  readonly Deno?: {
    readonly permissions: { querySync(what: { name: 'env'; variable: string }): { readonly state: string } };
  };
}

/** @throws TypeError if the platform lacks one of these. */
export function checkPlatform(...names: readonly string[]): void {
  const missing = names.find((name) => !(name in globalThis));
  if (missing === undefined) return;
  throw new TypeError(
    `This platform has no \`${missing}\`. In Jest, use the environment \`node\` or jest-fixed-jsdom.`,
  );
}

/** The URL of the page or worker of a browser; `undefined` on other platforms. */
export const pageUrl = (): string | undefined => (globalThis as Global).location?.href;

/** @returns whether a URL has another origin than the page of this browser. */
export function isCrossOrigin(url: string): boolean {
  const { location } = globalThis as Global;
  return location !== undefined && new URL(url).origin !== location.origin;
}

/** @returns the value of an environment variable; `undefined` if the platform has none, or denies access. */
export function fromEnvironment(variable: string): string | undefined {
  const { Deno, process } = globalThis as Global;
  // Without the permission, Deno would prompt at the terminal, or throw.
  if (Deno !== undefined && Deno.permissions.querySync({ name: 'env', variable }).state !== 'granted') return undefined;
  return process?.env?.[variable];
}

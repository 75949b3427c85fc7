/** Differences between platforms: environment variables, and the page of a browser. */
interface Global {
  readonly location?: { readonly href: string; readonly origin: string };
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  readonly Deno?: {
    readonly permissions: { querySync(what: { name: 'env'; variable: string }): { readonly state: string } };
  };
}

/** The URL of the page or worker of a browser; `undefined` on other platforms. */
export const pageUrl = (): string | undefined => (globalThis as Global).location?.href;

/** @returns whether a URL, which may be relative, has another origin than the page of this browser. */
export function isCrossOrigin(url: string): boolean {
  const { location } = globalThis as Global;
  return location !== undefined && new URL(url, location.href).origin !== location.origin;
}

/** @returns the value of an environment variable; `undefined` if the platform has none, or denies access. */
export function fromEnvironment(variable: string): string | undefined {
  const { Deno, process } = globalThis as Global;
  // Without the permission, Deno would prompt at the terminal, or throw.
  if (Deno !== undefined && Deno.permissions.querySync({ name: 'env', variable }).state !== 'granted') return undefined;
  return process?.env?.[variable];
}

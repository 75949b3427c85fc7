/** What differs between platforms: an environment, and the page that a browser shows. */
interface Global {
  readonly location?: { readonly href: string; readonly origin: string };
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  readonly Deno?: {
    readonly permissions: { querySync(what: { name: 'env'; variable: string }): { readonly state: string } };
  };
}

/** The address of the page or worker of a browser; `undefined` where there is none. */
export const pageUrl = (): string | undefined => (globalThis as Global).location?.href;

/** @returns whether a URL, maybe a relative one, is of another origin than the page of this browser. */
export function isCrossOrigin(url: string): boolean {
  const { location } = globalThis as Global;
  return location !== undefined && new URL(url, location.href).origin !== location.origin;
}

/** @returns the value of an environment variable; `undefined` where there is no environment, or it may not be read. */
export function fromEnvironment(variable: string): string | undefined {
  const { Deno, process } = globalThis as Global;
  // Reading it without a permission would ask the person at the terminal, or throw.
  if (Deno !== undefined && Deno.permissions.querySync({ name: 'env', variable }).state !== 'granted') return undefined;
  return process?.env?.[variable];
}

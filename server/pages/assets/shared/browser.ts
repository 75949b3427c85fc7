/** The browser's storage and clipboard, with fallbacks, and the values that both pages store: the API key and the colour scheme. */

/** @returns the browser's storage or, where a browser blocks it, one that lasts until the page is left. */
export function storageOf(
  kind: 'localStorage' | 'sessionStorage',
): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  try {
    return window[kind]; // Throws where all data of sites is blocked.
  } catch {
    const stored = new Map<string, string>();
    return {
      getItem: (name) => stored.get(name) ?? null,
      setItem: (name, value) => void stored.set(name, value),
      removeItem: (name) => void stored.delete(name),
    };
  }
}

const session = storageOf('sessionStorage');
const local = storageOf('localStorage');

// The name contains the path: other pages of the origin may belong to another Rollcall, behind another prefix.
const KEY = `rollcall key ${new URL('.', document.baseURI).pathname}`;

/** @returns the API key, which is stored for the session only; empty if there is none. */
export const currentKey = (): string => session.getItem(KEY) ?? '';

/** @param key the key as it was pasted. White space around it is removed. */
export function storeKey(key: string): void {
  session.setItem(KEY, key.trim());
}

export function forgetKey(): void {
  session.removeItem(KEY);
}

const SCHEME = 'rollcall scheme';
const root = document.documentElement;
const isSystemDark = matchMedia('(prefers-color-scheme: dark)');

const chosen = local.getItem(SCHEME);
if (chosen === 'light' || chosen === 'dark') root.dataset['scheme'] = chosen;

/** @returns the current colour scheme: the scheme of the system, unless a person has chosen another one. */
export const currentScheme = (): 'light' | 'dark' =>
  (root.dataset['scheme'] ?? (isSystemDark.matches ? 'dark' : 'light')) === 'dark' ? 'dark' : 'light';

/** Changes to the other scheme, for this page and all pages that are opened later. */
export function toggleScheme(): void {
  const scheme = currentScheme() === 'dark' ? 'light' : 'dark';
  root.dataset['scheme'] = scheme;
  local.setItem(SCHEME, scheme);
}

/** @returns whether the text was copied. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text); // A page that was not loaded with https has no `navigator.clipboard`.
  }
}

function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'unseen';
  document.body.append(area);
  area.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the one way without https
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}

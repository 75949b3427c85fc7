/** Light or dark: as the system has it, or as it was chosen here. */
import { storageOf } from './storage.js';

const storage = storageOf('localStorage');
const NAME = 'rollcall scheme';
const root = document.documentElement;
const isSystemDark = matchMedia('(prefers-color-scheme: dark)');

const chosen = storage.getItem(NAME);
if (chosen === 'light' || chosen === 'dark') root.dataset['scheme'] = chosen;

/** @returns {'light' | 'dark'} the scheme that is seen. */
export const currentScheme = () =>
  (root.dataset['scheme'] ?? (isSystemDark.matches ? 'dark' : 'light')) === 'dark' ? 'dark' : 'light';

/** Changes to the other scheme, for this page and those opened later. */
export function toggleScheme() {
  const scheme = currentScheme() === 'dark' ? 'light' : 'dark';
  root.dataset['scheme'] = scheme;
  storage.setItem(NAME, scheme);
}

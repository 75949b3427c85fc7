/** The accounts that a person is signed in to. As their keys, they are stored for the session of the tab only. */
import { currentKey, forgetKey, storageOf, storeKey } from '../shared/browser.ts';
import { isObject } from '../shared/json.ts';

export interface Account {
  readonly key: string;
  /** What the person calls it. The default is the end of its key. */
  readonly label: string;
}

const session = storageOf('sessionStorage');
const NAME = `rollcall accounts ${new URL('.', document.baseURI).pathname}`;

const stored = (): readonly Account[] => {
  const value: unknown = JSON.parse(session.getItem(NAME) ?? '[]');
  // Only `store` writes it.
  return Array.isArray(value)
    ? value.filter(isObject).map(({ key, label }) => ({ key: String(key), label: String(label) }))
    : [];
};
const store = (accounts: readonly Account[]): void => {
  if (accounts.length === 0) session.removeItem(NAME);
  else session.setItem(NAME, JSON.stringify(accounts));
};
const labelled = (key: string): Account => ({ key, label: `…${key.slice(-4)}` });

/** @returns all accounts. The reference stores the current key too. */
export function accounts(): readonly Account[] {
  const [all, key] = [stored(), currentKey()];
  return key === '' || all.some((it) => it.key === key) ? all : [...all, labelled(key)];
}

export const currentAccount = (): Account | undefined => accounts().find(({ key }) => key === currentKey());

/** Signs in to an account, or changes to it. @param label empty for the label that it has, or the default. */
export function signIn(key: string, label = ''): void {
  const all = accounts();
  const known = all.find((it) => it.key === key);
  const account = label.trim() === '' ? (known ?? labelled(key)) : { key, label: label.trim() };
  store(known === undefined ? [...all, account] : all.map((it) => (it === known ? account : it)));
  storeKey(key);
}

/** Signs out of the current account. */
export function signOut(): void {
  store(accounts().filter(({ key }) => key !== currentKey()));
  forgetKey();
}

export function signOutOfAll(): void {
  session.removeItem(NAME);
  forgetKey();
}

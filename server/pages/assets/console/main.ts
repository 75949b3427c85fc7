/** The console. A person's action changes the link, the link causes requests, and the page shows their responses. */
import { render } from 'lit-html';
import type { TemplateResult } from 'lit-html';
import { copyText, currentKey, saveText, toggleScheme } from '../shared/browser.ts';
import { accounts, currentAccount, signIn, signOut, signOutOfAll } from './accounts.ts';
import { createSend, Failure } from './api.ts';
import { contractOf, labelOf } from './contract.ts';
import type { Collection, Contract } from './contract.ts';
import { Download } from './download.ts';
import { Finder } from './find.ts';
import { actOf, areKeysOn, createFocus, perform } from './keyboard.ts';
import { changed, hrefOf, routeOf } from './links.ts';
import type { Route } from './links.ts';
import { isRefreshOn, pauseWhile, sleepWhile, turnRefresh } from './refresh.ts';
import { Session } from './session.ts';
import { isNarrow, shortId } from './view-parts.ts';
import type { Acts } from './view-parts.ts';
import { startView, view } from './view.ts';

const MESSAGE_MS = 2000;
// The characters that a header can carry; anything else was copied along with the key.
const KEY = /^[!-~]+$/;

const base = new URL('.', document.baseURI).href;
const send = createSend(base, currentKey);
const root = document.getElementById('console') ?? document.body; // The page has this element.

let contract: Contract | undefined;
let session: Session | undefined;
let finder: Finder | undefined;
let download: Download | undefined;
/** Whether the page asks for the key of another account. */
let isAdding = false;
let ticker: ReturnType<typeof setTimeout> | undefined;
/** Why the previous key was rejected. */
let rejection: Failure | string | undefined;
/** A message that is shown for a moment, such as the outcome of copying. */
let message = '';
const focus = createFocus();

const here = (): Route | undefined => routeOf(location.hash, contract?.collections ?? []);

const acts: Acts = {
  go: (href) => {
    location.hash = href;
  },
  reload: () => {
    const route = here();
    if (route !== undefined) session?.reload(route);
  },
  enter: (pasted, label) => {
    // People copy the whole header.
    const key = pasted.trim().replace(/^(authorization:\s*)?bearer(\s+|$)/i, '');
    if (!KEY.test(key)) {
      rejection =
        key === ''
          ? 'Paste an API key.'
          : 'This is not an API key. API keys contain no spaces, line breaks or non-ASCII characters.';
      draw();
      return;
    }
    change(key, label);
  },
  add: () => {
    isAdding = true;
    draw();
    document.getElementById('key')?.focus();
  },
  cancel: () => {
    isAdding = false;
    rejection = undefined;
    draw();
  },
  switchTo: (key) => {
    change(key);
  },
  signOut: () => {
    signOut();
    const [next] = accounts();
    if (next === undefined) close(undefined);
    else change(next.key);
  },
  signOutOfAll: () => {
    signOutOfAll();
    close(undefined);
  },
  download: () => {
    const route = here();
    if (route === undefined) return;
    download?.cancel();
    const save = (name: string, lines: readonly string[]): void => {
      saveText(name, lines);
      // A file that has all records needs no more words.
      if (download?.isCut === false) download = undefined;
      say(`Downloaded ${String(lines.length)} ${route.collection.noun}`);
    };
    download = new Download(route, { send, sleep: sleepWhile, changed: draw, save, unauthorized: close });
    download.run();
  },
  endDownload: () => {
    download?.cancel();
    download = undefined;
    draw();
  },
  scheme: () => {
    toggleScheme();
    draw();
  },
  copy: (name, text) => {
    void copyText(text).then((isCopied) => {
      say(isCopied ? `Copied: ${name}` : 'The browser blocked copying.');
    });
  },
  show: () => {
    session?.showNext();
    scrollTo(0, 0);
  },
  refresh: (isOn) => {
    turnRefresh(isOn);
    draw();
  },
  help: () => {
    const dialog = document.getElementById('keys');
    if (dialog instanceof HTMLDialogElement) dialog.showModal();
  },
  close: () => {
    const route = here();
    if (route?.id !== undefined) acts.go(hrefOf({ ...route, id: undefined }));
  },
};

function say(text: string): void {
  message = text;
  draw();
  setTimeout(() => {
    if (message === text) message = '';
    draw();
  }, MESSAGE_MS);
}

/** Changes to an account. Its lists have other records than those of the link. */
function change(key: string, label?: string): void {
  const route = here();
  if (session !== undefined && key !== currentKey() && route !== undefined) {
    history.replaceState(null, '', hrefOf({ ...route, id: undefined, query: changed(route.query, {}) }));
  }
  signIn(key, label);
  rejection = undefined;
  open();
}

/** Ends everything that uses the current key. */
function end(): void {
  session?.stop();
  finder?.clear();
  download?.cancel();
  session = finder = download = undefined;
  isAdding = false;
}

/** Starts to show the data that the key gives access to. */
function open(): void {
  end();
  session = new Session({ send, pause: pauseWhile, changed: draw, unauthorized: close });
  const { collections = [] } = contract ?? {};
  finder = new Finder({ collections, send, changed: draw, found: openRecord, unauthorized: close });
  go();
}

/** Opens a record next to the current page, if that page is one of its list. */
function openRecord(collection: Collection, id: string): void {
  const field = document.getElementById('find');
  if (field instanceof HTMLInputElement) field.value = '';
  const route = here();
  acts.go(hrefOf({ collection, query: route?.collection === collection ? route.query : new URLSearchParams(), id }));
}

/** Signs out of the current account, and asks for a key. */
function close(why: Failure | undefined): void {
  end();
  signOut();
  rejection = why;
  draw();
  document.getElementById('key')?.focus();
}

/** Shows the route of the page's link. */
function go(): void {
  const [first] = contract?.collections ?? [];
  if (session !== undefined && first !== undefined && /^#?$/.test(location.hash)) {
    location.replace(hrefOf({ collection: first, query: new URLSearchParams(), id: undefined }));
    return;
  }
  const route = here();
  if (route === undefined) session?.leave();
  else session?.go(route);
  draw();
}

function show(content: TemplateResult): void {
  // Removes the content that the page had before this script ran.
  root.querySelector('main.notice:has(noscript)')?.remove();
  render(content, root);
}

function draw(): void {
  if (contract === undefined) return;
  const route = here();
  const name =
    route?.id === undefined ? route?.collection.title : `${labelOf(route.collection.one)} ${shortId(route.id)}`;
  document.title = name === undefined ? `${contract.title} console` : `${name} · ${contract.title} console`;
  const state = {
    ...{ contract, route, hash: location.hash, download, isAdding, rejection, message },
    // The form for a key stands in for all of the current account.
    ...(isAdding ? { session: undefined, finder: undefined } : { session, finder }),
    ...{ accounts: accounts(), account: currentAccount() },
    ...{ areKeysOn: areKeysOn(), isRefreshOn: isRefreshOn() },
  };
  focus(route, state.session !== undefined, () => {
    show(view({ base, acts, ...state }));
  });
  tick([session?.failures.page, session?.failures.record, download?.failure]);
}

/** Counts down the seconds of failures. */
function tick(failures: readonly (Failure | undefined)[]): void {
  clearTimeout(ticker);
  if (failures.some((it) => (it?.secondsLeft ?? 0) > 0)) ticker = setTimeout(draw, 500);
}

addEventListener('hashchange', () => {
  // A menu would hide what was chosen in it.
  document.querySelector<HTMLElement>(':popover-open')?.hidePopover();
  go();
});
isNarrow.addEventListener('change', draw);
addEventListener('keydown', (event) => {
  const act = actOf(event);
  if (act === undefined || session === undefined || isAdding) return;
  if (perform(act, here(), acts)) event.preventDefault();
});

async function start(): Promise<void> {
  const again = (): void => void start();
  show(startView(undefined, again));
  try {
    const response = await send('/openapi.json', { signal: new AbortController().signal });
    contract = contractOf(response?.body);
  } catch (error) {
    const failure =
      error instanceof Failure
        ? error
        : new Failure('Invalid contract', error instanceof Error ? error.message : String(error));
    show(startView(failure, again));
    return;
  }
  if (currentKey() === '') draw();
  else open();
}
void start();

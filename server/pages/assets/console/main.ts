/** The console. A person's action changes the link, the link causes requests, and the page shows their responses. */
import { render } from 'lit-html';
import type { TemplateResult } from 'lit-html';
import { copyText, currentKey, forgetKey, storeKey, toggleScheme } from '../shared/browser.ts';
import { createSend, Failure } from './api.ts';
import { contractOf, labelOf } from './contract.ts';
import type { Contract } from './contract.ts';
import { actOf, areKeysOn, createFocus, perform } from './keyboard.ts';
import { hrefOf, routeOf } from './links.ts';
import type { Route } from './links.ts';
import { Session } from './session.ts';
import { shortId } from './view-parts.ts';
import type { Acts } from './view-parts.ts';
import { isNarrow, startView, view } from './view.ts';

const MESSAGE_MS = 2000;
// The characters that a header can carry; anything else was copied along with the key.
const KEY = /^[!-~]+$/;

const base = new URL('.', document.baseURI).href;
const send = createSend(base, currentKey);
const root = document.getElementById('console') ?? document.body; // The page has this element.

let contract: Contract | undefined;
let session: Session | undefined;
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
  enter: (pasted) => {
    const key = pasted.trim();
    if (!KEY.test(key)) {
      rejection =
        key === ''
          ? 'Paste an API key.'
          : 'This is not a key: it has spaces, line breaks or characters that no key has.';
      draw();
      return;
    }
    storeKey(key);
    rejection = undefined;
    open();
  },
  forget: () => {
    close(undefined);
  },
  scheme: () => {
    toggleScheme();
    draw();
  },
  copy: (name, text) => {
    void copyText(text).then((isCopied) => {
      say(isCopied ? `Copied: ${name}` : 'The browser refuses to copy');
    });
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

/** Starts to show the data that the key gives access to. */
function open(): void {
  session = new Session({ send, pause: pauseWhile, changed: draw, unauthorized: close });
  go();
}

/** Forgets the key, and asks for one. */
function close(why: Failure | undefined): void {
  session?.stop();
  session = undefined;
  forgetKey();
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
  const state = { contract, route, hash: location.hash, session, rejection, message, areKeysOn: areKeysOn() };
  focus(route, session !== undefined, () => {
    show(view({ base, acts, ...state }));
  });
}

/** @returns a function that sleeps for a time, and then until the page is visible. It rejects when the signal is aborted. */
function pauseWhile(signal: AbortSignal): (ms: number) => Promise<void> {
  return async (ms) => {
    await until(signal, (done) => {
      const timer = setTimeout(done, ms);
      return () => {
        clearTimeout(timer);
      };
    });
    if (!document.hidden) return;
    await until(signal, (done) => {
      document.addEventListener('visibilitychange', done);
      return () => {
        document.removeEventListener('visibilitychange', done);
      };
    });
  };
}

/** Resolves when `start` calls back; rejects when the signal is aborted. @param start returns a function that undoes it. */
function until(signal: AbortSignal, start: (done: () => void) => () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const end = (): void => {
      stop();
      signal.removeEventListener('abort', abort);
      resolve();
    };
    const abort = (): void => {
      stop();
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the caller's own reason
      reject(signal.reason);
    };
    const stop = start(end);
    signal.addEventListener('abort', abort, { once: true });
  });
}

addEventListener('hashchange', go);
isNarrow.addEventListener('change', draw);
addEventListener('keydown', (event) => {
  const act = actOf(event);
  if (act === undefined || session === undefined) return;
  if (perform(act, here(), acts)) event.preventDefault();
});

async function start(): Promise<void> {
  const again = (): void => void start();
  show(startView(undefined, again));
  try {
    const response = await send('/openapi.json', { signal: new AbortController().signal });
    contract = contractOf(response?.body);
  } catch (error) {
    const failure = error instanceof Failure ? error : new Failure('No contract', String(error));
    show(startView(failure, again));
    return;
  }
  if (currentKey() === '') draw();
  else open();
}
void start();

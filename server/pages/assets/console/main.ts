/** The console. A person's action changes the link, the link causes requests, and the page shows their responses. */
import { render } from 'lit-html';
import type { TemplateResult } from 'lit-html';
import { copyText, currentKey, forgetKey, storeKey, toggleScheme } from '../shared/browser.ts';
import { backoff, createSend, Failure, Latest } from './api.ts';
import { contractOf, labelOf } from './contract.ts';
import type { Collection, Contract } from './contract.ts';
import { Finder } from './find.ts';
import { actOf, areKeysOn, createFocus, perform } from './keyboard.ts';
import { hrefOf, routeOf } from './links.ts';
import type { Route } from './links.ts';
import { isRefreshOn, pauseWhile, sleepWhile, turnRefresh } from './refresh.ts';
import { LiveData } from './live-data.ts';
import { faultOf, keyIn, takeKey } from './sign-in.ts';
import { isNarrow, shortId } from './view-parts.ts';
import type { Acts } from './view-parts.ts';
import { startView, view } from './view.ts';

const MESSAGE_MS = 2000;
const TICK_MS = 500;

const base = new URL('.', document.baseURI).href;
const send = createSend(base, currentKey);
const root = document.getElementById('console') ?? document.body; // The page has this element.

let contract: Contract | undefined;
let live: LiveData | undefined;
let finder: Finder | undefined;
let ticker: ReturnType<typeof setTimeout> | undefined;
/** Why the previous key was rejected. */
let rejection: Failure | string | undefined;
/** What was typed for the key, until it is accepted. */
let typed = '';
/** The key of the link that was opened, until the contract is here. */
let linked = takeKey();
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
    if (route !== undefined) live?.reload(route);
  },
  enter: (pasted) => {
    typed = pasted;
    const key = keyIn(pasted);
    rejection = faultOf(key);
    if (rejection !== undefined) {
      ask();
      return;
    }
    storeKey(key);
    open();
  },
  signOut: () => {
    close(undefined);
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
    live?.showNext();
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

/** Ends everything that uses the current key. */
function end(): void {
  live?.stop();
  finder?.clear();
  live = finder = undefined;
}

/** Starts to show the data that the key gives access to. */
function open(): void {
  end();
  live = new LiveData({ send, pause: pauseWhile, changed: draw, unauthorized: close });
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

/** Signs out, and asks for a key. A key that was never accepted stays in the form, to be corrected or replaced. */
function close(why: Failure | undefined): void {
  if (why === undefined || live?.page !== undefined) typed = '';
  end();
  forgetKey();
  rejection = why;
  ask();
}

/** Shows the form for a key. What it contains is selected, so that a key that is pasted replaces it. */
function ask(): void {
  draw();
  const field = document.getElementById('key');
  if (field instanceof HTMLInputElement) field.select();
}

/** Signs in with the key of the link that was opened, if there is one, unless a key is stored. Then shows the route of the page's link. */
function enter(): void {
  const [key, current] = [linked, currentKey()];
  linked = undefined;
  if (key !== undefined && current === '') {
    acts.enter(key);
    return;
  }
  go();
  if (key !== undefined && key !== current) say('You are already signed in. The key in the link is not used.');
}

/** Shows the route of the page's link. */
function go(): void {
  const [first] = contract?.collections ?? [];
  if (live !== undefined && first !== undefined && /^#?$/.test(location.hash)) {
    location.replace(hrefOf({ collection: first, query: new URLSearchParams(), id: undefined }));
    return;
  }
  const route = here();
  if (route === undefined) live?.leave();
  else live?.go(route);
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
    ...{ contract, route, hash: location.hash, live, finder, rejection, typed, message },
    ...{ areKeysOn: areKeysOn(), isRefreshOn: isRefreshOn() },
  };
  focus(route, live !== undefined, () => {
    show(view({ base, acts, ...state }));
  });
  tick([live?.failures.page, live?.failures.record]);
}

/** Counts down the seconds of failures. */
function tick(failures: readonly (Failure | undefined)[]): void {
  clearTimeout(ticker);
  if (failures.some((failure) => (failure?.secondsLeft ?? 0) > 0)) ticker = setTimeout(draw, TICK_MS);
}

addEventListener('hashchange', () => {
  // A menu would hide what was chosen in it.
  document.querySelector<HTMLElement>(':popover-open')?.hidePopover();
  linked = takeKey() ?? linked;
  if (contract !== undefined) enter();
});
isNarrow.addEventListener('change', draw);
addEventListener('keydown', (event) => {
  const act = actOf(event);
  if (act === undefined || live === undefined) return;
  if (perform(act, here(), acts)) event.preventDefault();
});

const starts = new Latest();

function start(): void {
  show(startView(undefined, start));
  void starts.run(load, (error) => {
    const words = error instanceof Error ? error.message : String(error);
    show(startView(error instanceof Failure ? error : new Failure('Invalid contract', words), start));
  });
}

/** Loads the contract, again and again while there is no server, and then shows the page. */
async function load(signal: AbortSignal): Promise<void> {
  for (let pauseMs = 0; contract === undefined;) {
    try {
      const response = await send('/openapi.json', { signal });
      contract = contractOf(response?.body);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      pauseMs = backoff(pauseMs);
      const waitMs = error.waitAfter(pauseMs);
      if (waitMs === undefined) throw error;
      error.retryIn(waitMs);
      const showFailure = (): void => {
        show(startView(error, start));
      };
      showFailure();
      const countdown = setInterval(showFailure, TICK_MS);
      await sleepWhile(signal)(waitMs).finally(() => {
        clearInterval(countdown);
      });
    }
  }
  if (currentKey() !== '') open();
  enter();
}

start();

/** The console: what a person does leads to a link, a link to requests, and what they answer onto the page. */
import { render } from '../lit-html.js';
import { currentKey, forgetKey, keepKey } from '../shared/key.js';
import { toggleScheme } from '../shared/scheme.js';
import { createAsk, Failure } from './api.js';
import { shortId } from './cells.js';
import { copy } from '../shared/clipboard.js';
import { contractOf, labelOf } from './contract.js';
import { createFocus } from './focus.js';
import { actOf, areKeysOn } from './keys.js';
import { hrefOf, placeOf } from './location.js';
import { pauseWhile } from './poll.js';
import { Session } from './session.js';
import { isNarrow, startView, view } from './view.js';

const TOLD_MS = 2000;
// What a header can carry; anything else was copied along with the key.
const KEY = /^[!-~]+$/;

const base = new URL('.', document.baseURI).href;
const ask = createAsk(base, currentKey);
const root = /** @type {HTMLElement} */ (document.getElementById('console')); // It is in the page.

/** @type {import('./contract.js').Contract | undefined} */
let contract;
/** @type {Session | undefined} */
let session;
/** @type {Failure | string | undefined} why the key before was not taken. */
let refusal;
/** What came of copying, for a moment. */
let told = '';
const focus = createFocus();

const here = () => placeOf(location.hash, contract?.collections ?? []);

/** @type {import('./view.js').Acts} */
const acts = {
  go: (href) => {
    location.hash = href;
  },
  reload: () => {
    const place = here();
    if (place !== undefined) session?.reload(place);
  },
  enter: (pasted) => {
    const key = pasted.trim();
    if (!KEY.test(key)) {
      refusal =
        key === ''
          ? 'Paste an API key.'
          : 'This is not a key: it has spaces, line breaks or characters that no key has.';
      draw();
      return;
    }
    keepKey(key);
    refusal = undefined;
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
    void copy(text).then((isCopied) => {
      tell(isCopied ? `Copied: ${name}` : 'The browser refuses to copy');
    });
  },
  help: () => {
    const dialog = document.getElementById('keys');
    if (dialog instanceof HTMLDialogElement) dialog.showModal();
  },
  close: () => {
    const place = here();
    if (place?.id !== undefined) acts.go(hrefOf({ ...place, id: undefined }));
  },
};

/** @param {string} text */
function tell(text) {
  told = text;
  draw();
  setTimeout(() => {
    if (told === text) told = '';
    draw();
  }, TOLD_MS);
}

/** Begins to show what the key opens. */
function open() {
  session = new Session({ ask, pause: pauseWhile, changed: draw, refused: close });
  go();
}

/** Forgets the key, and asks for one. @param {Failure | undefined} why */
function close(why) {
  session?.stop();
  session = undefined;
  forgetKey();
  refusal = why;
  draw();
  document.getElementById('key')?.focus();
}

/** Shows what the link says. */
function go() {
  const [first] = contract?.collections ?? [];
  if (session !== undefined && first !== undefined && /^#?$/.test(location.hash)) {
    location.replace(hrefOf({ collection: first, query: new URLSearchParams(), id: undefined }));
    return;
  }
  const place = here();
  if (place === undefined) session?.leave();
  else session?.go(place);
  draw();
}

/** @param {import('../lit-html.js').TemplateResult} what */
function show(what) {
  // What was there before any script came.
  root.querySelector('main.notice:has(noscript)')?.remove();
  render(what, root);
}

function draw() {
  if (contract === undefined) return;
  const place = here();
  const name =
    place?.id === undefined ? place?.collection.title : `${labelOf(place.collection.one)} ${shortId(place.id)}`;
  document.title = name === undefined ? `${contract.title} console` : `${name} · ${contract.title} console`;
  const model = { base, contract, place, hash: location.hash, session, refusal, told, areKeysOn: areKeysOn(), acts };
  focus.around(place, session !== undefined, () => {
    show(view(model));
  });
}

addEventListener('hashchange', go);
isNarrow.addEventListener('change', draw);
addEventListener('keydown', (event) => {
  const act = actOf(event);
  if (act === undefined || session === undefined) return;
  if (focus.act(act, here(), acts)) event.preventDefault();
});

async function start() {
  show(startView(undefined, start));
  try {
    const answer = await ask('/openapi.json', { signal: new AbortController().signal });
    contract = contractOf(answer?.body);
  } catch (error) {
    const failure = error instanceof Failure ? error : new Failure('No contract', String(error));
    show(startView(failure, start));
    return;
  }
  if (currentKey() === '') draw();
  else open();
}
void start();

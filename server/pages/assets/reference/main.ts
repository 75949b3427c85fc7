/** The reference beyond reading: it is all there without this script, which adds colours, copying, search and calls. */
import { copyText, currentScheme, storageOf, toggleScheme } from '../shared/browser.ts';
import { element, every } from './dom.ts';
import { addSearch } from './search.ts';
import { addTrying } from './try-it.ts';

/** The URL of the API: beside this page, whatever prefix a proxy has added. */
const base = new URL('.', location.href).href.replace(/\/$/, '');
for (const origin of every('[data-origin]')) origin.textContent = base;

const scheme = element('button', { type: 'button' });
const showScheme = (): void => {
  scheme.textContent = currentScheme() === 'dark' ? 'Light' : 'Dark';
};
scheme.addEventListener('click', () => {
  toggleScheme();
  showScheme();
});
showScheme();
every('.top')[0]?.append(scheme);

// Without a script a tap beside the menu closes it. A tap on a link of it closes it too, to show what it leads to.
const navigation = document.getElementById('navigation');
navigation?.addEventListener('click', (event) => {
  if (event.target instanceof HTMLAnchorElement && navigation.matches(':popover-open')) navigation.hidePopover();
});

const LANGUAGE = 'rollcall language';

/** A language that is chosen at one operation is shown at all of them, also on the next visit. */
function keepLanguages(): void {
  const storage = storageOf('localStorage');
  const choices = every('.languages > input').filter((it) => it instanceof HTMLInputElement);
  const choose = (language: string): void => {
    for (const it of choices) if (it.value === language) it.checked = true;
  };
  choose(storage.getItem(LANGUAGE) ?? '');
  for (const choice of choices) {
    choice.addEventListener('change', () => {
      const before = choice.getBoundingClientRect().top;
      storage.setItem(LANGUAGE, choice.value);
      choose(choice.value);
      // Examples above may have grown: the part that is being read stays where it is.
      scrollBy({ top: choice.getBoundingClientRect().top - before, behavior: 'instant' });
    });
  }
}

const MESSAGE_MS = 1500;

/** Buttons that copy the code that is shown. */
function addCopying(): void {
  for (const tabs of every('.tabs')) {
    const button = element('button', { type: 'button', class: 'copy' }, 'Copy');
    button.addEventListener('click', () => {
      const shown = every('.panel', tabs).find((it) => it.checkVisibility());
      const texts = shown === undefined ? [] : every('pre', shown).map((it) => it.textContent);
      void copyText(texts.join('\n\n')).then((isCopied) => {
        button.textContent = isCopied ? 'Copied' : 'Not copied';
        setTimeout(() => {
          button.textContent = 'Copy';
        }, MESSAGE_MS);
      });
    });
    tabs.append(button);
  }
}

/** The navigation marks the part that is being read. */
function followReading(): void {
  const links = every('#navigation a').filter((it) => it instanceof HTMLAnchorElement);
  const parts = links.flatMap((link) => {
    const heading = document.getElementById(link.hash.slice(1));
    return heading === null ? [] : [{ link, heading }];
  });
  const mark = (): void => {
    const line = innerHeight / 3;
    const read = parts.filter(({ heading }) => heading.getBoundingClientRect().top < line);
    const current = read.at(-1) ?? parts[0];
    for (const { link } of parts) {
      if (link === current?.link) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  };
  let isScheduled = false;
  addEventListener(
    'scroll',
    () => {
      if (isScheduled) return;
      isScheduled = true;
      requestAnimationFrame(() => {
        isScheduled = false;
        mark();
      });
    },
    { passive: true },
  );
  mark();
}

keepLanguages();
addCopying();
addSearch();
addTrying(base);
followReading();

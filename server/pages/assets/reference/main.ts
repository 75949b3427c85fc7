/** The script of the reference. The page is complete without it: the script adds a choice of colours, copying, search and calls. */
import { currentScheme, storageOf, toggleScheme } from '../shared/browser.ts';
import { copyButton, element, every } from './dom.ts';
import { addSearch } from './search.ts';
import { addTrying } from './try-it.ts';

/** The URL of the API. It is relative to the URL of this page, so it has every prefix that a proxy has added. */
const base = new URL('.', location.href).href.replace(/\/$/, '');
const origins = every('[data-origin]');
/** The address in the text of the page, which the Markdown has too. */
const origin = origins[0]?.textContent ?? base;
for (const place of origins) place.textContent = base;

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

// A tap outside the menu closes the menu without a script. Here a tap on a link in the menu closes it too, so that the target is visible.
const navigation = document.getElementById('navigation');
navigation?.addEventListener('click', (event) => {
  if (event.target instanceof HTMLAnchorElement && navigation.matches(':popover-open')) navigation.hidePopover();
});

const LANGUAGE = 'rollcall language';

/** Shows the language that a person chooses at one operation at all operations, and again on the next visit. */
function keepLanguages(): void {
  const storage = storageOf('localStorage');
  const choices = every('.languages > input').filter((input) => input instanceof HTMLInputElement);
  const choose = (language: string): void => {
    for (const choice of choices) if (choice.value === language) choice.checked = true;
  };
  choose(storage.getItem(LANGUAGE) ?? '');
  for (const choice of choices) {
    choice.addEventListener('change', () => {
      const before = choice.getBoundingClientRect().top;
      storage.setItem(LANGUAGE, choice.value);
      choose(choice.value);
      // The height of the examples above may have changed. Scrolling keeps the part that is being read in its position.
      scrollBy({ top: choice.getBoundingClientRect().top - before, behavior: 'instant' });
    });
  }
}

/** Adds buttons that copy the visible code, and one that copies the page as Markdown. */
function addCopying(): void {
  for (const tabs of every('.tabs')) {
    const button = copyButton('Copy', () => {
      const shown = every('.panel', tabs).find((panel) => panel.checkVisibility());
      const texts =
        shown === undefined
          ? []
          : every('pre', shown)
              .filter((node) => node.checkVisibility())
              .map(({ textContent }) => textContent);
      return texts.join('\n\n');
    });
    tabs.append(button);
  }
  const markdown = document.querySelector<HTMLAnchorElement>('.base a[href="docs.md"]');
  if (markdown === null) return;
  const button = copyButton('Copy page as Markdown', async () => {
    const response = await fetch(markdown.href);
    if (!response.ok) throw new Error(response.statusText);
    return (await response.text()).replaceAll(origin, base);
  });
  button.className = 'copy-page';
  markdown.parentElement?.append(button);
}

/** Marks the part that is being read in the navigation. */
function followReading(): void {
  const links = every('#navigation a').filter((node) => node instanceof HTMLAnchorElement);
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
    if (current !== undefined) showInNavigation(current.link);
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

/** Runs after the next paint. */
const afterPaint = (run: () => void): void => {
  requestAnimationFrame(() => setTimeout(run));
};

/** Scrolls the navigation, and nothing else, until a link is visible. */
function showInNavigation(link: Element): void {
  if (navigation === null) return;
  const [box, { top, bottom }] = [navigation.getBoundingClientRect(), link.getBoundingClientRect()];
  if (bottom > box.bottom) navigation.scrollTop += bottom - box.bottom;
  else if (top < box.top) navigation.scrollTop -= box.top - top;
}

keepLanguages();
addCopying();
addSearch();
addTrying(base);
afterPaint(followReading); // It needs the position of all headings, and the first paint does not wait for the layout of them all.

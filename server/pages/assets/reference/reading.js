/** The navigation shows what is being read. */
import { every } from './dom.js';

export function followReading() {
  const links = every('#navigation a').filter((it) => it instanceof HTMLAnchorElement);
  const places = links.flatMap((link) => {
    const heading = document.getElementById(link.hash.slice(1));
    return heading === null ? [] : [{ link, heading }];
  });
  const mark = () => {
    const line = innerHeight / 3;
    const read = places.filter(({ heading }) => heading.getBoundingClientRect().top < line);
    const current = read.at(-1) ?? places[0];
    for (const { link } of places) {
      if (link === current?.link) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  };
  let isAsked = false;
  addEventListener(
    'scroll',
    () => {
      if (isAsked) return;
      isAsked = true;
      requestAnimationFrame(() => {
        isAsked = false;
        mark();
      });
    },
    { passive: true },
  );
  mark();
}

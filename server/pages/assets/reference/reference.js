/** What the reference does beyond being read: it is all there without this. */
import { currentScheme, toggleScheme } from '../shared/scheme.js';
import { addCopying } from './copy.js';
import { element, every } from './dom.js';
import { keepInStep } from './languages.js';
import { followReading } from './reading.js';
import { addSearch } from './search.js';
import { addTrying } from './try-it.js';

/** Where the API is: beside this page, whatever a proxy has put before it. */
const base = new URL('.', location.href).href.replace(/\/$/, '');
for (const place of every('[data-origin]')) place.textContent = base;

const scheme = element('button', { type: 'button' });
const showScheme = () => {
  scheme.textContent = currentScheme() === 'dark' ? 'Light' : 'Dark';
};
scheme.addEventListener('click', () => {
  toggleScheme();
  showScheme();
});
showScheme();
every('.top')[0]?.append(scheme);

// Without a script a tap beside the menu closes it; one on a link goes there, and is to show what is there.
const navigation = document.getElementById('navigation');
navigation?.addEventListener('click', (event) => {
  if (event.target instanceof HTMLAnchorElement && navigation.matches(':popover-open')) navigation.hidePopover();
});

keepInStep();
addCopying();
addSearch();
addTrying(base);
followReading();

/** Buttons that copy the code that is shown. */
import { copy } from '../shared/clipboard.js';
import { element, every } from './dom.js';

const SAID_MS = 1500;

export function addCopying() {
  for (const tabs of every('.tabs')) {
    const button = element('button', { type: 'button', class: 'copy' }, 'Copy');
    button.addEventListener('click', () => {
      const shown = every('.panel', tabs).find((it) => it.checkVisibility());
      const texts = shown === undefined ? [] : every('pre', shown).map((it) => it.textContent);
      void copyBy(button, texts.join('\n\n'));
    });
    tabs.append(button);
  }
}

/**
 * @param {HTMLButtonElement} button says what came of it.
 * @param {string} text
 */
async function copyBy(button, text) {
  button.textContent = (await copy(text)) ? 'Copied' : 'Not copied';
  setTimeout(() => {
    button.textContent = 'Copy';
  }, SAID_MS);
}

/** Who has chosen a language at one operation reads all of them in it, also the next time. */
import { storageOf } from '../shared/storage.js';
import { every } from './dom.js';

const storage = storageOf('localStorage');
const NAME = 'rollcall language';

export function keepInStep() {
  const choices = every('.languages > input').filter((it) => it instanceof HTMLInputElement);
  /** @param {string} language */
  const choose = (language) => {
    for (const it of choices) if (it.value === language) it.checked = true;
  };
  choose(storage.getItem(NAME) ?? '');
  for (const choice of choices) {
    choice.addEventListener('change', () => {
      const before = choice.getBoundingClientRect().top;
      storage.setItem(NAME, choice.value);
      choose(choice.value);
      // What stands above may have grown: the place one reads stays where it is.
      scrollBy({ top: choice.getBoundingClientRect().top - before, behavior: 'instant' });
    });
  }
}

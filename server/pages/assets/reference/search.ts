/** Search over the parts of the page that have an address: chapters, operations, parameters, errors, headers, schemas. */
import { element, every } from './dom.ts';
import { find } from './rank.ts';
import type { Entry } from './rank.ts';

export function addSearch(): void {
  const [box] = every('.search');
  if (box === undefined) return;
  const input = element('input', {
    ...{ type: 'search', role: 'combobox', placeholder: 'Search', autocomplete: 'off', spellcheck: 'false' },
    ...{ 'aria-label': 'Search', 'aria-expanded': 'false', 'aria-controls': 'found', 'aria-autocomplete': 'list' },
  });
  const list = element('ul', { id: 'found', class: 'found', role: 'listbox', 'aria-label': 'Search results' });
  const nothing = element('div', { class: 'found', role: 'status' }, element('p', {}, 'No results.'));
  list.hidden = true;
  nothing.hidden = true;
  box.append(input, element('kbd', { 'aria-hidden': 'true' }, '/'), list, nothing);
  box.hidden = false;

  let entries: readonly Entry[] = [];
  let at = 0;
  const close = (): void => {
    list.hidden = true;
    nothing.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const mark = (next: number): void => {
    const options = [...list.children];
    at = (next + options.length) % Math.max(options.length, 1);
    options.forEach((node, index) => {
      node.setAttribute('aria-selected', String(index === at));
    });
    const chosen = options[at];
    if (chosen === undefined) return;
    input.setAttribute('aria-activedescendant', chosen.id);
    chosen.scrollIntoView({ block: 'nearest' });
  };
  const show = (): void => {
    if (input.value.trim() === '') {
      close();
      return;
    }
    if (entries.length === 0) entries = read();
    const found = find(entries, input.value);
    list.replaceChildren(...found.map(option));
    list.hidden = found.length === 0;
    nothing.hidden = found.length > 0;
    input.setAttribute('aria-expanded', String(found.length > 0));
    mark(0);
  };
  const go = (chosen: Element | undefined): void => {
    if (!(chosen instanceof HTMLElement)) return;
    input.value = '';
    close();
    input.blur();
    location.hash = chosen.dataset['to'] ?? '';
  };

  input.addEventListener('input', show);
  input.addEventListener('focus', show);
  input.addEventListener('blur', close);
  // The input keeps the focus: its blur would close the list before the click.
  list.addEventListener('mousedown', (event) => {
    event.preventDefault();
  });
  list.addEventListener('click', (event) => {
    if (event.target instanceof Element) go(event.target.closest('li') ?? undefined);
  });
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return; // While an input method composes a word, Enter only ends the word.
    if (event.key === 'ArrowDown') mark(at + 1);
    else if (event.key === 'ArrowUp') mark(at - 1);
    else if (event.key === 'Enter') go(list.children[at]);
    else if (event.key === 'Escape') {
      input.value = '';
      close();
      input.blur();
    } else return;
    event.preventDefault();
  });
  addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.matches('input:not([type="radio"]), select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}

function read(): readonly Entry[] {
  return every('[data-kind]').map((node) => ({
    id: node.id,
    name: node.querySelector('.self')?.textContent ?? '',
    kind: node.dataset['kind'] ?? '',
    words: node.dataset['words'] ?? '',
    text: textBehind(node),
  }));
}

/** @returns the text of a part: that of the next element that is not the path of an operation. */
function textBehind(title: HTMLElement): string {
  const next = title.nextElementSibling;
  return (next?.matches('.route') === true ? next.nextElementSibling : next)?.textContent ?? '';
}

function option({ id, name, kind }: Entry): HTMLElement {
  const attributes = { id: `found-${id}`, role: 'option', 'data-to': id };
  return element('li', attributes, name, element('small', {}, kind));
}

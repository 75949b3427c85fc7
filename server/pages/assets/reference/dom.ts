/** Creates elements from texts alone: no markup is ever parsed. */
import { copyText } from '../shared/browser.ts';

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) created.setAttribute(attribute, value);
  created.append(...children);
  return created;
}

export const every = (selector: string, within: ParentNode = document): readonly HTMLElement[] =>
  [...within.querySelectorAll(selector)].filter((node) => node instanceof HTMLElement);

const MESSAGE_MS = 1500;

/** @returns a button that copies text. @param text returns the text when the button is clicked. */
export function copyButton(label: string, text: () => string | Promise<string>): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'copy' }, label);
  const copy = async (): Promise<boolean> => copyText(await text());
  button.addEventListener('click', () => {
    void copy()
      .catch(() => false)
      .then((isCopied) => {
        button.textContent = isCopied ? 'Copied' : 'Copy failed';
        setTimeout(() => {
          button.textContent = label;
        }, MESSAGE_MS);
      });
  });
  return button;
}

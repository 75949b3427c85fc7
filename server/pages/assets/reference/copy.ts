/** Buttons that copy text. */
import { copyText } from '../shared/browser.ts';
import { element } from './dom.ts';

const MESSAGE_MS = 1500;

/** @param text returns the text when the button is clicked. */
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

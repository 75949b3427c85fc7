/** Elements, made of texts alone: no markup is ever parsed. */

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Readonly<Record<string, string>>} attributes
 * @param {readonly (Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

/**
 * @param {string} selector
 * @param {ParentNode} within
 * @returns {readonly HTMLElement[]}
 */
export const every = (selector, within = document) => [...within.querySelectorAll(selector)].filter(isHtml);

/**
 * @param {Element} it
 * @returns {it is HTMLElement}
 */
const isHtml = (it) => it instanceof HTMLElement;

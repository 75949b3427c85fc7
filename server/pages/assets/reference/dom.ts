/** Creates elements from texts alone: no markup is ever parsed. */

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
  [...within.querySelectorAll(selector)].filter((it) => it instanceof HTMLElement);

/** Parts that the page is made of: headings that link to themselves, and tabs that need no script. */
import type { Properties } from 'hastscript';
import { h } from './markup.ts';
import type { Markup } from './markup.ts';

/** What search says of an anchor besides its title: the kind of thing that it is, and another name of it. */
export interface Found {
  readonly kind: string;
  readonly alias?: string;
}

const find = ({ kind, alias }: Found): Properties => ({ 'data-kind': kind, 'data-alias': alias });

export function heading(level: 2 | 3 | 4, id: string, title: Markup, found?: Found): Markup {
  return h(`h${String(level)}`, { id, ...(found && find(found)) }, selfLink(id, title));
}

/** The term of a list of definitions, with an address of its own. */
export function term(id: string, name: string, found: Found, ...behind: Markup[]): Markup {
  return h('dt', { id, ...find(found) }, selfLink(id, h('code', null, name)), ' ', behind);
}

/** A sign shows at it that it is a link to where it stands. */
export const selfLink = (id: string, title: Markup): Markup => h('a', { class: 'self', href: `#${id}` }, title);

export interface Panel {
  readonly label: string;
  readonly content: Markup;
}

/**
 * Panels of which one is shown: radio buttons choose it, by the style sheet alone.
 * @param group the name of the radio buttons.
 * @param kind a class: panels of one kind may be chosen together.
 */
export function tabs(group: string, kind: string, legend: string, panels: readonly Panel[]): Markup {
  const panel = ({ label, content }: Panel, at: number): Markup => {
    const id = `${group}-${String(at + 1)}`;
    return [
      h('input', { type: 'radio', class: 'unseen', id, name: group, value: label, checked: at === 0 }),
      h('label', { for: id }, label),
      h('div', { class: 'panel' }, content),
    ];
  };
  return h('fieldset', { class: `tabs ${kind}` }, h('legend', { class: 'unseen' }, legend), panels.map(panel));
}

/** What is folded until somebody wants it. */
export const fold = (summary: Markup, ...content: Markup[]): Markup =>
  h('details', null, h('summary', null, summary), content);

/** Markup as a tree: what is put into it is text, and one serializer escapes it. */
import { toHtml } from 'hast-util-to-html';
import { h as create } from 'hastscript';
import type { Child, Properties } from 'hastscript';

type Node = Exclude<Child, readonly unknown[]>;
/** What an element may hold: elements, text, nothing, and lists of these. */
export type Markup = Node | readonly Markup[];

/** @returns an element. */
export const h = (name: string, properties: Properties | null, ...children: readonly Markup[]): Node =>
  create(name, properties ?? {}, ...flat(children));

const flat = (of: readonly Markup[]): Node[] => of.flatMap((it) => (isList(it) ? flat(it) : [it]));
const isList = (it: Markup): it is readonly Markup[] => Array.isArray(it);

/** @param html by a library that has escaped all in it. */
export function raw(html: string): Markup {
  return { type: 'raw', value: html } as unknown as Node; // The serializer knows it, the types of hast do not.
}

/** @returns HTML in which each block begins a line, so that a diff shows well. What is preformatted stays as it is. */
export function render(markup: Markup): string {
  return toHtml(create(null, ...flat([markup])), { allowDangerousHtml: true })
    .split(/(<pre\b[\s\S]*?<\/pre>)/)
    .map((part, at) => (at % 2 === 1 ? `\n${part}` : part.replaceAll(BLOCK, '\n$1').replaceAll(/\n{2,}/g, '\n')))
    .join('')
    .trim()
    .concat('\n');
}

const BLOCK =
  /(<\/(?:head|body|header|nav|main|section|div|fieldset|details|form|ul|dl|table|thead|tbody|tr)>|<(?:head|meta|title|link|script|body|header|nav|main|section|div|fieldset|details|form|h[1-6]|p|ul|ol|dl|table|thead|tbody|tr|li|dt|dd|summary|legend|input|label|select|option|button|th|td)\b)/g;

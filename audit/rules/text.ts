/**
 * Sentences for people. What comes from outside (a server, a document, a client) stands in them as a quote. The sentence can be shown only
 * once its quotes are redacted, cut and escaped: `Redaction.show` in `session/redact.ts` does so, and our own words stay as they are.
 */

import type { Counted } from '../../contract/wording.ts';

/** How many characters of a quote are shown, unless it says otherwise, and how many of a URL or a body. */
const MAX_LENGTH = 60;
export const LONG = 300;

declare const SHOWN: unique symbol;
/** A string that may be shown: what comes from outside in it is redacted, cut and escaped. */
export type Shown = string & { readonly [SHOWN]: true };

/** @returns what is shown of a string without secrets. @param redact hides them in another one. */
export type View = (text: string, redact: (text: string) => string) => string;

/** A string from outside, as it was received. Whatever is left out of it is left out once its secrets are hidden. */
export interface Quote {
  readonly quoted: string;
  /** How many characters are shown. */
  readonly max: number;
  readonly view: View;
}

/** A sentence, or a part of one: our words, and quotes. */
export class Text {
  readonly parts: readonly (string | Quote)[];

  constructor(parts: readonly (string | Quote)[]) {
    this.parts = parts;
  }

  /** The sentence with its quotes as they were received: to compare, never to show. */
  get raw(): string {
    return this.parts.map((part) => (typeof part === 'string' ? part : part.quoted)).join('');
  }

  /** Our own words of it, with `…` for each quote: for stack traces. */
  get words(): string {
    return this.parts.map((part) => (typeof part === 'string' ? part : '…')).join('');
  }
}

/** An error whose message is a text. */
export class Said extends Error {
  readonly text: Text;

  constructor(text: Text) {
    super(text.words);
    this.text = text;
  }
}

/**
 * A value that a sentence may hold: a number, a text, or a string whose type says which words it may be, so that a record of another key
 * lacks them. Any other string may come from outside.
 */
type Own<T> = T extends number | bigint | Text | Counted
  ? T
  : T extends string
    ? Record<'\0', 1> extends Record<T, 1>
      ? never
      : T
    : never;

/** @returns a sentence: say`page ${2} is ${quote(reason)}`. A plain string does not compile in it: it is a quote, or `own`. */
export function say<const T extends readonly (string | number | bigint | Text)[]>(
  strings: TemplateStringsArray,
  ...values: T & { readonly [K in keyof T]: Own<T[K]> }
): Text {
  return new Text(
    strings.flatMap((string, at): readonly (string | Quote)[] => {
      const value = values[at];
      if (value === undefined) return [string];
      return [string, ...(value instanceof Text ? value.parts : [String(value)])];
    }),
  );
}

/** @returns a string from outside. @param max how many characters are shown. @param view what is shown of it, if that is not its beginning. */
export const quote = (text: string, max = MAX_LENGTH, view: View = (shown) => shown): Text =>
  new Text([{ quoted: text, max, view }]);

/** What is shown of a body: one line. */
export const inOneLine: View = (text) => text.replaceAll(/\s+/g, ' ').trim();

/** @returns a name from outside, as code. */
export const code = (name: string): Text => say`\`${quote(name)}\``;

/** @returns our own words, where the compiler cannot tell. */
export const own = (text: string): Text => new Text([text]);

/** @returns texts with a separator between them. */
export const joined = (texts: readonly Text[], separator: '' | ' ' | ', ' | '; ' | ' and ' | ' or ' = ', '): Text =>
  new Text(texts.flatMap(({ parts }, at) => (at === 0 ? parts : [separator, ...parts])));

/** Control characters, line separators, marks that change the direction of text, and halves of characters. */
export const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu;
// A CI takes `##[name]`, anywhere in a line, and `##vso[name]` or `::name::` at its start for commands.
const COMMAND = /#(?=#[a-z]*\[)|(?<=^\s*):(?=:)/giu;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * @returns a text as one line that a terminal shows unchanged and that is no command of a CI: control characters and the first character of a
 *   command are written like `\u001b`, which JSON reads as the same character.
 */
export const printable = (text: string): string => text.replaceAll(UNPRINTABLE, escaped).replaceAll(COMMAND, escaped);

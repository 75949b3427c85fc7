/** The model of the page, and the parts that several views share: values of records, and buttons that copy. */
import { html, nothing } from 'lit-html';
import type { TemplateResult } from 'lit-html';
import { isNumber, isObject, textOf } from '../shared/json.ts';
import type { Failure, Item } from './api.ts';
import { instantOf, partsOf, progressOf } from './contract.ts';
import type { Collection, Column, Contract } from './contract.ts';
import type { Finder } from './find.ts';
import type { Route } from './links.ts';
import type { LiveData } from './live-data.ts';

export type View = TemplateResult | typeof nothing;

/** The actions of a person that are not links. */
export interface Acts {
  readonly go: (href: string) => void;
  readonly reload: () => void;
  /** Shows the newest version of the page. */
  readonly show: () => void;
  /** Turns the automatic refresh on or off. */
  readonly refresh: (isOn: boolean) => void;
  readonly enter: (key: string) => void;
  readonly signOut: () => void;
  readonly scheme: () => void;
  readonly copy: (name: string, text: string) => void;
  readonly help: () => void;
  readonly close: () => void;
}
/** All data that the page shows. Without live data the page asks for a key. */
export interface Model {
  readonly base: string;
  readonly contract: Contract;
  readonly route: Route | undefined;
  readonly hash: string;
  readonly live: LiveData | undefined;
  readonly finder: Finder | undefined;
  /** Why the previous key was rejected. */
  readonly rejection: Failure | string | undefined;
  /** What is in the form for a key at first: what was typed when the previous key was rejected. */
  readonly typed: string;
  /** A message that is shown for a moment, such as the outcome of copying. */
  readonly message: string;
  readonly areKeysOn: boolean;
  readonly isRefreshOn: boolean;
  readonly acts: Acts;
}

// Longer texts are cut; the record's JSON has all of them.
const MAX_LENGTH = 160;
const ID_LENGTH = 8;
// White space, and letters that leave a blank.
const BLANK = /^[\s\u034f\u115f\u1160\u2800\u3164\uffa0]+$/u;

/** @param isBrief whether to show a time without its seconds, as in a table. */
export function valueView({ kind }: Column, value: unknown, { isBrief = false } = {}): TemplateResult {
  if (value === null || value === undefined) return html`<span class="none" role="img" aria-label="none">–</span>`;
  if (value === '') return html`<span class="none">empty</span>`;
  const text = textOf(value);
  if (kind === 'choice') return html`<span class="badge" data-tone=${toneOf(text)}>${text.replaceAll('_', ' ')}</span>`;
  const instant = kind === 'time' ? instantOf(value) : undefined;
  if (instant !== undefined) {
    return html`<time datetime=${instant.toISOString()} title=${text}
      >${(isBrief ? toMinute : toSecond).format(instant)}</time
    >`;
  }
  if (kind === 'counts' && isObject(value)) return countsView(value);
  if (isNumber(value)) return html`<span class="number">${text}</span>`;
  if (BLANK.test(text)) {
    const quoted = `"${text.slice(0, MAX_LENGTH)}"`;
    return html`<bdi class="blank">${quoted}</bdi> <span class="none">blank</span>`;
  }
  const isLong = text.length > MAX_LENGTH;
  return html`<bdi title=${isLong ? 'Truncated. The JSON of the record shows the full value.' : nothing}
    >${isLong ? `${text.slice(0, MAX_LENGTH)}…` : text}</bdi
  >`;
}

const toMinute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const toSecond = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
/** The time zone of all times on the page: the person's own. */
export const { timeZone } = toSecond.resolvedOptions();

// The colours of common words in statuses, for any API. A status without these words has no colour, but is as readable.
const TONES: Readonly<Record<string, RegExp>> = {
  bad: /\b(fail|failed|error|rejected|blocked|expired)\b/,
  busy: /\b(in progress|running|processing)\b/,
  good: /\b(enabled|active|completed|done|succeeded|ok)\b/,
};

/** @returns the name of a status's colour. */
function toneOf(status: string): string {
  const words = status.replaceAll(/[_-]/g, ' ');
  return Object.keys(TONES).find((name) => TONES[name]?.test(words)) ?? 'plain';
}

/** All counts except zeros, in one line. */
function countsView(counts: Readonly<Record<string, unknown>>): TemplateResult {
  const { total, parts } = partsOf(counts);
  const some = parts.filter(([, count]) => count !== 0);
  return html`<span class="counts"
    >${
      some.length === 0
        ? html`<span class="none">${grouped(total ?? 0)}</span>`
        : some.map(([name, count]) => html`<span>${grouped(count)} ${name}</span>`)
    }</span
  >`;
}

/** A cell of the table. */
export function cellView(collection: Collection, column: Column, item: Item): TemplateResult {
  const value = item[column.name];
  if (column.kind !== 'counts' || !isObject(value) || progressOf(collection, item) === undefined) {
    return valueView(column, value, { isBrief: true });
  }
  const bad = partsOf(value).parts.filter(([name, count]) => toneOf(name) === 'bad' && count !== 0);
  return html`<div class="tally">
    ${progressView(collection, item)}${bad.map(
      ([name, count]) => html`<span class="bad">${grouped(count)} ${name}</span>`,
    )}
  </div>`;
}

/** @returns a number with separators between its thousands; anything else as text. */
export const grouped = (value: unknown): string => (typeof value === 'number' ? value.toLocaleString() : textOf(value));

/** @returns the beginning of an id. */
export const shortId = (id: string): string =>
  id.length > ID_LENGTH + 1 ? `${textOf(id.slice(0, ID_LENGTH))}…` : textOf(id);

export function progressView(collection: Collection, item: Item): View {
  const progress = progressOf(collection, item);
  if (progress === undefined) return nothing;
  const { done, total, isRunning } = progress;
  return html`<span class="progress" data-running=${isRunning}>
    <progress
      aria-label="Progress of ${collection.one} ${shortId(item.id)}"
      value=${done}
      max=${Math.max(total, 1)}
    ></progress>
    <span class="number">${done === total ? grouped(total) : `${grouped(done)} of ${grouped(total)}`}</span>
  </span>`;
}

/** @param message with code between backticks. */
export const withCode = (message: string): (string | TemplateResult)[] =>
  message.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${textOf(part)}</code>` : textOf(part)));

/** Where a record covers everything else: the same sizes as in console.css. */
export const isNarrow = matchMedia('(width < 44rem), (width < 80rem) and (height < 30rem)');

/** Closes a menu after a choice. On a wide screen no menu is open: its contents are part of the page. */
export function closeMenu({ currentTarget, target }: Event): void {
  if (!(currentTarget instanceof HTMLElement) || !(target instanceof Element)) return;
  // The result of a search is shown next to its button.
  if (target.closest('a, button:not([type=submit])') !== null && currentTarget.matches(':popover-open'))
    currentTarget.hidePopover();
}

/**
 * Buttons that copy the data on the page as a command, as code or as JSON.
 * @param what the name of the data, such as `page`
 * @param texts the texts to copy, by the names of their buttons.
 */
export function copyView(
  { message, acts }: Model,
  what: string,
  texts: Readonly<Record<string, () => string>>,
): TemplateResult {
  return html`<div class="copy" role="group" aria-label="Copy the ${what} as">
    <span aria-hidden="true">Copy</span>
    ${Object.entries(texts).map(([name, make]) => {
      const id = `${what} as ${name}`;
      const isCopied = message === `Copied: ${id}`;
      return html`<button
        type="button"
        class=${isCopied ? 'copied' : ''}
        @click=${() => {
          acts.copy(id, make());
        }}
      >
        ${name}
      </button>`;
    })}
  </div>`;
}

/** Errors: in the words of the API or, where the console knows more than the API, in its own words; and what a person can do next. */
import { html, nothing } from 'lit-html';
import type { TemplateResult } from 'lit-html';
import { escapeInvisible, textOf } from '../shared/json.ts';
import { Failure } from './api.ts';
import { isId, WORDS } from './contract.ts';
import type { Collection } from './contract.ts';
import { changed, hrefOf } from './links.ts';
import type { Route } from './links.ts';
import { withCode } from './view-parts.ts';
import type { Model } from './view-parts.ts';

interface Ways {
  /** Whether the console sends the request again by itself. */
  readonly isRetried?: boolean;
  /** Absent if the same request fails again. */
  readonly again?: (() => void) | undefined;
  readonly links?: readonly { readonly href: string; readonly text: string }[];
}

/** An error, with a button that retries and links that help. */
export function problemView(failure: Failure, { again, isRetried = false, links = [] }: Ways): TemplateResult {
  const { title, message, status, requestId, retryAfter, excerpt } = failure;
  const isTimed = failure.secondsLeft !== undefined && (isRetried || retryAfter !== undefined);
  return html`<section class="problem" role="alert">
    <h2>${status === undefined ? nothing : html`<span class="code">${status}</span> `}${textOf(title)}</h2>
    <p>${withCode(message)}</p>
    ${excerpt === undefined ? nothing : html`<pre class="excerpt" tabindex="0">${escapeInvisible(excerpt.replaceAll('\r\n', '\n').replaceAll('\t', '  ')) || '(empty)'}</pre>`}
    ${requestId === undefined ? nothing : html`<p class="quiet">X-Request-Id <code>${requestId}</code></p>`}
    ${isTimed ? html`<p class="quiet">${countdown(failure, isRetried)}</p>` : nothing}
    <p class="ways">
      ${again === undefined ? nothing : html`<button type="button" @click=${again}>Try again</button>`}
      ${links.map(({ href, text }) => html`<a href=${href}>${text}</a>`)}
    </p>
  </section>`;
}

/** The time until a request may be sent again. The role keeps it out of what screen readers announce. */
function countdown(failure: Failure, isRetried: boolean): TemplateResult {
  const { secondsLeft = 0 } = failure;
  const [waiting, now] = isRetried ? ['Retrying in', 'Retrying…'] : ['You can try again in', 'You can try again now.'];
  return html`<span role="timer">${secondsLeft === 0 ? now : `${waiting} ${String(secondsLeft)} s`}</span>`;
}

/** The failure of a page. The API's messages about cursors say nothing to a person who only opened a link. */
export function pageProblem(
  failure: Failure,
  { collection, query }: Route,
  { acts, isRefreshOn }: Model,
): TemplateResult {
  const again = acts.reload;
  const cursor = query.get(WORDS.after) ?? query.get(WORDS.before);
  const link = (text: string, to: URLSearchParams) => ({
    text,
    href: hrefOf({ collection, query: to, id: undefined }),
  });
  const { status, requestId } = failure;
  if (status === 404 && cursor !== null) {
    const message = `This link points to a page next to ${aOr(collection.one)} that is not in this account.`;
    const links = [link('Go to the first page', changed(query, {}))];
    return problemView(new Failure('Page not found', message, { requestId }), { again, links });
  }
  if (status !== 422) return problemView(failure, { again, isRetried: isRefreshOn });
  const reset = link('Reset filters', new URLSearchParams());
  if (cursor === null || isId(collection, cursor)) return problemView(failure, { links: [reset] });
  const message = `This link points to a page next to \`${cursor}\`, which is not an id.`;
  return problemView(new Failure('Page not found', message, { requestId }), { links: [reset] });
}

/** The failure of a record. */
export function recordProblem(failure: Failure, { one }: Collection, { acts, isRefreshOn }: Model): TemplateResult {
  const again = acts.reload;
  const { status, title, message, requestId } = failure;
  if (status === 422) return problemView(new Failure(title, message, { requestId }), {});
  if (status !== 404) return problemView(failure, { again, isRetried: isRefreshOn });
  const words = `No ${one} in this account has this id.`;
  return problemView(new Failure('Not found in this account', words, { requestId }), { again });
}

const aOr = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

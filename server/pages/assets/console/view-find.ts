/** The field that finds a record by its id, in all collections. */
import { html, nothing } from 'lit-html';
import type { TemplateResult } from 'lit-html';
import { textOf } from '../shared/json.ts';
import type { Finder } from './find.ts';
import { withCode } from './view-parts.ts';

export function findView(finder: Finder): TemplateResult {
  const { problem } = finder;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    finder.find(fieldOf(event)?.value ?? '');
  };
  // A whole id is found as soon as it is pasted.
  const input = (event: Event): void => {
    const text = fieldOf(event)?.value ?? '';
    if (finder.isComplete(text)) finder.find(text);
    else finder.clear();
  };
  return html`<search class="find">
    <form @submit=${submit}>
      <label class="unseen" for="find">Find by id</label>
      <input
        id="find"
        type="search"
        placeholder="Find by id"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        aria-keyshortcuts="/"
        aria-describedby="found"
        aria-invalid=${problem === undefined ? nothing : 'true'}
        @input=${input}
      />
      <button type="submit">Find</button>
    </form>
    <p id="found" role="status">${finder.isSearching ? 'Searching…' : problemOf(problem)}</p>
  </search>`;
}

function problemOf(problem: Finder['problem']): unknown {
  if (problem === undefined) return nothing;
  if (typeof problem === 'string') return html`<span class="rejection">${withCode(problem)}</span>`;
  const { status, title, message } = problem;
  return html`<span class="rejection"><strong>${status} ${textOf(title)}</strong> ${withCode(message)}</span>`;
}

function fieldOf({ currentTarget }: Event): HTMLInputElement | undefined {
  if (!(currentTarget instanceof Element)) return undefined;
  const field = currentTarget.parentElement?.querySelector('#find');
  return field instanceof HTMLInputElement ? field : undefined;
}

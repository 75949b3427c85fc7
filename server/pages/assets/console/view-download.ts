/** The progress of a download. */
import { html, nothing } from 'lit-html';
import type { TemplateResult } from 'lit-html';
import { textOf } from '../shared/json.ts';
import { MAX_RECORDS } from './download.ts';
import type { Download } from './download.ts';
import { grouped, withCode } from './view-parts.ts';
import type { Acts, View } from './view-parts.ts';
import { countdown } from './view-problem.ts';

export function downloadView(download: Download, { endDownload }: Acts): TemplateResult {
  const { count, state } = download;
  const { noun, one } = download.route.collection;
  const isOver = state === 'complete' || state === 'failed';
  return html`<section class="download" aria-label="Download">
    <p>
      <strong>${state === 'complete' ? 'Downloaded' : 'Downloading'}</strong>
      <span class="number">${grouped(count)}</span> ${count === 1 ? one : noun}
    </p>
    ${isOver ? nothing : html`<progress aria-label="Records downloaded" max=${MAX_RECORDS} value=${count}></progress>`}
    <p class="quiet" role="status">${noteOf(download)}</p>
    <p class="ways">
      ${
        state === 'failed'
          ? html`<button
              type="button"
              @click=${() => {
                download.run();
              }}
            >
              Resume
            </button>`
          : nothing
      }
      <button type="button" @click=${endDownload}>${state === 'complete' ? 'Close' : 'Cancel'}</button>
    </p>
  </section>`;
}

function noteOf({ state, failure }: Download): View | string {
  if (state === 'failed' && failure !== undefined) {
    const { status, title, message } = failure;
    return html`<span class="rejection"><strong>${status} ${textOf(title)}</strong> ${withCode(message)}</span>`;
  }
  if (state === 'waiting' && failure !== undefined) return html`The server is busy. ${countdown(failure, true)}`;
  const bound = `${MAX_RECORDS.toLocaleString()} records`;
  if (state === 'complete') return `The list has more records. A file has at most ${bound}.`;
  return `At most ${bound}.`;
}

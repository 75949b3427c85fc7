/** The console in a real browser: where its parts stand, at every width, and what is said of what changes. */
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { automation, contactImport, contactProperty } from '../../testkit/index.ts';
import { listBecomes, openConsole } from './console-page.ts';

const WIDTHS = [360, 390, 704, 768, 1000, 1100, 1279, 1280, 1920];
const RECORDS = {
  automations: [
    automation({ name: 'Welcome' }),
    automation({
      name: 'Sends three reminders to everybody who has a cart and has not been there for a while '.repeat(2),
    }),
  ],
  contactProperties: [
    contactProperty({ key: 'number_of_seats', type: 'number', fallback_value: 2.5 }),
    contactProperty({ key: 'nickname', fallback_value: 'friend' }),
    contactProperty({ key: 'k'.repeat(100), type: 'number', fallback_value: Number.MIN_SAFE_INTEGER }),
    contactProperty({ key: 'phrase', fallback_value: 'several words '.repeat(50) }),
  ],
  contactImports: [
    contactImport({ status: 'queued' }),
    contactImport({
      ...{ status: 'in_progress', completed_at: null },
      counts: { total: 146_626, created: 23_456, updated: 80, skipped: 15, failed: 5555 },
    }),
    contactImport({ counts: { total: 15, created: 10, updated: 0, skipped: 0, failed: 5 } }),
    contactImport({ counts: { total: 3, created: 3, updated: 0, skipped: 0, failed: 0 } }),
  ],
};
const LISTS = [
  ['/automations', '2 automations'],
  ['/contact-properties', '4 contact properties'],
  ['/contacts/imports', '4 contact imports'],
] as const;

const widen = (page: Page, width: number): Promise<void> => page.setViewportSize({ width, height: 800 });
const rowHeights = (page: Page): Promise<number[]> =>
  page.evaluate(
    "[...document.querySelectorAll('tbody tr')].map((it) => Math.round(it.getBoundingClientRect().height))",
  );
/** How many lines the cells of the first row stand on. */
const linesOfRow = (page: Page): Promise<number> =>
  page.evaluate(`new Set([...document.querySelectorAll('tbody tr:first-child > *')]
    .map((it) => Math.round(it.getBoundingClientRect().top))).size`);

/** The words on the page that do not stand on one line, but for those of code. */
const BROKEN = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const broken = [];
  while (texts.nextNode()) {
    const { currentNode: text } = texts;
    if (text.parentElement.closest('.unseen, option, code, pre, script, noscript') !== null) continue;
    for (const { 0: word, index } of text.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      if (/^k+$/.test(word)) continue; // Longer than its cell.
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (new Set([...range.getClientRects()].map((it) => Math.round(it.top))).size > 1) broken.push(word);
    }
  }
  return broken;
})()`;

/** @returns what of the current row cannot be seen: outside of the screen, cut off, or behind something. */
const HIDDEN = `[...document.querySelectorAll('tr[aria-current] > *, tr[aria-current] :is(.badge, time, progress, .tally .number, .bad)')]
  .filter((it) => {
    const { left, right, top, bottom } = it.getBoundingClientRect();
    return ![left + 2, right - 2].every((x) => {
      const found = document.elementFromPoint(x, (top + bottom) / 2);
      return found !== null && (it.contains(found) || found.closest('td, th') === it.closest('td, th'));
    });
  })
  .map((it) => it.outerHTML)`;

/** Lets the rules for screens without a pointer hold for other media. @returns how many there are. */
const HOVER = `((text) => {
  globalThis.hover ??= [...document.styleSheets].flatMap((it) => [...it.cssRules]).filter((it) => it.media?.mediaText === '(hover: none)');
  for (const { media } of globalThis.hover) media.mediaText = text;
  return globalThis.hover.length;
})`;

describe('at every width', () => {
  test('on a tablet a list is a table, and on a phone rows are cards', async () => {
    const { page, says, go } = await openConsole(RECORDS);
    for (const [place, text] of LISTS) {
      await go(place);
      await says(`Showing ${text}, newest first. No older ones.`);
      for (const [width, isTable] of [
        [360, false],
        [768, true],
        [1280, true],
      ] as const) {
        await widen(page, width);
        const cells = await page.locator('tbody tr').first().locator('> *').count();
        expect([place, width, await linesOfRow(page)]).toEqual([place, width, isTable ? 1 : cells]);
        const head = await page.locator('thead').boundingBox();
        expect(head?.height).toBeGreaterThan(isTable ? 20 : 0);
        expect(head?.height).toBeLessThan(isTable ? 60 : 2);
      }
    }
  });

  test('no word is broken', async () => {
    const { page, says, go } = await openConsole(RECORDS);
    for (const [place, text] of LISTS) {
      await go(place);
      await says(`Showing ${text}, newest first. No older ones.`);
      for (const isOpen of [false, true]) {
        if (isOpen) {
          await widen(page, 1280);
          await page.locator('tbody tr a').first().click();
          await page.locator('pre.json').waitFor();
        }
        for (const width of WIDTHS) {
          await widen(page, width);
          expect([place, isOpen, width, await page.evaluate(BROKEN)]).toEqual([place, isOpen, width, []]);
        }
      }
    }
    // Unless it is longer than any line.
    await widen(page, 1280);
    await page.locator('a.close').click();
    await page.evaluate(`document.querySelector('h1').textContent = '${'x'.repeat(200)}'`);
    await widen(page, 390);
    expect(await page.evaluate(BROKEN)).toEqual(['x'.repeat(200)]);
  });

  test('an open record hides nothing of its row, and leaves each row as high as it was', async () => {
    const { page, says, go, json } = await openConsole(RECORDS);
    for (const [place, text] of LISTS) {
      for (const width of [704, 768, 1000, 1279, 1280, 1920]) {
        await widen(page, width);
        await go(place);
        await says(`Showing ${text}, newest first. No older ones.`);
        await page.locator('aside').waitFor({ state: 'detached' });
        const before = await rowHeights(page);
        for (const at of before.keys()) {
          await page.locator('tbody th a').nth(at).click();
          await page.locator(`tbody tr:nth-child(${String(at + 1)})[aria-current]`).waitFor();
          await json();
          expect([place, width, await rowHeights(page)]).toEqual([place, width, before]);
          expect([place, width, await page.evaluate(HIDDEN)]).toEqual([place, width, []]);
        }
      }
    }
    await go('/contacts/imports');
    expect(await page.locator('.bad').allInnerTexts()).toEqual(['5,555 failed', '5 failed']);
  });

  test('where a screen is low, a record covers the list, which is then out of reach', async () => {
    const { page, json } = await openConsole(RECORDS);
    await page.locator('tbody tr a').first().click();
    await json();
    for (const [width, height, isCovered] of [
      [800, 400, true],
      [800, 600, false],
      [1280, 400, false],
    ] as const) {
      await page.setViewportSize({ width, height });
      const box = await page.locator('aside').boundingBox();
      expect([width, height, box?.height === height && box.width >= width - 20]).toEqual([width, height, isCovered]);
      await listBecomes(page, isCovered ? 'inert' : 'reachable');
    }
  });

  test('on a phone the header is one line, and its menu has the rest', async () => {
    const { page, says } = await openConsole(RECORDS);
    await says('Showing 2 automations, newest first. No older ones.');
    await widen(page, 360);
    const header = page.getByRole('banner');
    expect((await header.boundingBox())?.height).toBeLessThan(52);
    expect(await header.locator('a:visible, button:visible').allInnerTexts()).toEqual(['Rollcall console', 'Menu']);
    await page.getByRole('button', { name: 'Menu' }).click();
    const link = page.getByRole('link', { name: 'Contact properties' });
    for (const it of [
      link,
      page.getByRole('link', { name: 'Reference' }),
      page.getByRole('link', { name: 'Automations' }),
    ])
      expect(await it.isVisible()).toBe(true);
    await link.click();
    await says('Showing 4 contact properties, newest first. No older ones.');
    expect(await link.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    expect(await link.getAttribute('aria-current')).toBe('page');
    await page.keyboard.press('Escape');
    expect(await link.isVisible()).toBe(false);
  });
});

describe('on a phone, a list', () => {
  const OPTIONS = { hash: '#/contacts/imports', options: { viewport: { width: 360, height: 740 } } };

  test('begins near the top, because its controls are in one menu, which closes after a choice', async () => {
    const { page, says, column } = await openConsole(RECORDS, OPTIONS);
    await says('Showing 4 contact imports, newest first. No older ones.');
    expect((await page.locator('tbody tr').first().boundingBox())?.y).toBeLessThan(150);
    const status = page.getByLabel('Status');
    expect(await page.locator('main').getByRole('button').filter({ visible: true }).allInnerTexts()).toEqual([
      'Options',
    ]);
    expect(await status.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByText('Bulk imports of contacts and their progress.').waitFor();
    await status.selectOption('in_progress');
    await page.getByRole('button', { name: 'Options: in progress', exact: true }).waitFor();
    await says('Showing 1 contact import, newest first. No older ones.');
    expect(await status.isVisible()).toBe(false);
    expect(await column('Status')).toEqual(['in progress']);
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Options: in progress');
  });

  test('is searched by the menu, which `/` opens, and which stays open while there is no result', async () => {
    const { page, says, record } = await openConsole(RECORDS, OPTIONS);
    await says('Showing 4 contact imports, newest first. No older ones.');
    const field = page.getByRole('searchbox', { name: 'Find by id' });
    await page.keyboard.press('/');
    await field.fill('nonsense');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByText(/^This is not an id\./).waitFor();
    await field.fill(RECORDS.contactImports[1]?.id ?? '');
    await record.getByText('in progress').waitFor();
    expect(await field.isVisible()).toBe(false);
    // Behind the record the menu is out of reach.
    await page.keyboard.press('/');
    expect(await field.isVisible()).toBe(false);
  });

  test('says nothing of a pointer where there is none', async () => {
    const { page, says } = await openConsole(RECORDS);
    await says('Showing 2 automations, newest first. No older ones.');
    const note = page.getByText(/^Times are in Europe\/Berlin\./);
    // Gives the screen the rules of one with a pointer, and of a touch screen: not every browser of tests has a pointer.
    for (const [media, text] of [
      ['not all', "Times are in Europe/Berlin. Hover over a time to see the API's value."],
      ['all', 'Times are in Europe/Berlin.'],
    ] as const) {
      expect(await page.evaluate(`${HOVER}('${media}')`)).toBe(1);
      expect(await note.innerText()).toBe(text);
    }
  });
});

describe('in words', () => {
  test('a name of blanks can be seen', async () => {
    const names = [' ', '   ', '\u00a0\u2003\u3000', '\u3164\u2800', ' a '];
    const { page, record, says, column } = await openConsole({
      automations: names.toReversed().map((name) => automation({ name })),
    });
    await says('Showing 5 automations, newest first. No older ones.');
    const shown = await column('Name');
    expect([...shown].sort()).toEqual(
      ['a', '" " blank', '"   " blank', '"\u00a0\u2003\u3000" blank', '"\u3164\u2800" blank'].sort(),
    );
    const [first] = await page.locator('td .blank').all();
    expect((await first?.boundingBox())?.width).toBeGreaterThan(10);
    await page
      .locator('tr', { has: page.locator('.blank') })
      .first()
      .locator('th a')
      .click();
    await record.getByText('blank', { exact: true }).waitFor();
  });

  test.each(['', 'its record'])('an import that completes is announced: in the list %s', async (open) => {
    const [moves, waits] = [contactImport({ status: 'queued' }), contactImport({ status: 'queued' })];
    const hash = `#/contacts/imports${open === '' ? '' : `/${moves.id}`}`;
    const records = { contactImports: [moves, waits, contactImport()] };
    const { server, page, says, column } = await openConsole(records, { hash });
    const news = page.locator('[aria-live=polite]');
    await page.getByRole('progressbar').first().waitFor();
    expect(await news.textContent()).toBe('');
    await server.moveImport(moves.id);
    await page.locator('td .badge', { hasText: 'in progress' }).waitFor();
    expect(await news.textContent()).toBe('');
    await server.moveImport(moves.id);
    await news
      .getByText(`Contact import ${moves.id.slice(0, 8)}: completed.`, { exact: true })
      .waitFor({ state: 'attached' });
    expect(await column('Status')).toEqual(['completed', 'queued', 'completed']);
    await page.getByRole('link', { name: 'Automations' }).click();
    await says('No automations.');
    expect(await news.textContent()).toBe('');
  });
});

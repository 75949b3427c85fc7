/** What a page is, in words. */
import { WORDS } from './contract.js';

/** @param {import('./session.js').Session | undefined} session @param {import('./location.js').Place | undefined} place @returns {string} such as `20 automations, newest first, more older`. */
export function summary(session, place) {
  const page = session?.page;
  if (page === undefined || place === undefined || session?.waiting.has(page.target)) return '';
  const { noun, one } = page.place.collection;
  const { query } = page.place;
  const count = page.items.length;
  const further = query.has(WORDS.before) ? 'more newer' : 'more older';
  const none = query.has(WORDS.before) ? 'none newer' : 'none older';
  if (count === 0) return `No ${noun}`;
  return `${String(count)} ${count === 1 ? one : noun}, newest first, ${page.hasMore ? further : none}`;
}

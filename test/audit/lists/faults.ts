/**
 * List APIs with a single fault each, and the rule that must name it. Written before the rules: from what trackers report, and what real
 * servers were seen to do. Rows are counted from 0; a page of the default size holds ten, so that faults behind row 30 do not disturb
 * the search for the way to the next page.
 *
 * Faults that no audit can find are left out: a cursor or a position that is always ignored (the list has no second page, and is refused), and
 * a damaged cursor that starts over where an invalid one is rejected (a cursor may end in what does not count).
 */
import type { Fault } from './fault.ts';
import { BOUND_FAULTS } from './bound-faults.ts';
import { FILTERED_ORDER_FAULTS, FILTER_FAULTS } from './filter-faults.ts';
import { GET_FAULTS } from './get-faults.ts';
import { DEFAULT_FAULTS, ORDER_FAULTS, OUTSIDE_FAULTS, TIE_FAULTS } from './order-faults.ts';
import { DOCUMENT_FAULTS } from './documents.ts';
import { KIND_FAULTS } from './kind-faults.ts';
import { ITEM_FAULTS } from './item-faults.ts';
import { MOVE_FAULTS } from './move-faults.ts';
import { POSTED_FAULTS } from './posted.ts';
import { SORTED_FAULTS } from './sorted.ts';
import { LATER_FAULTS } from './later.ts';
import { TIE_ORDER_FAULTS } from './tie-faults.ts';
import { CURSOR_FAULTS, POSITION_FAULTS, SIZE_FAULTS } from './request-faults.ts';
import { BACKWARD_FAULTS, END_FAULTS, KEY_FAULTS, LINK_FAULTS, TOTAL_FAULTS } from './response-faults.ts';
import { ID_FAULTS, TRAVERSAL_FAULTS } from './traversal-faults.ts';

export const FAULTS: readonly Fault[] = [
  ...TRAVERSAL_FAULTS,
  ...KIND_FAULTS,
  ...POSTED_FAULTS,
  ...SORTED_FAULTS,
  ...ID_FAULTS,
  ...CURSOR_FAULTS,
  ...ITEM_FAULTS,
  ...SIZE_FAULTS,
  ...END_FAULTS,
  ...LINK_FAULTS,
  ...POSITION_FAULTS,
  ...TOTAL_FAULTS,
  ...BACKWARD_FAULTS,
  ...KEY_FAULTS,
  ...DEFAULT_FAULTS,
  ...OUTSIDE_FAULTS,
  ...ORDER_FAULTS,
  ...TIE_FAULTS,
  ...TIE_ORDER_FAULTS,
  ...LATER_FAULTS,
  ...FILTER_FAULTS,
  ...FILTERED_ORDER_FAULTS,
  ...GET_FAULTS,
  ...BOUND_FAULTS,
  ...MOVE_FAULTS,
  ...DOCUMENT_FAULTS,
];

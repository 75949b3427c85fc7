/** What to change where a rule of lists fails, by its id. Other rules say it themselves. */

export const CHANGES: Readonly<Record<string, string>> = {
  'list.pagination':
    'Select the items after the cursor by (created_at, id) and order by both, so that pages neither overlap nor leave gaps.',
  'list.order': 'Order by the instant of created_at descending, with all its digits and its UTC offset applied.',
  'list.ties': 'Add the id, descending, as the second sort key.',
  'list.limit': 'Return exactly `limit` items while there are enough.',
  'list.invalid_limit':
    'Match the whole text of `limit` against digits without leading zeros, before it is converted; reject everything else, and do not clamp.',
  'list.after': 'Select the items that sort after (created_at, id) of the cursor, and apply the limit last.',
  'list.before':
    'Select the items that sort before the cursor in reverse order, apply the limit, then reverse the page; near the head the page is shorter.',
  'list.has_more':
    'Read one item more than the limit in the direction of pagination; `has_more` is whether it is there.',
  'list.end': 'Read one item more than the limit: a page that is exactly full can be the last one.',
  'list.default_limit': 'Use the default of this operation where `limit` is absent, with a cursor too.',
  'list.filter':
    'Compare the filter with the property of each item, for the account of the key, before the limit is applied.',
  'list.filter_limit': 'Filter before the limit is applied (WHERE, then LIMIT), not the page that was read.',
  'list.filter_cursor':
    'Find the cursor among all items of the account, without the filter, and then apply the filter to the items around it.',
  'list.filter_end': 'Read one matching item more than the limit, with the same filter, in the same direction.',
  'list.invalid_filter':
    'Compare the text of the filter with the allowed values, in this very form; reject everything else.',
  'list.cursor_case': 'Convert the cursor to lower case before it is looked up, everywhere.',
  'list.unknown_cursor': 'Look the cursor up first; if there is no such item, return 404 not_found, not a page.',
  'list.foreign_cursor': 'Look the cursor up in the collection of the list alone.',
  'list.malformed_cursor': 'Match the whole cursor against the pattern of the contract before it is looked up.',
  'list.conflicting_cursors': 'Reject a request that has both cursors before either is looked up.',
  'list.sampled': 'Apply filter, cursor and limit in this order, and for every account in the same way.',
};

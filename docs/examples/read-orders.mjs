// Prints the id of every order, with a common bug: an error is taken for an empty page, and ends the list.
let cursor = '';
do {
  const query = new URLSearchParams({ limit: '100', ...(cursor !== '' && { cursor }) });
  const response = await fetch(`${process.env.ROLLCALL_URL}?${query}`);
  const page = await response.json();
  for (const order of page.orders ?? []) console.log(order.id);
  cursor = page.next_cursor ?? '';
} while (cursor !== '');

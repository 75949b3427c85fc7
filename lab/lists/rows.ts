/** What every server holds: 240 rows, of which 40 share a `created`. */
export interface Row {
  readonly id: number;
  readonly name: string;
  readonly status: 'open' | 'closed';
  readonly created: string;
}

const COUNT = 240;
/** Rows 51 to 90. 150 rows are newer, so that a page of 3 ends within them. */
const createdAt = (id: number): Date => new Date(Date.UTC(2026, 0, 1, 0, id > 50 && id <= 90 ? 51 : id));

export const ROWS: readonly Row[] = Array.from({ length: COUNT }, (_, at) => {
  const id = at + 1;
  const name = `row-${String(id).padStart(3, '0')}`;
  return { id, name, status: id % 4 === 0 ? 'closed' : 'open', created: createdAt(id).toISOString() };
});

/** A row of the servers that sort: each score is that of 40 rows. */
export const scored = ({ id, name }: Row): { readonly name: string; readonly score: number } => ({
  name,
  score: id % 6,
});

/** What the clients of TypeScript share: the loop over the pages of one list. A row's program says how its generated code gets a page. */

interface Page {
  readonly has_more: boolean;
  readonly data: readonly { readonly id: string }[];
}
/** Gets a page; `Status` is the generated type of the list's filter. */
type List<Status = never> = (query: {
  readonly limit: number;
  readonly after?: string;
  readonly status?: Status;
}) => Promise<Page>;

export interface Lists {
  readonly automations: List<'enabled' | 'disabled'>;
  readonly 'contact-properties': List;
  readonly 'contact-imports': List<'queued' | 'in_progress' | 'completed' | 'failed'>;
}

/** Prints each item of the list that the command line names. An error ends the program with a code that is not 0. */
export async function drive(connect: (baseUrl: string, key: string) => Lists): Promise<void> {
  const { ROLLCALL_BASE_URL: url = '', ROLLCALL_API_KEY: key = '', ROLLCALL_PARAMS: params } = process.env;
  const list = connect(url, key)[process.argv[2] as keyof Lists] as List; // The server judges the text of a filter.
  const query = { limit: 7, ...(Object.fromEntries(new URLSearchParams(params)) as { status?: never }) };
  for (let after: string | undefined; ;) {
    const page = await list({ ...query, ...(after === undefined ? {} : { after }) });
    for (const item of page.data) process.stdout.write(`${JSON.stringify(item)}\n`);
    if (!page.has_more) return;
    const next = page.data.at(-1)?.id;
    if (next === undefined || next === after) throw new Error('the list does not go on'); // Instead of a loop without an end.
    after = next;
  }
}

import got from 'got';

const headers = { Authorization: `Bearer ${process.env.ROLLCALL_API_KEY}` };
for await (const { id } of got.paginate(process.env.ROLLCALL_URL, { headers, searchParams: { per_page: 5 } }))
  console.log(id);

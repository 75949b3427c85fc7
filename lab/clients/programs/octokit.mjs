import { Octokit } from 'octokit';

const octokit = new Octokit({ baseUrl: process.env.ROLLCALL_BASE_URL, auth: process.env.ROLLCALL_API_KEY });
for await (const { data } of octokit.paginate.iterator('GET /user/repos', { per_page: 5 }))
  for (const { id } of data) console.log(String(id));

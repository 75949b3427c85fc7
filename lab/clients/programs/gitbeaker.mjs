import { Gitlab } from '@gitbeaker/rest';

const gitlab = new Gitlab({ host: process.env.ROLLCALL_BASE_URL, token: process.env.ROLLCALL_API_KEY });
for (const { id } of await gitlab.Projects.all({ pagination: 'keyset', orderBy: 'id', membership: true, perPage: 5 }))
  console.log(id);

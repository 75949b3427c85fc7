/** json-server over a thousand of the records, its own way of paging behind the path of the list. */
import jsonServer from 'json-server';
import { announce, setting } from './setting.ts';

const { create, rewriter, router } = jsonServer;
const app = create();
app.use(rewriter({ '/contacts/imports': '/imports?_sort=created_at&_order=desc&_limit=10' }));
app.use(router(setting('BENCH_DATA')));
announce(app.listen(0, '127.0.0.1'));

/**
 * Abuses the control API of a started demo: `npm run --prefix lab control`. From pages of a browser, without a key, with bodies that are
 * huge, a cue that always fires and more accounts than fit. Prints figures; fails if a response is wrong, or memory grows.
 */
import { openFolder } from '../../test/support/cli.ts';
import { reportEnd } from '../support/report.ts';
import { abuse } from './abuse.ts';
import { openClient } from './client.ts';
import { visit } from './page.ts';

const folder = openFolder();
try {
  const demo = folder.start(['demo', '--control', '--key', 'test', '--port', '0', '--json', '--exit-with-parent']);
  const [line] = await demo.printed(/^.*\n/);
  const { url, key, control } = JSON.parse(line) as {
    readonly url: string;
    readonly key: string;
    readonly control: { readonly url: string; readonly key: string };
  };
  const client = openClient(control);
  await visit(control, client);
  await abuse({ url, key, pid: demo.process.pid ?? 0 }, control, client);
  client.close();
  await reportEnd(demo);
} finally {
  folder.remove();
}

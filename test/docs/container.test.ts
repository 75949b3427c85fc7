/** The recipes of docs/container.md end with a key; the image itself is built and run by `npm run test:e2e -- image`. */
import { expect, test } from '@jest/globals';
import { onlyCodeBelow, textOf } from '../support/docs.ts';
import { folder } from '../support/own-folder.ts';
import { openShell } from '../support/shell.ts';

const PAGE = 'docs/container.md';
/** Runs the command of `docker exec` and `docker compose exec`, in a container that is called like the program. */
const DOCKER = `while [ $# -gt 0 ] && [ "$1" != exec ]; do shift; done
[ $# -eq 0 ] || { shift 2; exec "$@"; }`;

test('"Run with Docker" has the port and the volume of the image', () => {
  const { sh, calls } = openShell(folder, { docker: DOCKER });
  expect(sh(onlyCodeBelow(PAGE, 'Run with Docker'))).toMatch(/^rollcall_[0-9a-f]{40}\n$/);
  const [build = '', run = ''] = calls();
  const [, file = ''] = /--file (\S+)/.exec(build) ?? [];
  const image = textOf(file);
  const [, published = ''] = /--publish \d+:(\d+)/.exec(run) ?? [];
  const [, volume = ''] = /--volume \w+:(\S+)/.exec(run) ?? [];
  expect(image).toMatch(new RegExp(`^EXPOSE ${published}$`, 'm'));
  expect(image).toMatch(new RegExp(`^VOLUME ${volume}$`, 'm'));
});

test('"Run with PostgreSQL" starts the compose file', () => {
  const { sh, calls } = openShell(folder, { docker: DOCKER });
  expect(sh(onlyCodeBelow(PAGE, 'Run with PostgreSQL'))).toMatch(/^rollcall_[0-9a-f]{40}\n$/);
  const [start = ''] = calls();
  const [, file = ''] = /^docker compose --file (\S+) up --detach$/.exec(start) ?? [];
  expect(textOf(file)).toContain('${POSTGRES_PASSWORD:?');
});

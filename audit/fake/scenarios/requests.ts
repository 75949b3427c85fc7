/** What a client sends, and where: the key, parameters, and other origins. */
import type { Canned, Scenario } from '../scenario.ts';

const SEVERAL = { pages: 3.5 };
const KEY = { keyTo: { host: 'failure', port: 'note' } } as const;
const LINK_KEY = { keyTo: { host: 'failure', port: 'failure' } } as const;

const redirect = (to: 'path' | 'host' | 'port'): Canned => ({ redirect: to });

// prettier-ignore
export const REQUESTS: readonly Scenario[] = [
  { name: 'params.kept', pack: 'whole', does: { length: SEVERAL },
    server: 'has several pages',
    client: 'it must send filters, `--param` and, with page numbers, the page size with every page; other parameters are a note',
    expect: 'all', watch: { params: 'failure' }, report: 'a filter, or the size, is lost on page 2' },
  { name: 'key.kept', pack: 'whole', needs: { key: true }, does: { length: SEVERAL },
    server: 'returns 401 without the key, on every page',
    client: 'it must send the key with every page',
    expect: 'all', report: 'the key is lost on page 2' },
  { name: 'redirect.path', pack: 'redirect.path', does: { length: SEVERAL, fault: { on: 'first', reply: redirect('path') } },
    server: 'redirects the list to another path of the same origin',
    expect: 'all-or-error', report: 'a redirect is an empty page' },
  { name: 'redirect.host', pack: 'redirect.host', needs: { key: true },
    does: { length: SEVERAL, fault: { on: 'second', reply: redirect('host') } },
    server: 'redirects page 2 to another host',
    client: 'it must not send the key there',
    expect: 'all-or-error', watch: KEY, report: 'the key is sent to another host' },
  { name: 'redirect.port', pack: 'redirect.port', needs: { key: true },
    does: { length: SEVERAL, fault: { on: 'second', reply: redirect('port') } },
    server: 'redirects page 2 to another port of the host',
    client: 'sending the key there is a note',
    expect: 'all-or-error', watch: KEY, report: 'the key is sent to another port' },
  { name: 'link.host', pack: 'link.host', needs: { ways: ['url', 'link', 'header'], key: true },
    does: { length: SEVERAL, links: ['host'] },
    server: 'gives a next link to another host',
    client: 'it must not send the key there; it may request the path at the own origin',
    expect: 'all-or-error', watch: LINK_KEY, report: 'the key is sent to the host of a link' },
  { name: 'link.port', pack: 'link.port', needs: { ways: ['url', 'link', 'header'], key: true },
    does: { length: SEVERAL, links: ['port'] },
    server: 'gives a next link to another port of the host',
    client: 'it must not send the key there; it may request the path at the own origin',
    expect: 'all-or-error', watch: LINK_KEY, report: 'the key is sent to the port of a link' },
];

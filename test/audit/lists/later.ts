/** Lists by page number that state links only where a page is asked for by its number, as json-server does: sound, and with a link that is an error. */
import { failed, fault, variant } from './fault.ts';
import type { Declared, Fault, Sound } from './fault.ts';
import { rowsOfStyle } from './server.ts';
import type { Call, Reply } from './server.ts';

const LENGTH = rowsOfStyle('page').length;
const linking =
  (path: string) =>
  (reply: Reply, { query, url, start, size }: Call): void => {
    if (!query.has('page')) return;
    const to = (rel: string, number: number): string => {
      const link = new URL(url);
      if (rel === 'next') link.pathname = path;
      link.searchParams.set('page', String(number));
      return `<${link.href}>; rel="${rel}"`;
    };
    const number = start / size + 1;
    reply.headers['link'] = [
      to('first', 1),
      ...(number > 1 ? [to('prev', number - 1)] : []),
      ...(start + size < LENGTH ? [to('next', number + 1)] : []),
    ].join(', ');
  };

const ITEMS = '/items';
/** What a user may say of such a list. */
const LINK: Declared = { next: { link: 'next' } };

export const LATER_SOUND: readonly Sound[] = [
  variant('page: links only on pages that are asked for by number', { style: 'page', reply: linking(ITEMS) }),
  variant('page: the same, and nothing but the links says whether there is another page', {
    style: 'page',
    hasNoTotal: true,
    reply: linking(ITEMS),
  }),
  variant('page: the same, and the links are declared', { style: 'page', reply: linking(ITEMS) }, LINK),
];

export const LATER_FAULTS: readonly Fault[] = [
  ...fault(
    'links only on pages that are asked for by number, and the next one is an error',
    ['page'],
    failed('stated.next'),
    {
      reply: linking('/gone'),
    },
  ),
  ...fault(
    'links only on pages that are asked for by number, and going back loses an item',
    ['page'],
    failed('back.missing'),
    {
      reply: (reply, call) => {
        linking(ITEMS)(reply, call);
        const { link = '' } = reply.headers;
        reply.headers['link'] = link.replace(/<([^>]*)>; rel="prev"/, '<$1&back=1>; rel="prev"');
      },
      page: (page, { query, start }) => {
        if (query.has('back') && start > 0) page.rows = page.rows.slice(1);
      },
    },
  ),
];

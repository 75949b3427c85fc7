/** Requests for all paths that belong to no operation: a page, the contract, or a 404. */
import type { Contract } from '../../contract/document.ts';
import { ProblemError } from '../../contract/problems.ts';
import { createPages } from '../pages/pages.ts';
import type { EnabledPages } from '../pages/pages.ts';
import type { Exchange } from './exchange.ts';
import { lazyExpress, pass } from './express.ts';
import type { Respond } from './respond.ts';

/**
 * @param publicUrl see `createPages`.
 * @returns a function that responds with a page. It rejects with an error instead, such as the 404 of a path without a page.
 */
export function createPageRequests(
  contract: Contract,
  respond: Respond,
  pages: EnabledPages,
  publicUrl: string | undefined,
): (x: Exchange) => Promise<void> {
  const pageOf = createPages(contract, pages, publicUrl);
  const application = lazyExpress();
  return async (x) => {
    const req = await pass(await application(), x);
    const page = pageOf(req);
    if (page === undefined) throw new ProblemError('not_found', 'This path does not exist.');
    if (x.method === 'OPTIONS') respond.options(x);
    else if (req.method !== 'GET') throw respond.methodNotAllowed('This path');
    else if ('redirect' in page) respond.redirect(x, page.redirect);
    else respond.document(x, await page.document(req));
  };
}

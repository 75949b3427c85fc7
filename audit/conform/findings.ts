/** What the rules of `conform` assert about responses. */
import { Failure, NotChecked } from '../report/findings.ts';
import type { Exchange } from './session.ts';

export { Failure, NotChecked, forEach } from '../report/findings.ts';
export type { Finding } from '../report/findings.ts';

/** @throws NotChecked with the records that the account lacks, if there are any. */
export function requireRecords(needs: readonly string[]): void {
  if (needs.length > 0) throw new NotChecked(`the account needs ${needs.join('; ')}`, needs);
}

/** @returns a response in one line. */
const summary = ({ status, text }: Exchange): string => `${String(status)} ${text}`.trimEnd();

/**
 * @param actual the text to report instead of the response in one line.
 * @throws Failure unless `condition` is true.
 */
export function assertThat(
  exchange: Exchange,
  condition: boolean,
  expected: string,
  actual = summary(exchange),
  difference?: string,
): void {
  if (condition) return;
  const { request } = exchange;
  throw new Failure({ request, expected, actual, ...(difference !== undefined && { difference }) });
}

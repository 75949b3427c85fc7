/** Tests the bytes of a server's responses against the contract. */
import { loadContract } from '../../contract/document.ts';
import { undeclared } from '../support/undeclared.ts';

const { operations } = loadContract();

/** @returns the statuses of all responses in `text`, and their faults. `isCut`: the last may be incomplete. */
export function judge(
  text: string,
  isCut: boolean,
): { readonly statuses: readonly number[]; readonly faults: readonly string[] } {
  const [statuses, faults]: [number[], string[]] = [[], []];
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    const [line = '', ...lines] = rest.slice(0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]);
    if (end === -1 || Number.isNaN(status)) {
      if (!isCut) faults.push(`no response: ${rest.slice(0, 100)}`);
      break;
    }
    const headers = new Map(
      lines.map((it) => [it.slice(0, it.indexOf(':')).toLowerCase(), it.slice(it.indexOf(':') + 2)]),
    );
    rest = rest.slice(end + 4);
    // HEAD, 204 and 304 have no body: then nothing follows, or another response.
    const length = rest === '' || rest.startsWith('HTTP/1.1 ') ? 0 : Number(headers.get('content-length'));
    const body = rest.slice(0, length);
    rest = rest.slice(length);
    if (isCut && body.length < length) break;
    statuses.push(status);
    const fault = faultOf(status, headers, body);
    if (fault !== undefined) faults.push(`${fault}: ${line} ${body.slice(0, 200)}`);
  }
  return { statuses, faults };
}

function faultOf(status: number, headers: ReadonlyMap<string, string>, text: string): string | undefined {
  if (status === 100) return undefined;
  if (!headers.has('x-request-id')) return 'no id';
  if (status === 204) return text === '' && headers.get('allow') === 'GET, HEAD, OPTIONS' ? undefined : 'OPTIONS';
  if (headers.get('cache-control')?.endsWith(', max-age=300') === true) return undefined; // The contract, or the console.
  if ((headers.get('content-type') ?? '').includes('html')) return 'HTML';
  const byOperation = operations.map((it) => undeclared(it, { status, headers, text }));
  const isHead = text === '' && status !== 304 && headers.get('content-length') !== '0';
  const real = byOperation.map((all) => (isHead ? all.filter((it) => !/body|schema/.test(it)) : all));
  return real.some((it) => it.length === 0) ? undefined : real[0]?.join('; ');
}

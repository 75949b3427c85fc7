/** Rules of methods: HEAD and OPTIONS as they are documented, and no other. */
import { assertThat } from './assertions.ts';
import { opaque } from './answer.ts';
import { UNKNOWN_ID } from './items.ts';
import type { Rule } from './rule.ts';
import type { Exchange, Request } from './session.ts';

const OTHER_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];

export const METHOD_RULES: readonly Rule[] = [
  {
    id: 'method.other',
    title: 'other methods: 405, whether or not there is a key (none is sent)',
    check: async (subject) => {
      for (const method of OTHER_METHODS) {
        await subject.assertProblem({ method, target: subject.path(), authorization: null }, 'method_not_allowed');
      }
    },
  },
  {
    id: 'method.options',
    title: 'OPTIONS: 204 with Allow, without a key',
    check: async (subject) => {
      const exchange = await subject.request({ method: 'OPTIONS', target: subject.path(), authorization: null }, 204);
      const allow = subject.operation.responses.get(405)?.headers?.['Allow']?.schema.enum?.[0];
      const actual = exchange.headers.get('allow');
      assertThat(exchange, actual === allow, `Allow: ${String(allow)}`, actual ?? 'none');
    },
  },
];

export const HEAD_RULES: readonly Rule[] = [
  {
    id: 'method.head',
    title: 'HEAD has the status and the headers of GET',
    check: async (subject) => {
      const target = await subject.existingTarget();
      const get = await subject.request({ target });
      const head = await subject.request({ method: 'HEAD', target });
      for (const [name, value, expected] of headersOf(get, head)) {
        assertThat(head, value === expected, `${name}: ${expected ?? 'none'}`, `${name}: ${value ?? 'none'}`);
      }
      const declared = Object.entries(subject.operation.responses.get(200)?.headers ?? {});
      for (const [name] of declared.filter(([, it]) => it.required === true)) {
        const isThere = head.headers.has(name.toLowerCase()) || !get.headers.has(name.toLowerCase());
        assertThat(head, isThere, `${name}, as GET has it`, `no ${name}`);
      }
    },
  },
  {
    id: 'method.head-body',
    title: 'HEAD has no body',
    buildsOn: ['method.head'],
    check: async (subject) => {
      const target = await subject.existingTarget();
      const head = await subject.request({ method: 'HEAD', target, isRaw: true });
      assertThat(head, head.text === '', 'nothing after the head', head.text);
    },
  },
  {
    id: 'method.head-errors',
    title: 'HEAD is refused as GET is: without a key, with a wrong parameter, where there is nothing',
    buildsOn: ['method.head'],
    check: async (subject) => {
      const path = subject.path();
      const missing = subject.list === undefined ? subject.target({ after: UNKNOWN_ID }) : path;
      const requests: readonly Request[] = [
        { target: path, authorization: null },
        { target: `${path}?nonsense=1` },
        { target: `/nonsense${path}` },
        { target: missing },
      ];
      for (const request of requests) {
        const { status } = await subject.send(request);
        await subject.request({ ...request, method: 'HEAD' }, status);
      }
    },
  },
];

/** What HEAD must have as GET has it; a server may leave the length out. */
function headersOf(get: Exchange, head: Exchange): (readonly [string, string | undefined, string | undefined])[] {
  const [type, tag, length] = ['content-type', 'etag', 'content-length'];
  // Of an answer that was compressed on its way the length is not known.
  const isCompressed = get.headers.has('content-encoding');
  const bytes = isCompressed ? head.headers.get('content-length') : String(Buffer.byteLength(get.text));
  return [
    [type, head.headers.get(type), get.headers.get(type)],
    [tag, opaque(head.headers.get(tag)), opaque(get.headers.get(tag))],
    [length, head.headers.get(length) ?? bytes, bytes],
  ];
}

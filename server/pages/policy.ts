/** What a page may do: load and call what is of its own origin, and make no markup of texts. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

const secure = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'], // An empty icon, so that none is asked for.
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
      // Of scripts, lit-html alone makes markup, of its templates and never of a value.
      requireTrustedTypesFor: ["'script'"],
      trustedTypes: ['lit-html'],
    },
  },
  strictTransportSecurity: false, // For whoever owns the host name to promise.
  xFrameOptions: { action: 'deny' },
});

/** The headers of a page, names and values: the same for all, so they are made once. */
export const SECURED: readonly string[] = headersBy(secure);

function headersBy(set: typeof secure): readonly string[] {
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  set(res.req, res, () => undefined);
  return Object.entries(res.getHeaders()).flatMap(([name, value]) => [name, String(value)]);
}

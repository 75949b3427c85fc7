/** The headers that restrict a page: it may load from and call its own origin only, and never parses text as markup. */
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
      // Of scripts, lit-html alone parses markup: its templates, and never a value.
      requireTrustedTypesFor: ["'script'"],
      trustedTypes: ['lit-html'],
    },
  },
  strictTransportSecurity: false, // A promise that only the owner of the host name can make.
  xFrameOptions: { action: 'deny' },
});

/** The headers of a page, names and values: the same for all, so they are made once. */
export const SECURED: readonly string[] = headersBy(secure);

function headersBy(set: typeof secure): readonly string[] {
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  set(res.req, res, () => undefined);
  return Object.entries(res.getHeaders()).flatMap(([name, value]) => [name, String(value)]);
}

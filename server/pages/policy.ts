/** The headers that restrict a page. A page may load from and call its own origin only, and never parses text as markup. */
import helmet from 'helmet';

const secure = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'"],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
      // Only lit-html parses markup: its templates, and never a value.
      requireTrustedTypesFor: ["'script'"],
      trustedTypes: ['lit-html'],
    },
  },
  strictTransportSecurity: false, // Only the owner of the domain may enable HSTS.
  xFrameOptions: { action: 'deny' },
});

/** The headers of every page, as a flat list of names and values. */
export const SECURED: readonly string[] = headersBy(secure);

function headersBy(set: typeof secure): readonly string[] {
  const headers: string[] = [];
  const res = {
    setHeader: (name: string, value: string) => headers.push(name, value),
    removeHeader: () => undefined,
  };
  set(...([{}, res, () => undefined] as unknown as Parameters<typeof set>)); // helmet uses nothing else.
  return headers;
}

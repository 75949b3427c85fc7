/** What a page may do: load and call what is of its own origin, and make no markup of texts. */
import helmet from 'helmet';

/** Adds the headers of a page. */
export const secure = helmet({
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
